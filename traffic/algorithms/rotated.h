// SPDX-License-Identifier: Apache-2.0
// These dimension exchanges keep all n ports of a hypercube's nodes busy: each block goes in n
// parts, and part j takes the dimensions in the order j, j+1, .. mod n, so that in every step each
// part crosses another dimension. The all-gather is [JohnssonHo89]'s all-to-all broadcast; the
// others follow from it by the same rotation and are the project's reading.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// One part for each dimension.
PartCounts rotated_parts(const Topology& topology);

Schedule plan_rotated_allgather(const PlanRequest& request);
/// Recursive halving of the sums of each part.
Schedule plan_rotated_reduce_scatter(const PlanRequest& request);
/// That, and then the all-gather of each part with its dimensions in the opposite order.
Schedule plan_rotated_allreduce(const PlanRequest& request);
Schedule plan_rotated_alltoall(const PlanRequest& request);

}  // namespace allport
