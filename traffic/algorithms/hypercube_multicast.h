// SPDX-License-Identifier: Apache-2.0
// U-cube [McKinley94], Maxport, Combine and W-sort, all as in [Robinson93], multicast on all-port
// hypercubes along chains of addresses relative to the source. They differ only in the element of
// its chain to which a node sends next, and W-sort also in the chain, which is the ascending one or
// the user's (cube_chain.h). The steps come from step_assignment.h.
#pragma once

#include "traffic/algorithms/algorithms.h"
#include "traffic/algorithms/cube_chain.h"

namespace allport {

Schedule plan_ucube(const PlanRequest& request);
Schedule plan_maxport(const PlanRequest& request);
Schedule plan_combine(const PlanRequest& request);
Schedule plan_wsort(const PlanRequest& request);

}  // namespace allport
