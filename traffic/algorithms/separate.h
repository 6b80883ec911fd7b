// SPDX-License-Identifier: Apache-2.0
// Separate addressing is the baseline of [Robinson93]: the source sends each destination its own
// unicast, in ascending order of the id relative to the source. It works on any fabric; the steps
// come from step_assignment.h.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_separate(const PlanRequest& request);

}  // namespace allport
