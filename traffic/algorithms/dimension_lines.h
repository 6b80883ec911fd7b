// SPDX-License-Identifier: Apache-2.0
// These are collectives of rings, tori and meshes that go through the dimensions one after another,
// between neighbours only: in a dimension every line of nodes works by itself. On a line that
// closes to a ring of K nodes the + direction serves the nearest floor(K/2) nodes, the - direction
// the other floor((K-1)/2); on one that does not, each serves the nodes up to the end.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// Whether `topology` is a ring, torus or mesh.
bool is_grid(const Topology& topology);

/// Broadcast: a node forwards in the direction from which the message came, then sends both ways in
/// the dimensions above, + before -.
Schedule plan_dims_bcast(const PlanRequest& request);
/// That tree backwards, adding.
Schedule plan_dims_reduce(const PlanRequest& request);
/// The sum to the root and back, for a barrier.
Schedule plan_dims_barrier(const PlanRequest& request);

// Of blocks; dimension 0 first, except where said otherwise. In each step a node sends one message
// in each direction.
/// In step t of a dimension a node forwards what the node t - 1 behind it began the dimension with.
Schedule plan_dims_allgather(const PlanRequest& request);
/// The all-gather backwards, adding: dimension n - 1 first.
Schedule plan_dims_reduce_scatter(const PlanRequest& request);
/// That, then the all-gather of the sums.
Schedule plan_dims_allreduce(const PlanRequest& request);
/// A message for each node of a line, the farthest first, with all that goes on from there.
Schedule plan_dims_scatter(const PlanRequest& request);
/// The scatter backwards, dimension n - 1 first.
Schedule plan_dims_gather(const PlanRequest& request);
/// In step t a node forwards, in one message, all that began t - 1 behind it and goes on.
Schedule plan_dims_alltoall(const PlanRequest& request);

}  // namespace allport
