// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/whatif/change_search.h"

#include <algorithm>
#include <map>
#include <utility>

namespace allport {

namespace {

bool is_same(const Change& a, const Change& b) {
  const auto has = [&b](const OptionChange& one) {
    return std::any_of(b.begin(), b.end(), [&one](const OptionChange& other) {
      return one.key == other.key && one.text == other.text;
    });
  };
  return a.size() == b.size() && std::all_of(a.begin(), a.end(), has);
}

bool has_key(const Change& change, const std::string& key) {
  return std::any_of(change.begin(), change.end(),
                     [&key](const OptionChange& one) { return one.key == key; });
}

}  // namespace

Change combined(const Change& start, const OptionChange& change) {
  Change all = start;
  all.push_back(change);
  return all;
}

bool ChangeSearch::is_known(const Change& change) const {
  return std::any_of(tried_.begin(), tried_.end(),
                     [&change](const TriedChange& one) { return is_same(one.change, change); });
}

// Of equals the first; where the start has no number, the best of those that have one.
const TriedChange* ChangeSearch::best(const Account& start) const {
  const TriedChange* best = nullptr;
  for (const TriedChange& one : tried_) {
    const bool is_better =
        one.account.value && (!start.value || gain(start, one.account, goal_).value() > 0);
    if (!is_better) continue;
    if (best == nullptr || gain(best->account, one.account, goal_).value() > 0) best = &one;
  }
  return best;
}

void ChangeSearch::try_all(std::vector<Change> changes, std::size_t most) {
  changes.erase(std::remove_if(changes.begin(), changes.end(),
                               [this](const Change& one) { return is_known(one); }),
                changes.end());
  std::size_t done = 0;
  while (done < changes.size() && most > 0 && !was_stopped_) {
    const std::size_t end = std::min(changes.size(), done + most);
    const std::vector<Change> part(changes.begin() + static_cast<std::ptrdiff_t>(done),
                                   changes.begin() + static_cast<std::ptrdiff_t>(end));
    std::vector<TriedChange> outcomes = run_(part);
    was_stopped_ = outcomes.size() < part.size();
    for (TriedChange& one : outcomes) {
      one.round = round_;
      if (one.refused.empty()) {
        ++used_;
        --most;
      }
      tried_.push_back(std::move(one));
    }
    done += outcomes.size();
  }
  left_ += changes.size() - done;
}

void ChangeSearch::try_singles(const Change& start, const Account& account, std::size_t most) {
  std::vector<Suggestion> suggestions = suggest_(start, account);
  std::stable_sort(suggestions.begin(), suggestions.end(),
                   [](const Suggestion& a, const Suggestion& b) { return a.promise > b.promise; });
  std::vector<Change> changes;
  for (const Suggestion& one : suggestions) {
    if (!has_key(start, one.change.key)) changes.push_back(combined(start, one.change));
  }
  try_all(std::move(changes), most);
}

// Pairs of the best value of each option, those that gained most together first.
void ChangeSearch::try_pairs(const Account& start) {
  struct Best {
    double gained;
    OptionChange change;
  };
  std::map<std::string, Best> by_key;
  for (const TriedChange& one : tried_) {
    const auto gained = gain(start, one.account, goal_);
    if (one.change.size() != 1 || !gained || *gained <= 0) continue;
    const OptionChange& change = one.change.front();
    const auto known = by_key.find(change.key);
    if (known == by_key.end() || known->second.gained < *gained) {
      by_key.insert_or_assign(change.key, Best{*gained, change});
    }
  }
  std::vector<std::pair<double, Change>> pairs;
  for (auto a = by_key.begin(); a != by_key.end(); ++a) {
    for (auto b = std::next(a); b != by_key.end(); ++b) {
      pairs.emplace_back(a->second.gained + b->second.gained,
                         Change{a->second.change, b->second.change});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Change> changes;
  for (auto& pair : pairs) changes.push_back(std::move(pair.second));
  try_all(std::move(changes), rest());
}

std::vector<TriedChange> ChangeSearch::take(const Account& start) {
  // What follows the single changes has a part of the budget for itself.
  const std::size_t first =
      options_.pairs || options_.then ? (2 * options_.budget + 2) / 3 : options_.budget;
  try_singles({}, start, std::min(first, rest()));
  if (options_.pairs && !was_stopped_) try_pairs(start);
  Account from = start;
  while (options_.then && !was_stopped_ && rest() > 0) {
    const TriedChange* const next = best(from);
    if (next == nullptr) break;
    const TriedChange chosen = *next;  // the list grows
    from = chosen.account;
    ++round_;
    const std::size_t before = tried_.size();
    try_singles(chosen.change, from, (rest() + 1) / 2);
    if (tried_.size() == before) break;
  }
  return std::move(tried_);
}

}  // namespace allport
