// SPDX-License-Identifier: Apache-2.0
// This broadcast on a 2^d x 2^d torus in d steps goes in pairs of steps with units N/4, N/16, ..:
// every node that has the message sends it two or three units away by (0,2), (2,1), (-2,-1), then
// to its neighbours by (1,0), (-1,0), (0,1); for odd d a Z_block step comes last. On 4x4 from
// source (0,0), step 1 reaches (0,2), (2,1), (2,3), step 2 all others.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_far_then_near(const PlanRequest& request);

}  // namespace allport
