// SPDX-License-Identifier: Apache-2.0
// This is the broadcast of [HoKao95] on an all-port hypercube, reconstructed. A node reaches all
// nodes of the path that flips its dimensions in ascending order in one step, each over a first
// channel of its own; the path is cut as evenly as possible, each cut fixes a dimension, and every
// path node broadcasts in its part. On a 3-cube from source 0, step 1 is 0 -> 7, 3, 1; step 2 is 0
// -> 4, 1 -> 5, 3 -> 2, 7 -> 6.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_hk(const PlanRequest& request);

}  // namespace allport
