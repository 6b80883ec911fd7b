// SPDX-License-Identifier: Apache-2.0
// These are the bucket algorithms of tori [JainSabharwal10, SackGropp15]: each block goes in 2n
// parts, one for each direction, and a part travels in rings. Its all-gather takes the dimensions
// j, j+1, .. mod n in the sign of its direction; in each the blocks go once around, neighbour to
// neighbour. A reduce-scatter is that backwards. An all-reduce turns parts that are not equal.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// One part for each direction: part 2j goes + in its first dimension j, part 2j + 1 goes -.
PartCounts bucket_parts(const Topology& topology);

Schedule plan_bucket_allgather(const PlanRequest& request);
/// The messages of the all-gather backwards, adding.
Schedule plan_bucket_reduce_scatter(const PlanRequest& request);
/// The reduce-scatter, then the all-gather.
Schedule plan_bucket_allreduce(const PlanRequest& request);

}  // namespace allport
