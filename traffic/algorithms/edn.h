// SPDX-License-Identifier: Apache-2.0
// This is the broadcast of [TsaiMcKinley96], as far as [Hou98] describes it, by extended dominating
// nodes (EDN) on a 2^d x 2^d torus in d steps, with three sends per node and step. Pairs of steps
// with units N/4, N/16, .. send by (0,2), (2,1), (-2,-1), then by (1,0), (-1,0), (0,1); for odd d a
// Z_block step comes last. On 4x4 from source (0,0), step 1 reaches (0,2), (2,1), (2,3), step 2 all
// others.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// Exact ties go by the sign of the displacement; the schedule is stepwise contention-free.
Schedule plan_edn(const PlanRequest& request);
/// Every exact tie goes in the + direction, as in plain minimal routing: two messages of the first
/// step then share their first channel.
Schedule plan_edn_positive(const PlanRequest& request);

}  // namespace allport
