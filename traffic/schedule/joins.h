// SPDX-License-Identifier: Apache-2.0
// The joins of a schedule, each with the lines that contribute to it. A join is named by its kind,
// root, group and tag.
#pragma once

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

/// `join to 5 over dimensions 0, 2 (tag 1)`
std::string describe(const PlannedJoin& join, const Topology& topology);

}  // namespace allport
