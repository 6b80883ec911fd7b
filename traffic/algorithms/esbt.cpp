// SPDX-License-Identifier: Apache-2.0
// This is the broadcast of [JohnssonHo89] down the n edge-disjoint spanning binomial trees of an
// n-cube. Tree j begins with the edge from the source to e_j. From there on it is a binomial tree
// over the dimensions in the order j + 1, .., n - 1, 0, .., j: a node whose address, xor e_j, has
// its last set bit at place m of this order sends over the places m + 1 .. n - 1. The edge into the
// source is left out. Every channel that does not lead to the source is in exactly one tree.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "traffic/algorithms/cube_frame.h"
#include "traffic/algorithms/rows.h"

namespace allport {

namespace {

// The edges of tree `tree` as unicasts, breadth first.
void add_tree(std::size_t tree, const CubeFrame& frame, Schedule& schedule) {
  struct Holder {
    std::uint32_t address;
    std::size_t place;  // the first one over which it sends
    StepIndex received;
  };
  std::vector<Holder> holders;
  const auto send = [&](std::uint32_t from, std::uint32_t to, std::size_t place, StepIndex step) {
    Unicast unicast;
    unicast.u = frame.node(from);
    unicast.v = frame.node(to);
    unicast.step = step;
    unicast.blocks = {static_cast<BlockId>(tree)};
    schedule.unicasts.push_back(std::move(unicast));
    holders.push_back({to, place, step});
  };
  const std::size_t dimensions = frame.dimensions();
  send(0, std::uint32_t{1} << tree, 0, 1);
  for (std::size_t i = 0; i < holders.size(); ++i) {
    const Holder holder = holders[i];
    for (std::size_t place = holder.place; place < dimensions; ++place) {
      const std::size_t dimension = (tree + 1 + place) % dimensions;
      const std::uint32_t child = holder.address ^ std::uint32_t{1} << dimension;
      if (child != 0) send(holder.address, child, place + 1, holder.received + 1);
    }
  }
}

// The message in n pieces, piece j down tree j, of n + 1 steps. in_pieces() cuts it into more.
Schedule plan_esbt(const PlanRequest& request) {
  const Topology& topology = request.routing.topology();
  const std::size_t trees = topology.dimension_count();
  const std::size_t edges = trees * (topology.node_count() - 1);
  const CubeFrame frame(request.routing, request.goal.source);
  Schedule schedule;
  schedule.unicasts.reserve(edges);
  for (std::size_t tree = 0; tree < trees; ++tree) add_tree(tree, frame, schedule);
  number_by_step(schedule);
  return schedule;
}

}  // namespace

Rows esbt_rows() {
  return {Row("esbt", "broadcast in pieces down n edge-disjoint spanning binomial trees",
              "JohnssonHo89", hypercubes, plan_esbt)};
}

}  // namespace allport
