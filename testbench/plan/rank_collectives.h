// SPDX-License-Identifier: Apache-2.0
// collective_planner() plans the collectives that ranks call.
#pragma once

#include <cstdint>
#include <map>

#include "rtl_model/topology/routing.h"
#include "traffic/algorithms/algorithms.h"
#include "traffic/planning/groups.h"
#include "traffic/tasks/collective_planner.h"

namespace allport {

struct RunRequest;

/// Plans the collectives of `ranks` ranks on the nodes of `group`; null: on all nodes. All of them
/// on their own nodes have the fabric of these; others have the one that `--ranks` names, the box
/// or cube that the group is, or, of the same kind as the fabric, a cube, a ring or a line.
/// `chosen`: algorithms of some operations. `run`, `routing` and `group` must outlive the planner.
CollectivePlanner collective_planner(const RunRequest& run, const Routing& routing,
                                     const NodeGroup* group, std::uint32_t ranks,
                                     std::map<Operation, const Algorithm*> chosen);

}  // namespace allport
