// SPDX-License-Identifier: Apache-2.0
// These are exchanges among neighbours: each node has a block of its own for each of them (stencils
// and halos; MPI_Neighbor_alltoall).
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "traffic/algorithms/rows.h"
#include "traffic/schedule/free_steps.h"

namespace allport {

namespace {

using Displacement = std::vector<int>;

int hops(const Displacement& offset) {
  return static_cast<int>(
      std::count_if(offset.begin(), offset.end(), [](int i) { return i != 0; }));
}

// A message over `offset`. On a side of two, + and - lead to the same node by different channels.
Unicast message_over(const Routing& routing, NodeId from, NodeId to, const Displacement& offset) {
  Unicast unicast;
  unicast.u = from;
  unicast.v = to;
  if (!routing.topology().is_hypercube()) {
    set_ties(unicast, *routing.ties_of(from, to, offset), routing);
  }
  return unicast;
}

// Numbers the messages, and gives them later steps than they have if an injection port is taken
// twice.
Schedule settled(Schedule schedule, Operation operation, const PlanRequest& request) {
  const Topology& topology = request.routing.topology();
  number_by_step(schedule);
  if (keeps_port_rule(schedule, request.routing, request.internal_ports)) return schedule;
  const Collective goal(operation, topology.node_count(), neighbours_of(operation, topology));
  assign_free_steps(schedule, goal, request.routing, request.internal_ports);
  number_by_step(schedule);
  return schedule;
}

// Each node sends each block straight to the neighbour, the nearest ones first.
Schedule straight(Operation operation, const PlanRequest& request) {
  const Topology& topology = request.routing.topology();
  const std::vector<Displacement> offsets = offsets_of(*stencil_of(operation), topology);
  Schedule schedule;
  for (std::size_t node = 0; node < topology.node_count(); ++node) {
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const auto there = node_at(topology, node_id(node), offsets[i]);
      if (!there) continue;
      Unicast unicast = message_over(request.routing, node_id(node), *there, offsets[i]);
      unicast.step = hops(offsets[i]);
      unicast.order = static_cast<int>(i);
      unicast.blocks = {static_cast<BlockId>(node * offsets.size() + i)};
      schedule.unicasts.push_back(std::move(unicast));
    }
  }
  return settled(std::move(schedule), operation, request);
}

// The messages of one dimension: for each node and way along it, the blocks that go there.
class Shifts {
 public:
  Shifts(const PlanRequest& request, std::size_t dimension)
      : routing_(request.routing),
        topology_(routing_.topology()),
        dimension_(dimension),
        blocks_(2 * topology_.node_count()) {}

  // `block` goes over `offset` from `origin`; it has crossed the dimensions below.
  void carry(BlockId block, NodeId origin, Displacement offset) {
    const int way = offset[dimension_];
    if (way == 0) return;
    std::fill(offset.begin() + static_cast<std::ptrdiff_t>(dimension_), offset.end(), 0);
    const NodeId here = *node_at(topology_, origin, offset);
    blocks_[2 * index(here) + (way > 0 ? 0 : 1)].push_back(block);
  }

  void append_to(Schedule& schedule) {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (blocks_[i].empty()) continue;
      Displacement offset(topology_.dimension_count());
      offset[dimension_] = i % 2 == 0 ? 1 : -1;
      const NodeId here = node_id(i / 2);
      Unicast unicast = message_over(routing_, here, *node_at(topology_, here, offset), offset);
      unicast.step = static_cast<StepIndex>(dimension_) + 1;
      unicast.order = static_cast<int>(i % 2);
      unicast.blocks = std::move(blocks_[i]);
      schedule.unicasts.push_back(std::move(unicast));
    }
  }

 private:
  const Routing& routing_;
  const Topology& topology_;
  const std::size_t dimension_;
  std::vector<std::vector<BlockId>> blocks_;  // by node, + before -
};

// Through the dimensions of a grid, dimension 0 first: a node sends its two neighbours in a
// dimension, one message each, what goes that way there, its own blocks and those that came before.
Schedule through_dimensions(Operation operation, const PlanRequest& request) {
  const Topology& topology = request.routing.topology();
  const std::vector<Displacement> offsets = offsets_of(*stencil_of(operation), topology);
  std::size_t carried = 0;
  for (const Displacement& offset : offsets) carried += static_cast<std::size_t>(hops(offset));
  require_plan_fits(topology, 2 * topology.dimension_count() * topology.node_count(),
                    carried * topology.node_count());
  Schedule schedule;
  for (std::size_t dimension = 0; dimension < topology.dimension_count(); ++dimension) {
    Shifts shifts(request, dimension);
    for (std::size_t node = 0; node < topology.node_count(); ++node) {
      for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (!node_at(topology, node_id(node), offsets[i])) continue;
        shifts.carry(static_cast<BlockId>(node * offsets.size() + i), node_id(node), offsets[i]);
      }
    }
    shifts.append_to(schedule);
  }
  return settled(std::move(schedule), operation, request);
}

template <Operation operation>
Schedule plan_straight(const PlanRequest& request) {
  return straight(operation, request);
}

template <Operation operation>
Schedule plan_shifts(const PlanRequest& request) {
  return through_dimensions(operation, request);
}

}  // namespace

Rows neighbour_exchange_rows() {
  return {Row("direct-neighbor", "each node's blocks for those to which its ports lead", "baseline",
              regular_fabrics, plan_straight<Operation::neighbor>, Operation::neighbor),
          Row("direct-neighbor-box", "each node's blocks straight to the 3^n - 1 around it",
              "baseline", grids, plan_straight<Operation::neighbor_box>, Operation::neighbor_box),
          Row("shift-neighbor-box", "the same through the dimensions, the corners carried along",
              "baseline", grids, plan_shifts<Operation::neighbor_box>, Operation::neighbor_box),
          Row("direct-neighbor-nw",
              "each node's blocks straight to W, N and NW, in n dimensions 2^n - 1", "baseline",
              grids, plan_straight<Operation::neighbor_nw>, Operation::neighbor_nw),
          Row("shift-neighbor-nw", "the same through the dimensions, the corners carried along",
              "baseline", grids, plan_shifts<Operation::neighbor_nw>, Operation::neighbor_nw)};
}

}  // namespace allport
