// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/synthesized.h"

#include <algorithm>
#include <utility>

#include "traffic/algorithms/neighbour_exchange.h"
#include "traffic/synthesis/synthesis.h"

namespace allport {

namespace {

Schedule synthesized(const PlanRequest& request, const Collective& goal) {
  return synthesize({request.routing, request.internal_ports, goal, request.missing, request.timing,
                     request.seed});
}

Schedule plan_of(Operation operation, const PlanRequest& request) {
  const std::size_t nodes = request.routing.topology().node_count();
  const std::size_t ranks = request.members.empty() ? nodes : request.members.size();
  const std::size_t blocks = operation == Operation::allreduce ? ranks : 1;
  const Collective goal(operation, nodes, request.goal.source, blocks,
                        static_cast<std::size_t>(request.parts), request.members);
  return synthesized(request, goal.of_pairs(request.pairs));
}

Schedule plan_exchange(Operation operation, const PlanRequest& request) {
  const Topology& topology = request.routing.topology();
  const auto neighbours = request.neighbours != nullptr
                              ? request.neighbours
                              : neighbours_among(operation, topology, request.members);
  return synthesized(request, {operation, topology.node_count(), neighbours,
                               static_cast<std::size_t>(request.parts), request.members});
}

}  // namespace

Schedule plan_synthesized_bcast(const PlanRequest& request) {
  const int pieces = std::min(request.parts, request.timing.flits);
  return synthesized(request, {request.routing.topology().node_count(), request.goal,
                               static_cast<std::size_t>(pieces)});
}

Schedule plan_synthesized_scatter(const PlanRequest& request) {
  return plan_of(Operation::scatter, request);
}
Schedule plan_synthesized_gather(const PlanRequest& request) {
  return plan_of(Operation::gather, request);
}
Schedule plan_synthesized_allgather(const PlanRequest& request) {
  return plan_of(Operation::allgather, request);
}
Schedule plan_synthesized_alltoall(const PlanRequest& request) {
  return plan_of(Operation::alltoall, request);
}
Schedule plan_synthesized_reduce(const PlanRequest& request) {
  return plan_of(Operation::reduce, request);
}
Schedule plan_synthesized_allreduce(const PlanRequest& request) {
  return plan_of(Operation::allreduce, request);
}
Schedule plan_synthesized_reduce_scatter(const PlanRequest& request) {
  return plan_of(Operation::reduce_scatter, request);
}
Schedule plan_synthesized_barrier(const PlanRequest& request) {
  return plan_of(Operation::barrier, request);
}

Schedule plan_synthesized_neighbor(const PlanRequest& request) {
  return plan_exchange(Operation::neighbor, request);
}
Schedule plan_synthesized_neighbor_box(const PlanRequest& request) {
  return plan_exchange(Operation::neighbor_box, request);
}
Schedule plan_synthesized_neighbor_nw(const PlanRequest& request) {
  return plan_exchange(Operation::neighbor_nw, request);
}

PartCounts synthesized_pieces(const Topology&) { return {1, 128, 128}; }

// About 12 parts for each port, of p - 1 blocks.
PartCounts synthesized_parts(const Topology& topology) {
  const std::size_t peers = std::max<std::size_t>(topology.node_count() - 1, 1);
  const std::size_t parts = (12 * topology.port_count() + peers - 1) / peers;
  constexpr int most = 16;
  return {1, most, static_cast<int>(std::min<std::size_t>(parts, most))};
}

PartCounts synthesized_exchange_parts(const Topology&) { return {1, 16, 4}; }

PartCounts synthesized_flit(const Topology&) { return {}; }

}  // namespace allport
