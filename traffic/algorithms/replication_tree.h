// SPDX-License-Identifier: Apache-2.0
// The replication tree of a hypercube broadcast ([Jeon01] algorithms A and B) is the union of the
// e-cube routes from the source; elsewhere it is that of the dimension-ordered routes. It is sent
// as one worm that the routers replicate; the schedule lists the edges of the tree, with the depth
// as step.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_replication_tree(const PlanRequest& request);

}  // namespace allport
