// SPDX-License-Identifier: Apache-2.0
// The depth contention-free broadcast (DCF) of [Hou98] takes d steps on a 2^d x 2^d torus: blocks
// of two steps with displacements of N/4, N/16, ..., then for odd d one Z_block step.
// On 4x4 from source (0,0), step 1 reaches (2,1), (0,2), (3,3), (0,3), step 2 all others.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_dcf(const PlanRequest& request);

}  // namespace allport
