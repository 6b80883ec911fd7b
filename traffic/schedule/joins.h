// SPDX-License-Identifier: Apache-2.0
// These functions find the joins of a schedule, each with the lines that contribute to it. A join
// is named by its kind, root, group and tag.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "traffic/schedule/schedule.h"

namespace allport {

struct PlannedJoin {
  MessageKind kind = MessageKind::join;
  NodeId root{};
  DimensionMask free = 0;
  JoinTag join;
  StepIndex step = 0;                ///< that of its root's contribution; 0: there is none
  std::vector<std::uint32_t> lines;  ///< indices of its contributions into the schedule
};

bool has_joins(const Schedule& schedule);

/// The joins of `schedule` in the order of their first contributions.
std::vector<PlannedJoin> joins_of(const Schedule& schedule);

/// Whether `joins` joins and `trees` trees of a run may wait for ever for other messages with which
/// they share virtual channels, in whatever order all are sent (docs/joins.md, virtual channels).
bool need_own_vcs(std::size_t joins, std::size_t trees, const Routing& routing);

/// `join to 5 over dimensions 0, 2 (tag 1)`
std::string describe(const PlannedJoin& join, const Topology& topology);

}  // namespace allport
