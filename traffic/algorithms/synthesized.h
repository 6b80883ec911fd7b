// SPDX-License-Identifier: Apache-2.0
// These are the collectives as traffic/synthesis plans them, for any fabric, any group of its nodes
// and missing links. The all-gather in short messages is TACOS [Won24] as the project reads it; the
// other collectives and the choice by theory are the project's own.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// Every collective; the numbers of parts keep the ports of small fabrics busy too.
Schedule plan_synthesized_bcast(const PlanRequest& request);
Schedule plan_synthesized_scatter(const PlanRequest& request);
Schedule plan_synthesized_gather(const PlanRequest& request);
Schedule plan_synthesized_allgather(const PlanRequest& request);
Schedule plan_synthesized_alltoall(const PlanRequest& request);
Schedule plan_synthesized_reduce(const PlanRequest& request);
Schedule plan_synthesized_allreduce(const PlanRequest& request);
Schedule plan_synthesized_reduce_scatter(const PlanRequest& request);
Schedule plan_synthesized_barrier(const PlanRequest& request);
Schedule plan_synthesized_neighbor(const PlanRequest& request);
Schedule plan_synthesized_neighbor_box(const PlanRequest& request);
Schedule plan_synthesized_neighbor_nw(const PlanRequest& request);

/// Of a message or a vector that goes whole: it is cut into at most as many pieces as it has flits.
PartCounts synthesized_pieces(const Topology& topology);
/// Of each block.
PartCounts synthesized_parts(const Topology& topology);
/// Of each block of an exchange among neighbours.
PartCounts synthesized_exchange_parts(const Topology& topology);
/// Of a barrier, whose block is a flit.
PartCounts synthesized_flit(const Topology& topology);

}  // namespace allport
