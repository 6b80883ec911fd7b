// SPDX-License-Identifier: Apache-2.0
// These are the collectives as traffic/synthesis plans them, for any fabric, any group of its nodes
// and missing links. The all-gather in short messages is TACOS [Won24] as the project reads it; the
// other collectives and the choice by theory are the project's own.
#include <algorithm>

#include "traffic/algorithms/rows.h"
#include "traffic/synthesis/synthesis.h"

namespace allport {

namespace {

Collective exchange_of(Operation operation, const PlanRequest& request) {
  const Topology& topology = request.routing.topology();
  const auto neighbours = request.neighbours != nullptr
                              ? request.neighbours
                              : neighbours_among(operation, topology, request.members);
  return {operation, topology.node_count(), neighbours, static_cast<std::size_t>(request.parts),
          request.members};
}

Collective goal_of(Operation operation, const PlanRequest& request) {
  const std::size_t nodes = request.routing.topology().node_count();
  if (operation == Operation::bcast) {
    const int pieces = std::min(request.parts, request.timing.flits);
    return {nodes, request.goal, static_cast<std::size_t>(pieces)};
  }
  if (stencil_of(operation)) return exchange_of(operation, request);
  const std::size_t ranks = request.members.empty() ? nodes : request.members.size();
  const std::size_t blocks = operation == Operation::allreduce ? ranks : 1;
  return Collective(operation, nodes, request.goal.source, blocks,
                    static_cast<std::size_t>(request.parts), request.members)
      .of_pairs(request.pairs);
}

template <Operation operation>
Schedule plan_synthesized(const PlanRequest& request) {
  return synthesize({request.routing, request.internal_ports, goal_of(operation, request),
                     request.missing, request.timing, request.seed});
}

// The numbers of parts keep the ports of small fabrics busy too. A message or a vector that goes
// whole is cut into at most as many pieces as it has flits; the block of a barrier is a flit.
PartCounts pieces(const Topology&) { return {1, 128, 128}; }
PartCounts parts_of_exchanges(const Topology&) { return {1, 16, 4}; }
PartCounts one_flit(const Topology&) { return {}; }

// About 12 parts for each port, of p - 1 blocks.
PartCounts parts_of_blocks(const Topology& topology) {
  const std::size_t peers = std::max<std::size_t>(topology.node_count() - 1, 1);
  const std::size_t parts = (12 * topology.port_count() + peers - 1) / peers;
  constexpr int most = 16;
  return {1, most, static_cast<int>(std::min<std::size_t>(parts, most))};
}

template <Operation operation>
Row synthesized(std::string_view name, std::string_view summary,
                PartCounts (*parts)(const Topology&) = parts_of_blocks,
                const Fabrics& fabrics = without_switches) {
  return Row(name, summary, "Won24", fabrics, plan_synthesized<operation>, operation)
      .own_parts(parts)
      .is_synthesized();
}

}  // namespace

Rows synthesized_rows() {
  return {synthesized<Operation::bcast>(
              "synthesized-bcast",
              "pieces over neighbours, found by greedy matching (reading of the project)", pieces)
              .destinations(Destinations::any),
          synthesized<Operation::scatter>(
              "synthesized-scatter",
              "each block nearer to its node in each round, one hop (rule of the project)"),
          synthesized<Operation::gather>("synthesized-gather", "that scatter backwards"),
          synthesized<Operation::allgather>(
              "synthesized-allgather",
              "blocks over neighbours, found by greedy matching (reading of the project)"),
          synthesized<Operation::alltoall>(
              "synthesized-alltoall",
              "each block nearer to its node in each round, one hop (rule of the project)"),
          synthesized<Operation::reduce>("synthesized-reduce",
                                         "synthesized-bcast backwards, adding", pieces),
          synthesized<Operation::allreduce>(
              "synthesized-allreduce",
              "a vector in p blocks: synthesized sums, then their all-gather, or whole if short")
              .vector(Vector::in_blocks),
          synthesized<Operation::reduce_scatter>("synthesized-reduce-scatter",
                                                 "synthesized-allgather backwards, adding"),
          synthesized<Operation::barrier>(
              "synthesized-barrier",
              "one-flit messages over neighbours, up and down a tree or in pairs", one_flit),
          synthesized<Operation::neighbor>("synthesized-neighbor",
                                           "blocks over neighbours, found by greedy matching",
                                           parts_of_exchanges),
          synthesized<Operation::neighbor_box>(
              "synthesized-neighbor-box",
              "each block nearer to its node in each round, one hop (rule of the project)",
              parts_of_exchanges, grids),
          synthesized<Operation::neighbor_nw>("synthesized-neighbor-nw", "the same to W, N and NW",
                                              parts_of_exchanges, grids)};
}

}  // namespace allport
