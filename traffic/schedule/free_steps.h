// SPDX-License-Identifier: Apache-2.0
// Steps for schedules of blocks whose streams share injection ports: a message goes in the first
// step after the receptions that it waits for in which its injection port is free.
#pragma once

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// Whether a node sends at most one message on an injection port in a step.
bool keeps_port_rule(const Schedule& schedule, const Routing& routing, int internal_ports);

/// If `schedule`, which is planned for nodes with more ports, does not keep the port rule, gives
/// its messages steps anew, in the order of the programs, and orders the programs by these.
void assign_free_steps(Schedule& schedule, const Collective& collective, const Routing& routing,
                       int internal_ports);

}  // namespace allport
