// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/names.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <numeric>

#include "rtl_model/base/quote.h"

namespace allport {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Insertions, deletions and substitutions of one letter (Levenshtein), row by row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

constexpr std::size_t longest_word = 64;  // letters beyond it make no candidate nearer

}  // namespace

std::string_view nearest_name(std::string_view word,
                              const std::vector<std::string_view>& candidates) {
  std::string_view nearest;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(word.substr(0, longest_word), candidate);
    if (distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

bool is_slip(std::string_view word, std::string_view name) {
  const std::size_t shorter = std::min(word.size(), name.size());
  const bool is_beginning = shorter > 0 && word.substr(0, shorter) == name.substr(0, shorter);
  return is_beginning || 3 * edit_distance(word.substr(0, longest_word), name) <= word.size();
}

std::string unknown_name(std::string_view what, std::string_view word,
                         const std::vector<std::string_view>& candidates) {
  return "unknown " + std::string(what) + " " + in_quotes(word) + ": did you mean '" +
         std::string(nearest_name(word, candidates)) + "'?";
}

}  // namespace allport
