// SPDX-License-Identifier: Apache-2.0
// Swing [DeSensi24] is recursive halving and doubling on tori whose sides are powers of two, in
// which partners are near each other first and swing from one side to the other. Along a dimension,
// the node with the even coordinate r meets r + rho(s) in its step s, an odd r meets r - rho(s),
// with rho = 1, -1, 3, -5, 11, .. Each block goes in 2n parts, which begin with different
// dimensions; the second half of them is mirrored.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// Rings and tori all of whose sides are powers of two.
bool is_swing_torus(const Topology& topology);

/// Part q begins with dimension q mod n, and is mirrored from n on.
PartCounts swing_parts(const Topology& topology);

/// The steps of the reduce-scatter backwards.
Schedule plan_swing_allgather(const PlanRequest& request);
Schedule plan_swing_reduce_scatter(const PlanRequest& request);
/// The reduce-scatter, then the all-gather.
Schedule plan_swing_allreduce(const PlanRequest& request);

}  // namespace allport
