// SPDX-License-Identifier: Apache-2.0
// [CasanovaSlides] These collectives of a hypercube go by dimension exchange. In the step of
// dimension i each node sends to its neighbour across that dimension, so a step has one message in
// each direction of a link and all routes are one hop long.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// Recursive doubling, dimension 0 first: every node sends all it has, 1, 2, 4, .. blocks.
Schedule plan_exchange_allgather(const PlanRequest& request);
/// Recursive halving, highest dimension first: a node that has blocks sends those of the other
/// half.
Schedule plan_exchange_scatter(const PlanRequest& request);
/// The scatter's reverse, dimension 0 first.
Schedule plan_exchange_gather(const PlanRequest& request);
/// Dimension 0 first: every node sends the half of its blocks that is for the other side.
Schedule plan_exchange_alltoall(const PlanRequest& request);
/// [ThakurRabenseifnerGropp05] Recursive halving of sums, highest dimension first: every node sends
/// its sums of the blocks of the other half. It is the all-gather backwards.
Schedule plan_exchange_reduce_scatter(const PlanRequest& request);
/// [ThakurRabenseifnerGropp05] Rabenseifner's all-reduce: that, then the all-gather of the sums.
Schedule plan_rabenseifner(const PlanRequest& request);
/// Recursive doubling of sums, dimension 0 first; it also serves as a barrier.
Schedule plan_exchange_allreduce(const PlanRequest& request);

}  // namespace allport
