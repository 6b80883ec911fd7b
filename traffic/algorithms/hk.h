// SPDX-License-Identifier: Apache-2.0
// [HoKao95], reconstructed: broadcast on an all-port hypercube. A node reaches all nodes of the
// path that flips its dimensions in ascending order in one step, each over a first channel of its
// own; the path is cut as evenly as possible, each cut fixes a dimension, and every path node
// broadcasts in its part. 3-cube, source 0: step 1 0 -> 7, 3, 1; step 2 0 -> 4, 1 -> 5, 3 -> 2, 7
// -> 6.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_hk(const PlanRequest& request);

}  // namespace allport
