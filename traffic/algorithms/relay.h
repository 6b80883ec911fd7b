// SPDX-License-Identifier: Apache-2.0
// These are the multicasts of figure 3(a) and (b) of [Robinson93] in a hypercube: a tree of
// neighbours in which processors relay for others, as store-and-forward switching needs it, and the
// same where the routers pass a message on at relays that have one successor. The figure is lost;
// that a node serves its relays first is this project's reading (docs/algorithms.md). The steps
// come from step_assignment.h.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_relay(const PlanRequest& request);
Schedule plan_relay_routers(const PlanRequest& request);

}  // namespace allport
