// SPDX-License-Identifier: Apache-2.0
// This header has what is said of groups of nodes and of ranks that are placed on nodes: the
// placement in words, the results of each group, and the contention between groups.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/results/json.h"
#include "testbench/results/results.h"

namespace allport {

/// Which group of a partition each node is of.
class GroupMap {
 public:
  explicit GroupMap(const RunPlan& plan);
  /// The group of the messages' sender; none: it is of no group, or there is no partition.
  std::optional<std::size_t> group_of(const MessageName& message) const;
  /// The groups of the waiting and of the holding message of `event`; none: one has none.
  std::optional<std::array<std::size_t, 2>> groups_of(const ContentionEvent& event) const;
  /// Whether the two messages of `event` are of different groups.
  bool is_between(const ContentionEvent& event) const;

 private:
  std::vector<std::size_t> groups_;  // by node; empty: no partition
};

/// The contention of a partition: that of each group's messages, and that with other groups.
struct GroupContention {
  struct Count {
    std::size_t events = 0;
    Cycle blocked_cycles = 0;
  };
  std::vector<Count> by_group;     ///< events in which a message of the group waits
  std::vector<Count> with_others;  ///< those of them in which it waits for another group
  Count between;                   ///< the sum of these
};
GroupContention contention_of_groups(const RunPlan& plan, const Results& results);

/// `ring:64 by snake: neighbouring ranks are neighbours`; empty: no ranks were placed.
std::string placement_in_words(const RunPlan& plan);
/// `mesh:4x4, 16 nodes`, or the number of groups and their size; empty: there is no group.
std::string groups_in_words(const RunPlan& plan);
/// A line for each of the first groups of a partition, with a header.
std::vector<std::string> group_lines(const RunPlan& plan, const Results& results);

/// A list with an object for each group of a partition.
Json groups_json(const RunPlan& plan, const Results& results);

}  // namespace allport
