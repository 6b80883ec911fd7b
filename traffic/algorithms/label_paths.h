// SPDX-License-Identifier: Apache-2.0
// These are multicasts on a mesh by label worms [LinMcKinleyNi94], each to its destinations in the
// order of labels. Dual-path sends one worm to the destinations with larger labels than the
// source's and one to those with smaller labels. Multi-path cuts each of the two by the first
// coordinate: the side of the neighbour along the first dimension that has a label on the worm's
// side, and the rest, which leave by the next dimension that has such a neighbour. This cut is the
// house's reading: the paper describes it for two dimensions.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_dual_path(const PlanRequest& request);
Schedule plan_multi_path(const PlanRequest& request);

}  // namespace allport
