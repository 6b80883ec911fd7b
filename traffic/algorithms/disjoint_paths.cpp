// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/disjoint_paths.h"

#include <utility>

#include "traffic/algorithms/cube_frame.h"
#include "traffic/algorithms/rows.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

std::vector<NodeId> turns_of_disjoint_paths(const Routing& routing, NodeId from, NodeId to) {
  const CubeFrame frame(routing, from);
  const std::uint32_t differing = frame.address(to);
  std::vector<NodeId> turns;
  std::uint32_t flipped = 0;
  for (std::uint32_t rest = differing; rest != 0; rest &= rest - 1) {
    flipped |= rest & (~rest + 1);
    turns.push_back(frame.node(flipped));
  }
  return turns;
}

namespace {

// Sends the message in k pieces, one on each path, by worms for which the node where the path
// turns is a destination on the way.
Schedule plan_disjoint_paths(const PlanRequest& request) {
  const NodeId from = request.goal.source;
  const NodeId to = request.goal.destinations.front();
  StepAssignment programs(request.routing, request.internal_ports);
  programs.begin(from, 0);
  for (const NodeId turn : turns_of_disjoint_paths(request.routing, from, to)) programs.send(turn);
  Schedule schedule = programs.take();
  for (Unicast& unicast : schedule.unicasts) {
    unicast.blocks = {static_cast<BlockId>(unicast.order)};
    if (unicast.v == to) continue;
    unicast.kind = MessageKind::multidestination;
    unicast.via = {unicast.v};
    unicast.v = to;
  }
  return schedule;
}

// The same by unicasts: the processor at the turn of a path forwards its piece.
Schedule plan_disjoint_relays(const PlanRequest& request) {
  const NodeId to = request.goal.destinations.front();
  StepAssignment programs(request.routing, request.internal_ports);
  programs.begin(request.goal.source, 0);
  std::vector<std::pair<NodeId, StepIndex>> relays;
  for (const NodeId turn : turns_of_disjoint_paths(request.routing, request.goal.source, to)) {
    relays.emplace_back(turn, programs.send(turn));
  }
  for (const auto& [relay, received] : relays) {
    if (relay == to) continue;
    programs.begin(relay, received);
    programs.send(to);
  }
  Schedule schedule = programs.take();
  for (Unicast& unicast : schedule.unicasts) {
    const NodeId turn = unicast.u == request.goal.source ? unicast.v : unicast.u;
    for (std::size_t piece = 0; piece < relays.size(); ++piece) {
      if (relays[piece].first == turn) unicast.blocks = {static_cast<BlockId>(piece)};
    }
  }
  return schedule;
}

}  // namespace

Rows disjoint_paths_rows() {
  return {Row("disjoint-paths",
              "pieces over the node-disjoint shortest paths to one destination, by worms",
              "CasanovaSlides", hypercubes, plan_disjoint_paths)
              .destinations(Destinations::one)
              .visits_lists(),
          Row("disjoint-relays", "the same by unicasts, forwarded where the paths turn",
              "CasanovaSlides", hypercubes, plan_disjoint_relays)
              .destinations(Destinations::one)};
}

}  // namespace allport
