// SPDX-License-Identifier: Apache-2.0
// These functions give steps to schedules of blocks that were planned for nodes with more ports, or
// for another fabric: a message goes in the first step after the receptions that it waits for in
// which its injection port is free.
#pragma once

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// Whether a node sends at most one message on an injection port in a step.
bool keeps_port_rule(const Schedule& schedule, const Routing& routing, int internal_ports);

/// Gives the messages of `schedule` such steps, in the order of the programs, which stay; a message
/// of a sum contains what it contained before. Throws std::logic_error if sums have no such steps.
void assign_free_steps(Schedule& schedule, const Collective& collective, const Routing& routing,
                       int internal_ports);

}  // namespace allport
