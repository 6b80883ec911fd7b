// SPDX-License-Identifier: Apache-2.0
// These are collectives of rings, tori and meshes that go through the dimensions one after another,
// between neighbours only: in a dimension every line of nodes works by itself. On a line that
// closes to a ring of K nodes the + direction serves the nearest floor(K/2) nodes, the - direction
// the other floor((K-1)/2); on one that does not, each serves the nodes up to the end.
#include <algorithm>
#include <utility>
#include <vector>

#include "traffic/algorithms/grid_lines.h"
#include "traffic/algorithms/reduction.h"
#include "traffic/algorithms/rows.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

using Blocks = std::vector<BlockId>;

Blocks blocks_of(const Box& box) {
  Blocks blocks;
  for (const std::size_t node : box.nodes()) blocks.push_back(static_cast<BlockId>(node));
  return blocks;
}

/// Messages between neighbours, dimension after dimension, step after step.
class LinePlan {
 public:
  explicit LinePlan(const PlanRequest& request)
      : lines_(request.routing.topology()),
        topology_(request.routing.topology()),
        has_one_port_(request.internal_ports == 1) {}

  const Lines& lines() const { return lines_; }

  /// Plans a message from `from` along `way` in `step`, 1, 2, .., of the current dimension.
  void send(NodeId from, const Way& way, int step, Blocks blocks) {
    carried_ += blocks.size();
    require_plan_fits(topology_, schedule_.unicasts.size() + 1, carried_);
    Unicast unicast;
    unicast.u = from;
    unicast.v = lines_.on(from, way, 1);
    unicast.step = steps_before_ + (has_one_port_ ? 2 * step - (way.sign > 0 ? 1 : 0) : step);
    unicast.blocks = std::move(blocks);
    last_ = std::max(last_, unicast.step);
    schedule_.unicasts.push_back(std::move(unicast));
  }
  /// What is planned from now on comes in later steps.
  void end_dimension() { steps_before_ = last_; }

  Schedule take() {
    number_by_step(schedule_);
    return std::move(schedule_);
  }

 private:
  const Lines lines_;
  const Topology& topology_;
  const bool has_one_port_;  // so that the two ways of a dimension take a step each
  std::size_t carried_ = 0;
  StepIndex steps_before_ = 0;
  StepIndex last_ = 0;
  Schedule schedule_;
};

/// Calls `plan(node, way)` for every node of the grid, + before -.
template <class Plan>
void for_all(const Lines& lines, std::size_t dimension, const Plan& plan) {
  for (std::size_t i = 0; i < lines.nodes(); ++i) {
    for (const Way& way : ways(dimension)) plan(node_id(i), way);
  }
}

// The messages of the scatter along `way` from `begin`, which has all that goes that way. The one
// for the node `reach` places on goes first, and that for the node `distance` places on crosses
// `distance` channels.
void scatter_along(LinePlan& plan, NodeId begin, const Way& way) {
  const Lines& lines = plan.lines();
  const int reach = lines.reach(begin, way);
  for (int distance = reach; distance > 0; --distance) {
    const NodeId receiver = lines.on(begin, way, distance);
    const Blocks blocks = blocks_of(Box(lines, receiver).widen_above(way.dimension));
    for (int hop = 0; hop < distance; ++hop) {
      plan.send(lines.on(begin, way, hop), way, reach - distance + hop + 1, blocks);
    }
  }
}

// The blocks for nodes at least `distance` places on from where they began, `distance` - 1 places
// behind `node`.
Blocks exchanged(const Lines& lines, NodeId node, const Way& way, int distance) {
  const NodeId begin = lines.on(node, way, 1 - distance);
  const std::vector<std::size_t> senders = Box(lines, begin).widen_below(way.dimension).nodes();
  std::vector<int> places;
  for (int on = distance; on <= lines.reach(begin, way); ++on) {
    places.push_back(lines.place(lines.on(begin, way, on), way.dimension));
  }
  const std::vector<std::size_t> receivers =
      Box(lines, begin).set(way.dimension, places).widen_above(way.dimension).nodes();
  Blocks blocks;
  blocks.reserve(senders.size() * receivers.size());
  for (const std::size_t sender : senders) {
    for (const std::size_t receiver : receivers) {
      blocks.push_back(static_cast<BlockId>(sender * lines.nodes() + receiver));
    }
  }
  return blocks;
}

// Broadcast: a node forwards in the direction from which the message came, then sends both ways in
// the dimensions above, + before -.
Schedule plan_dims_bcast(const PlanRequest& request) {
  const Lines lines(request.routing.topology());
  // On a side of two, neighbours are half a ring apart: the tree goes its own ways.
  const Routing own_ways(request.routing.shared_topology(), request.routing.order());
  StepAssignment programs(own_ways, request.internal_ports, request.step_rule);
  struct Holder {
    NodeId node{};
    StepIndex received = 0;
    Way way{};
    int rest = 0;           // nodes that it has to serve along `way`
    std::size_t first = 0;  // and all of the dimensions from here on
  };
  std::vector<Holder> holders{{request.goal.source, 0, {}, 0, 0}};
  while (!holders.empty()) {
    const Holder holder = holders.back();
    holders.pop_back();
    programs.begin(holder.node, holder.received, index(holder.node));
    const auto send = [&](const Way& way, int rest) {
      if (rest == 0) return;
      const NodeId receiver = lines.on(holder.node, way, 1);
      holders.push_back({receiver, programs.send(receiver), way, rest - 1, way.dimension + 1});
    };
    send(holder.way, holder.rest);
    for (std::size_t i = holder.first; i < lines.dimensions(); ++i) {
      for (const Way& way : ways(i)) send(way, lines.reach(holder.node, way));
    }
  }
  return programs.take();
}

// That tree backwards, adding.
Schedule plan_dims_reduce(const PlanRequest& request) {
  return summed_up(plan_dims_bcast(request));
}

// The sum to the root and back, for a barrier.
Schedule plan_dims_barrier(const PlanRequest& request) {
  const Schedule tree = plan_dims_bcast(request);
  return summed_up_and_down(summed_up(tree), tree);
}

// Of blocks, here and below; dimension 0 first, except where said otherwise. In each step a node
// sends one message in each direction. In step t of a dimension a node forwards what the node t - 1
// behind it began the dimension with.
Schedule plan_dims_allgather(const PlanRequest& request) {
  LinePlan plan(request);
  const Lines& lines = plan.lines();
  for (std::size_t i = 0; i < lines.dimensions(); ++i) {
    for_all(lines, i, [&](NodeId node, const Way& way) {
      for (int step = 1; lines.passes(node, way, step - 1) && step <= lines.longest(way); ++step) {
        const NodeId begin = lines.on(node, way, 1 - step);
        plan.send(node, way, step, blocks_of(Box(lines, begin).widen_below(i)));
      }
    });
    plan.end_dimension();
  }
  return plan.take();
}

// The all-gather backwards, adding: dimension n - 1 first.
Schedule plan_dims_reduce_scatter(const PlanRequest& request) {
  return reduce_scattered(plan_dims_allgather(request));
}

// That, then the all-gather of the sums.
Schedule plan_dims_allreduce(const PlanRequest& request) {
  const Schedule allgather = plan_dims_allgather(request);
  return one_after_the_other(reduce_scattered(allgather), allgather);
}

// A message for each node of a line, the farthest first, with all that goes on from there.
Schedule plan_dims_scatter(const PlanRequest& request) {
  LinePlan plan(request);
  const Lines& lines = plan.lines();
  Box holders(lines, request.goal.source);
  for (std::size_t i = 0; i < lines.dimensions(); ++i) {
    for (const std::size_t holder : holders.nodes()) {
      for (const Way& way : ways(i)) scatter_along(plan, node_id(holder), way);
    }
    holders.widen(i);
    plan.end_dimension();
  }
  return plan.take();
}

// The scatter backwards, dimension n - 1 first.
Schedule plan_dims_gather(const PlanRequest& request) {
  return backwards(plan_dims_scatter(request));
}

// In step t a node forwards, in one message, all that began t - 1 behind it and goes on.
Schedule plan_dims_alltoall(const PlanRequest& request) {
  LinePlan plan(request);
  const Lines& lines = plan.lines();
  for (std::size_t i = 0; i < lines.dimensions(); ++i) {
    for_all(lines, i, [&](NodeId node, const Way& way) {
      for (int step = 1; lines.passes(node, way, step - 1) && step <= lines.longest(way); ++step) {
        plan.send(node, way, step, exchanged(lines, node, way, step));
      }
    });
    plan.end_dimension();
  }
  return plan.take();
}

}  // namespace

Rows dimension_lines_rows() {
  return {
      Row("dims-bcast", "broadcast through the dimensions, neighbour to neighbour, both ways",
          "baseline", grids, plan_dims_bcast)
          .steps(Steps::by_rule),
      Row("dims-reduce", "sums up that tree", "baseline", grids, plan_dims_reduce,
          Operation::reduce),
      Row("dims-barrier", "one-flit messages up that tree and down", "baseline", grids,
          plan_dims_barrier, Operation::barrier),
      Row("dims-allgather", "all blocks both ways along the lines of each dimension in turn",
          "baseline", grids, plan_dims_allgather, Operation::allgather),
      Row("dims-reduce-scatter", "dims-allgather backwards, adding", "baseline", grids,
          plan_dims_reduce_scatter, Operation::reduce_scatter),
      Row("dims-allreduce", "a vector in p blocks: dims-reduce-scatter, then dims-allgather",
          "baseline", grids, plan_dims_allreduce, Operation::allreduce)
          .vector(Vector::in_blocks),
      Row("dims-scatter", "blocks along the lines of each dimension in turn, the farthest first",
          "baseline", grids, plan_dims_scatter, Operation::scatter),
      Row("dims-gather", "that scatter backwards", "baseline", grids, plan_dims_gather,
          Operation::gather),
      Row("dims-alltoall",
          "what crosses a dimension goes along its lines, dimension after dimension", "baseline",
          grids, plan_dims_alltoall, Operation::alltoall)};
}

}  // namespace allport
