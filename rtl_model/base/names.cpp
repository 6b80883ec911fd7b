// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/names.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "rtl_model/base/quote.h"

namespace allport {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Insertions, deletions and substitutions of one letter, and swaps of two neighbours, each as one
// (Damerau-Levenshtein, where no letter is edited twice), row by row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  std::vector<std::size_t> before = row;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::vector<std::size_t> two_before = std::exchange(before, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const bool is_same = lower(a[i]) == lower(b[j]);
      row[j + 1] = std::min({before[j] + (is_same ? 0 : 1), before[j + 1] + 1, row[j] + 1});
      const bool is_swapped =
          i > 0 && j > 0 && lower(a[i]) == lower(b[j - 1]) && lower(a[i - 1]) == lower(b[j]);
      if (is_swapped) row[j + 1] = std::min(row[j + 1], two_before[j - 1] + 1);
    }
  }
  return row.back();
}

constexpr std::size_t longest_word = 64;  // letters beyond it make no candidate nearer

std::string_view without_dashes(std::string_view word) {
  return word.substr(std::min(word.find_first_not_of('-'), word.size()));
}

bool is_beginning(std::string_view word, std::string_view name) {
  constexpr std::size_t fewest = 3;
  const std::string_view letters = without_dashes(word);
  const std::string_view start = without_dashes(name).substr(0, letters.size());
  return letters.size() >= fewest && letters.size() == start.size() &&
         edit_distance(letters.substr(0, longest_word), start) == 0;
}

// Without dashes, in lower case: all-reduce is allreduce.
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (c != '-' && c != '_') letters += lower(c);
  }
  return letters;
}

// The candidates that go on from the word, or else those in which it is.
std::vector<std::string_view> related_names(std::string_view word,
                                            const std::vector<std::string_view>& candidates) {
  std::vector<std::string_view> names;
  for (const std::string_view name : candidates) {
    if (is_beginning(word, name)) names.push_back(name);
  }
  constexpr std::size_t fewest = 3;
  const std::string letters = letters_of(word);
  if (!names.empty() || letters.size() < fewest) return names;
  for (const std::string_view name : candidates) {
    if (letters_of(name).find(letters) != std::string::npos) names.push_back(name);
  }
  return names;
}

// `ucube, wsort`, or the first of them: `ucube, wsort, .. (31 in all)`.
std::string listed(const std::vector<std::string_view>& names) {
  constexpr std::size_t most = 16;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) {
    list += (i == 0 ? "" : ", ") + std::string(names[i]);
  }
  if (names.size() > most) list += ", .. (" + std::to_string(names.size()) + " in all)";
  return list;
}

}  // namespace

std::string_view near_name(std::string_view word, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t most_edits = 2;
  const std::size_t most = std::min(most_edits, word.size() / 3);
  std::string_view nearest;
  std::size_t least = most + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word.substr(0, longest_word), candidate);
    const bool goes_on = distance == least && is_beginning(word, candidate) && !nearest.empty() &&
                         !is_beginning(word, nearest);
    if (distance >= least && !goes_on) continue;
    nearest = candidate;
    least = distance;
  }
  if (!nearest.empty()) return nearest;
  const auto found =
      std::find_if(candidates.begin(), candidates.end(),
                   [&](std::string_view candidate) { return is_beginning(word, candidate); });
  return found == candidates.end() ? std::string_view{} : *found;
}

std::string unknown_name(std::string_view what, std::string_view word,
                         const std::vector<std::string_view>& candidates) {
  std::string start = "unknown " + std::string(what) + " " + in_quotes(word);
  std::vector<std::string_view> meant = related_names(word, candidates);
  const std::string_view near = near_name(word, candidates);
  if (!near.empty() && !is_beginning(word, near)) meant = {near};
  if (meant.size() > 1) return start + ": did you mean one of " + listed(meant) + "?";
  if (meant.size() == 1) return start + ": did you mean '" + std::string(meant.front()) + "'?";
  if (candidates.empty()) return start;
  if (candidates.size() == 1) {
    return start + ": the only one is '" + std::string(candidates.front()) + "'";
  }
  return start + ": choose one of " + listed(candidates);
}

}  // namespace allport
