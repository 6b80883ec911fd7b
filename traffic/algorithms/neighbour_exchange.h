// SPDX-License-Identifier: Apache-2.0
// These are exchanges among neighbours: each node has a block of its own for each of them (stencils
// and halos; MPI_Neighbor_alltoall).
#pragma once

#include <memory>
#include <vector>

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// Who exchanges blocks with whom in `operation` among the nodes of `topology`, or in a ring of its
/// `members`, a list without a shape; null: it is no exchange.
std::shared_ptr<const NeighbourBlocks> neighbours_among(Operation operation,
                                                        const Topology& topology,
                                                        const std::vector<NodeId>& members);

// Each node sends each block straight to the neighbour, the nearest ones first.
Schedule plan_direct_neighbor(const PlanRequest& request);
Schedule plan_direct_neighbor_box(const PlanRequest& request);
Schedule plan_direct_neighbor_nw(const PlanRequest& request);

// Through the dimensions of a grid, dimension 0 first: a node sends its two neighbours in a
// dimension, one message each, what goes that way there, its own blocks and those that came before.
Schedule plan_shift_neighbor_box(const PlanRequest& request);
Schedule plan_shift_neighbor_nw(const PlanRequest& request);

}  // namespace allport
