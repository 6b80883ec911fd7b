// SPDX-License-Identifier: Apache-2.0
// A ChangeSearch tries changes of a run, the most promising first: each by itself, pairs of the
// best, and changes of the best one found. What a change is and how it is run are the caller's.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/studies/whatif/account.h"

namespace allport {

/// An option with another value.
struct OptionChange {
  std::string key;   ///< of the option, with underscores
  std::string text;  ///< its value
  std::string was;   ///< its value before; empty: it was not given, and has no default in words
  std::string cost;  ///< what it costs, in words
};

/// Options of different keys that change together; empty: none does.
using Change = std::vector<OptionChange>;

/// A change of one option, and how much it promises: of suggestions the largest comes first.
struct Suggestion {
  OptionChange change;
  double promise = 0;
  std::vector<std::string>
      aims{};  ///< the causes that it is against; empty: it is for the whole run
};

/// What became of a change.
struct TriedChange {
  Change change;
  std::string refused;  ///< why it cannot be run; empty: it was
  std::string problem;  ///< why it has no number although it was run; empty: it has one
  Account account;
  int round = 1;  ///< 1, and one more each time that the best change became the new start
};

struct SearchOptions {
  std::size_t budget = 30;  ///< how many changes are run; those that are refused do not count
  bool pairs = false;       ///< whether pairs of the best are tried
  /// Whether the best becomes the new start, until none is better; an option changes once.
  bool then = false;
};

class ChangeSearch {
 public:
  /// The suggestions for a run that has `change` and gave `account`.
  using Suggest =
      std::function<std::vector<Suggestion>(const Change& change, const Account& account)>;
  /// Runs changes, in any order, and returns what became of each, in the order of `changes`; fewer
  /// of them, the first ones, if it was stopped.
  using Run = std::function<std::vector<TriedChange>(const std::vector<Change>& changes)>;

  ChangeSearch(SearchOptions options, Goal goal, Suggest suggest, Run run)
      : options_(options), goal_(goal), suggest_(std::move(suggest)), run_(std::move(run)) {}

  /// All that was tried, in order; no change twice.
  std::vector<TriedChange> take(const Account& start);
  bool was_stopped() const { return was_stopped_; }
  /// How many suggestions there were for which the budget was too small.
  std::size_t left() const { return left_; }

 private:
  void try_singles(const Change& start, const Account& account, std::size_t most);
  void try_pairs(const Account& start);
  void try_all(std::vector<Change> changes, std::size_t most);
  const TriedChange* best(const Account& start) const;
  bool is_known(const Change& change) const;
  std::size_t rest() const { return options_.budget - used_; }

  SearchOptions options_;
  Goal goal_;
  Suggest suggest_;
  Run run_;
  std::vector<TriedChange> tried_;
  std::size_t used_ = 0;
  std::size_t left_ = 0;
  int round_ = 1;
  bool was_stopped_ = false;
};

/// `start` with `change`, whose key it does not have.
Change combined(const Change& start, const OptionChange& change);

}  // namespace allport
