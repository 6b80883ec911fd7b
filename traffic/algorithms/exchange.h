// SPDX-License-Identifier: Apache-2.0
// These are exchanges among p = 2^k nodes [CasanovaSlides]: in the step of bit i each node sends to
// the node whose number differs in that bit only. On a hypercube this is dimension exchange: the
// two are neighbours, so a step has one message in each direction of a link. Elsewhere routes are
// longer, and those of a step may share channels.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// Recursive doubling, bit 0 first: every node sends all it has, 1, 2, 4, .. blocks.
Schedule plan_exchange_allgather(const PlanRequest& request);
/// Recursive halving, highest bit first: a node that has blocks sends those of the other
/// half.
Schedule plan_exchange_scatter(const PlanRequest& request);
/// The scatter's reverse, bit 0 first.
Schedule plan_exchange_gather(const PlanRequest& request);
/// Bit 0 first: every node sends the half of its blocks that is for the other side.
Schedule plan_exchange_alltoall(const PlanRequest& request);
/// [ThakurRabenseifnerGropp05] Recursive halving of sums, highest bit first: every node sends its
/// sums of the blocks of the other half. It is the all-gather backwards.
Schedule plan_exchange_reduce_scatter(const PlanRequest& request);
/// [ThakurRabenseifnerGropp05] Rabenseifner's all-reduce: that, then the all-gather of the sums.
Schedule plan_rabenseifner(const PlanRequest& request);
/// The same with bit 0 first and last: the largest messages go to the nearest nodes, if the nodes
/// of close numbers are near.
Schedule plan_rabenseifner_near(const PlanRequest& request);
/// Recursive doubling of sums, bit 0 first; it also serves as a barrier.
Schedule plan_exchange_allreduce(const PlanRequest& request);

}  // namespace allport
