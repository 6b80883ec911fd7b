// SPDX-License-Identifier: Apache-2.0
// What a run gave is one number that counts, its goal, and an account of the cycles behind it. Both
// are read from the JSON of `allport run`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/results/json.h"

namespace allport {

/// The number of a run that is to become better.
enum class Goal { completion, makespan, p99, mean, max, accepted };

std::string_view to_string(Goal goal);
std::vector<std::string_view> goal_names();
/// What the number is, with its unit: `p99 latency, cycles`.
std::string_view in_words(Goal goal);
/// Whether more of it is better, as of the accepted load.
constexpr bool is_more_better(Goal goal) { return goal == Goal::accepted; }

/// What counts of a run unless something else is asked for: the makespan of tasks, p99 of synthetic
/// traffic, and the completion of collectives.
Goal usual_goal(const Json& run);

/// Two nodes whose messages were in each other's way on the critical path: receivers, or senders.
struct Rivals {
  std::uint64_t a;
  std::uint64_t b;
  double cycles;  ///< for which one waited for the other's
};

struct Account {
  std::optional<double> value;  ///< of the goal; none: the run has none, as after a deadlock
  /// Cycles by the name of their cause: of the critical path for completion and makespan; else of a
  /// message, of the slowest 1 % for p99 and max. Empty: the run was not explained.
  std::map<std::string, double> cycles;
  /// Shares of what all waiting comes from, by the name of the cause at the root.
  std::map<std::string, double> roots;
  /// What a collective takes beyond its lower bound, by the part's name.
  std::map<std::string, double> beyond_bound;
  std::optional<double> bound;
  std::vector<Rivals> rivals;  ///< those with most cycles first
  Json config;
  std::string digest;
};

/// Throws std::invalid_argument, one sentence, if such a run has no number for `goal`.
Account account_of(const Json& run, Goal goal);

/// How much better `after` is, in the unit of the goal; none: it has no number.
std::optional<double> gain(const Account& before, const Account& after, Goal goal);

/// The cause of which `after` has fewest cycles in comparison with `before`, and how many have
/// gone; none: no cause has fewer.
std::optional<std::pair<std::string, double>> gone(const Account& before, const Account& after);

}  // namespace allport
