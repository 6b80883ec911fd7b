// SPDX-License-Identifier: Apache-2.0
// This header has joins and trees of any group as collectives, and the times of docs/joins.md for
// them.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/topology/group_routes.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {

/// A join, join-tree or tree with this root over the free dimensions (0: all).
inline PlannedCollective group_collective(MessageKind kind, std::size_t root, DimensionMask free,
                                          const Routing& routing, JoinTag join = {}) {
  const Topology& topology = routing.topology();
  const std::vector<NodeId> group = group_nodes(topology, node_id(root), free);
  PlannedCollective planned;
  if (kind == MessageKind::tree) {
    Unicast worm;
    worm.u = node_id(root);
    worm.kind = kind;
    worm.free = free;
    planned.schedule.unicasts = {worm};
    planned.sources = {worm.u};
    planned.destinations = receivers(worm, routing);
    return planned;
  }
  for (const NodeId node : group) {
    Unicast line;
    line.u = node;
    line.v = node_id(root);
    line.kind = kind;
    line.free = free;
    line.join = join;
    planned.schedule.unicasts.push_back(line);
  }
  planned.sources = group;
  planned.destinations = kind == MessageKind::join ? std::vector<NodeId>{node_id(root)} : group;
  planned.operation = kind == MessageKind::join ? Operation::reduce : Operation::allreduce;
  return planned;
}

/// What docs/joins.md, time, says.
struct GroupFormula {
  MessageKind kind = MessageKind::join;
  std::size_t root = 0;
  DimensionMask free = 0;
  int flits = 16;
  Cycle ts = 0;
  Cycle tr = 0;
  int d = 0;
  int r = 0;
  int c = 0;
  int depth = 4;

  int round_trip(Cycle farthest) const {
    if (kind == MessageKind::tree && farthest == 1) return std::max(2 + r, 2 + 2 * d);
    return 2 + 2 * d + (kind == MessageKind::join ? c : kind == MessageKind::tree ? r : c + r);
  }
  Cycle distance_of_farthest(const Routing& routing) const {
    Cycle farthest = 0;
    for (const NodeId node : group_nodes(routing.topology(), node_id(root), free)) {
      farthest = std::max<Cycle>(farthest, routing.distance(node_id(root), node));
    }
    return farthest;
  }
  /// When `node` has the message; only at the last one if buffers are small.
  Cycle of(NodeId node, const Routing& routing) const {
    const Cycle farthest = distance_of_farthest(routing);
    const bool is_inner = tree_outputs(routing, node, node_id(root), free) != 0;
    const Cycle depth_of_node = routing.distance(node_id(root), node);
    const Cycle way_in = kind == MessageKind::tree ? 0 : farthest * (1 + d + c);
    const Cycle way_out =
        kind == MessageKind::join ? 0 : depth_of_node * (1 + d + r) + (is_inner ? r : 0);
    const int trip = round_trip(farthest);
    const Cycle rest = flits - 1;
    const Cycle flow = depth >= trip ? rest : rest / depth * trip + rest % depth;
    return ts + way_in + way_out + 1 + flow + tr;
  }
};

inline Experiment experiment_of(const GroupFormula& formula, int ports = 0, int join_vcs = 0) {
  const auto fabric = With()
                          .ports(ports)
                          .depth(formula.depth)
                          .link_delay(formula.d)
                          .replication_delay(formula.r)
                          .combine_delay(formula.c)
                          .join_vcs(join_vcs);
  return Experiment().on(fabric).length(formula.flits).times(formula.ts, formula.tr);
}

/// `complete 20`: what came of one such collective, and the largest latency.
inline std::string outcome_of(const GroupFormula& formula, const Routing& routing, int ports = 0,
                              bool is_transaction_level = false) {
  return forked([&] {
    Experiment experiment = experiment_of(formula, ports);
    experiment.is_transaction_level = is_transaction_level;
    Simulation simulation(experiment, routing);
    const auto planned = group_collective(formula.kind, formula.root, formula.free, routing);
    const Results results = simulation.run({{planned}});
    const bool is_alone = results.contention.events + results.reception.events == 0;
    return (!results.is_complete() ? fault_of(results)
            : is_alone             ? "complete "
                                   : "contention ") +
           std::to_string(results.latency.max);
  });
}

/// The first node of the group that has the message in another cycle than the formula says.
inline std::string first_wrong_cycle(const GroupFormula& formula, const Routing& routing,
                                     Simulation& simulation, bool only_last) {
  const Results results =
      simulation.run({{group_collective(formula.kind, formula.root, formula.free, routing)}});
  if (!results.is_complete()) return fault_of(results);
  if (results.contention.events + results.reception.events > 0) return contention_of(results);
  Cycle expected_last = 0;
  for (const DestinationLatency& one : results.by_destination) {
    const Cycle expected = formula.of(one.node, routing);
    expected_last = std::max(expected_last, expected);
    if (only_last || one.cycles == expected) continue;
    return "root " + std::to_string(formula.root) + " free " + std::to_string(formula.free) +
           " node " + std::to_string(index(one.node)) + ": " + std::to_string(one.cycles) +
           " instead of " + std::to_string(expected);
  }
  if (results.by_destination.empty()) return "nobody received";
  if (results.latency.max == expected_last) return "";
  return "root " + std::to_string(formula.root) + ": last " + std::to_string(results.latency.max) +
         " instead of " + std::to_string(expected_last);
}

}  // namespace allport::test
