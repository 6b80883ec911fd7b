// SPDX-License-Identifier: Apache-2.0
// The contention-aware greedy assignment of steps works as in step_assignment.h, but within a step
// a send waits while a send that was already admitted uses a channel of its route.
#pragma once

#include <cstddef>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// Gives the unicasts of `schedule`, a delivery tree from `source`, the steps of the rule. In each
/// step the first waiting send of every injection port of the nodes that received before is
/// admitted or not, in the order of the sender's reception, `chain_index` (by node) and program.
void assign_aware_steps(Schedule& schedule, const Routing& routing, int internal_ports,
                        NodeId source, const std::vector<std::size_t>& chain_index);

}  // namespace allport
