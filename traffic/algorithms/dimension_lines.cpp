// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/dimension_lines.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/topology/grid.h"
#include "traffic/algorithms/reduction.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

using Blocks = std::vector<BlockId>;

/// A way along a line: a dimension, and +1 or -1.
struct Way {
  std::size_t dimension = 0;
  int sign = 1;
};

/// In the order in which a node sends: + before -.
std::array<Way, 2> ways(std::size_t dimension) { return {{{dimension, 1}, {dimension, -1}}}; }

/// A grid as lines of nodes.
class Lines {
 public:
  explicit Lines(const Topology& topology) : grid_(dynamic_cast<const Grid&>(topology)) {}

  std::size_t nodes() const { return grid_.node_count(); }
  std::size_t dimensions() const { return grid_.dimension_count(); }
  int side(std::size_t dimension) const { return grid_.sides()[dimension]; }
  int place(NodeId node, std::size_t dimension) const { return grid_.coordinate(node, dimension); }

  /// How many nodes what begins at `node` serves along `way`.
  int reach(NodeId node, const Way& way) const {
    const int side = this->side(way.dimension);
    if (grid_.wraps()) return way.sign > 0 ? side / 2 : (side - 1) / 2;
    return way.sign > 0 ? side - 1 - place(node, way.dimension) : place(node, way.dimension);
  }
  /// The largest reach of all nodes along `way`.
  int longest(const Way& way) const {
    const int side = this->side(way.dimension);
    if (!grid_.wraps()) return side - 1;
    return way.sign > 0 ? side / 2 : (side - 1) / 2;
  }
  /// The node `distance` places on along `way`.
  NodeId on(NodeId node, const Way& way, int distance) const {
    std::vector<int> offset(dimensions(), 0);
    offset[way.dimension] = way.sign * distance;
    return grid_.shifted(node, offset);
  }
  /// Whether what begins `distance` places behind `node` goes on from there along `way`.
  bool passes(NodeId node, const Way& way, int distance) const {
    if (grid_.wraps()) return distance < reach(node, way);
    const int at = place(node, way.dimension);
    const int begins = at - way.sign * distance;
    return begins >= 0 && begins < side(way.dimension) && reach(node, way) > 0;
  }

 private:
  const Grid& grid_;
};

/// Nodes of a grid by the coordinates that they may have in each dimension: at first those of one
/// node.
class Box {
 public:
  Box(const Lines& lines, NodeId node) : lines_(lines) {
    for (std::size_t i = 0; i < lines.dimensions(); ++i) places_.push_back({lines.place(node, i)});
  }

  Box& widen(std::size_t dimension) {
    places_[dimension].clear();
    for (int i = 0; i < lines_.side(dimension); ++i) places_[dimension].push_back(i);
    return *this;
  }
  Box& widen_below(std::size_t dimension) {
    for (std::size_t i = 0; i < dimension; ++i) widen(i);
    return *this;
  }
  Box& widen_above(std::size_t dimension) {
    for (std::size_t i = dimension + 1; i < places_.size(); ++i) widen(i);
    return *this;
  }
  Box& set(std::size_t dimension, std::vector<int> places) {
    places_[dimension] = std::move(places);
    return *this;
  }

  /// Their numbers, dimension 0 fastest.
  std::vector<std::size_t> nodes() const {
    std::vector<std::size_t> list{0};
    for (std::size_t dimension = places_.size(); dimension-- > 0;) {
      std::vector<std::size_t> wider;
      wider.reserve(list.size() * places_[dimension].size());
      for (const std::size_t above : list) {
        for (const int place : places_[dimension]) {
          wider.push_back(above * static_cast<std::size_t>(lines_.side(dimension)) +
                          static_cast<std::size_t>(place));
        }
      }
      list = std::move(wider);
    }
    return list;
  }

 private:
  const Lines& lines_;
  std::vector<std::vector<int>> places_;  // by dimension
};

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
    if (carried_ > max_carried_blocks) {
      throw std::invalid_argument(
          topology_.name() + " is too large for this collective: its messages carry more than " +
          std::to_string(max_carried_blocks) + " blocks in all");
    }
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

}  // namespace

bool is_grid(const Topology& topology) { return !topology.is_hypercube(); }

Schedule plan_dims_bcast(const PlanRequest& request) {
  const Lines lines(request.routing.topology());
  StepAssignment programs(request.routing, request.internal_ports, request.step_rule);
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

Schedule plan_dims_reduce(const PlanRequest& request) {
  return summed_up(plan_dims_bcast(request));
}

Schedule plan_dims_barrier(const PlanRequest& request) {
  const Schedule tree = plan_dims_bcast(request);
  return summed_up_and_down(summed_up(tree), tree);
}

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

Schedule plan_dims_reduce_scatter(const PlanRequest& request) {
  return reduce_scattered(plan_dims_allgather(request));
}

Schedule plan_dims_allreduce(const PlanRequest& request) {
  const Schedule allgather = plan_dims_allgather(request);
  return one_after_the_other(reduce_scattered(allgather), allgather);
}

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

Schedule plan_dims_gather(const PlanRequest& request) {
  return backwards(plan_dims_scatter(request));
}

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

}  // namespace allport
