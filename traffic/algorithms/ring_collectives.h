// SPDX-License-Identifier: Apache-2.0
// These are collectives on rings: scatter, gather, all-to-all broadcast and gossip among p
// processors [CasanovaSlides], all by messages to the next node in the + direction, and sums that
// go the same way, or both ways [PatarasukYuan09]. Each channel carries one message in each step.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// Whether `topology` is a ring or a torus of one dimension.
bool is_ring(const Topology& topology);

/// The source sends the blocks of the farthest node first; each node forwards all blocks that it
/// receives except the last: p - 1 steps.
Schedule plan_ring_scatter(const PlanRequest& request);
/// Every node sends its own block, then forwards those of its predecessors: p - 1 steps.
Schedule plan_ring_gather(const PlanRequest& request);
/// In step t node q sends the block of node q - t + 1: p - 1 steps.
Schedule plan_ring_allgather(const PlanRequest& request);
/// One part, or two: the second one goes around in the - direction.
PartCounts ring_parts(const Topology& topology);

/// [PatarasukYuan09] In step t node q sends its sum of the block of node q - t, and the receiver
/// adds: p - 1 steps, after which node q has the sum of block q.
Schedule plan_ring_reduce_scatter(const PlanRequest& request);
/// [PatarasukYuan09] That, then the all-gather of the sums: 2(p - 1) steps.
Schedule plan_ring_allreduce(const PlanRequest& request);
/// One distance after another, a block for distance d in d steps: p(p - 1)/2 steps.
Schedule plan_ring_alltoall(const PlanRequest& request);

}  // namespace allport
