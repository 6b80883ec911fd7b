// SPDX-License-Identifier: Apache-2.0
// Swing [DeSensi24] is recursive halving and doubling on tori whose sides are powers of two, in
// which partners are near each other first and swing from one side to the other. Along a dimension,
// the node with the even coordinate r meets r + rho(s) in its step s, an odd r meets r - rho(s),
// with rho = 1, -1, 3, -5, 11, .. Each block goes in 2n parts, which begin with different
// dimensions; the second half of them is mirrored.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "rtl_model/base/powers.h"
#include "traffic/algorithms/grid_lines.h"
#include "traffic/algorithms/part_plan.h"
#include "traffic/algorithms/rows.h"

namespace allport {

namespace {

using Numbers = std::vector<std::size_t>;

// Step s of a part along a dimension.
struct Swing {
  std::size_t dimension = 0;
  int rho = 0;  // (1 - (-2)^(s+1)) / 3, negated in mirrored parts
};

class SwingPlan {
 public:
  // For halving or doubling `times`.
  SwingPlan(const PlanRequest& request, std::size_t times)
      : lines_(request.routing.topology()),
        plan_(request.routing, request.internal_ports, request.parts) {
    const std::size_t streams = times * nodes() * static_cast<std::size_t>(plan_.parts());
    plan_.reserve(streams * static_cast<std::size_t>(steps()), streams * (nodes() - 1));
  }

  PartPlan& plan() { return plan_; }
  std::size_t nodes() const { return lines_.nodes(); }
  StepIndex steps() const { return static_cast<StepIndex>(swings_of(0).size()); }

  // In each step a node sends its sums of the blocks that its partner is to have or to pass on.
  void add_up() {
    for (int part = 0; part < plan_.parts(); ++part) {
      const std::vector<Swing> swings = swings_of(part);
      const std::vector<std::vector<Numbers>> has = sets(swings);
      for (std::size_t step = 0; step < swings.size(); ++step) {
        for (std::size_t node = 0; node < nodes(); ++node) {
          const Unicast way = route(node_id(node), swings[step]);
          plan_.send(way, static_cast<StepIndex>(step + 1), part, has[step + 1][index(way.v)],
                     true);
        }
      }
    }
  }
  // The same backwards, after `steps` steps: a node sends all that it has.
  void gather(StepIndex steps_before) {
    for (int part = 0; part < plan_.parts(); ++part) {
      const std::vector<Swing> swings = swings_of(part);
      const std::vector<std::vector<Numbers>> has = sets(swings);
      for (std::size_t step = swings.size(); step-- > 0;) {
        for (std::size_t node = 0; node < nodes(); ++node) {
          plan_.send(route(node_id(node), swings[step]),
                     steps_before + static_cast<StepIndex>(swings.size() - step), part,
                     has[step + 1][node], false);
        }
      }
    }
  }

 private:
  // A part takes one step in each dimension in turn, as long as the dimension has steps left.
  std::vector<Swing> swings_of(int part) const {
    const auto dimensions = static_cast<int>(lines_.dimensions());
    std::vector<int> reached(lines_.dimensions(), 1);  // nodes that have exchanged so far
    std::vector<int> rho(lines_.dimensions(), part < dimensions ? 1 : -1);
    std::vector<Swing> swings;
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (int i = 0; i < dimensions; ++i) {
        const auto dimension = static_cast<std::size_t>((part + i) % dimensions);
        if (reached[dimension] == lines_.side(dimension)) continue;
        swings.push_back({dimension, rho[dimension]});
        rho[dimension] = (part < dimensions ? 1 : -1) - 2 * rho[dimension];
        reached[dimension] *= 2;
        goes_on = true;
      }
    }
    return swings;
  }

  // From `node` to its partner, the shorter way around; where both are equally long, by rho's sign.
  Unicast route(NodeId node, const Swing& swing) const {
    const int side = lines_.side(swing.dimension);
    const bool is_even = lines_.place(node, swing.dimension) % 2 == 0;
    int offset = (is_even ? swing.rho : -swing.rho) % side;
    if (2 * std::abs(offset) > side) offset += offset > 0 ? -side : side;
    return lines_.move(node, swing.dimension, offset);
  }

  // By step and node: the blocks that a node has sums of before the step; at the end its own.
  std::vector<std::vector<Numbers>> sets(const std::vector<Swing>& swings) const {
    std::vector<std::vector<Numbers>> sets(swings.size() + 1, std::vector<Numbers>(nodes()));
    for (std::size_t node = 0; node < nodes(); ++node) sets.back()[node] = {node};
    for (std::size_t step = swings.size(); step-- > 1;) {
      for (std::size_t node = 0; node < nodes(); ++node) {
        const Numbers& own = sets[step + 1][node];
        const Numbers& other = sets[step + 1][index(route(node_id(node), swings[step]).v)];
        Numbers& both = sets[step][node];
        both.resize(own.size() + other.size());
        std::merge(own.begin(), own.end(), other.begin(), other.end(), both.begin());
      }
    }
    return sets;
  }

  const Lines lines_;
  PartPlan plan_;
};

bool is_swing_torus(const Topology& topology) {
  return is_torus(topology) &&
         std::all_of(topology.sides().begin(), topology.sides().end(), is_power_of_two<int>);
}

constexpr Fabrics power_of_two_sides{"rings and tori whose sides are powers of two",
                                     is_swing_torus};

// Part q begins with dimension q mod n, and is mirrored from n on.
PartCounts swing_parts(const Topology& topology) {
  const auto parts = static_cast<int>(2 * topology.dimension_count());
  return {parts, parts};
}

// The steps of the reduce-scatter backwards.
Schedule plan_swing_allgather(const PlanRequest& request) {
  SwingPlan plan(request, 1);
  plan.gather(0);
  return plan.plan().take(Operation::allgather, request.goal.source);
}

Schedule plan_swing_reduce_scatter(const PlanRequest& request) {
  SwingPlan plan(request, 1);
  plan.add_up();
  return plan.plan().take(Operation::reduce_scatter, request.goal.source);
}

// The reduce-scatter, then the all-gather.
Schedule plan_swing_allreduce(const PlanRequest& request) {
  SwingPlan plan(request, 2);
  plan.add_up();
  plan.gather(plan.steps());
  return plan.plan().take(Operation::allreduce, request.goal.source, plan.nodes());
}

}  // namespace

Rows swing_rows() {
  return {Row("swing-allgather", "swing-reduce-scatter backwards, without adding", "DeSensi24",
              power_of_two_sides, plan_swing_allgather, Operation::allgather)
              .own_parts(swing_parts),
          Row("swing-reduce-scatter", "recursive halving of sums in 2n parts, near partners first",
              "DeSensi24", power_of_two_sides, plan_swing_reduce_scatter, Operation::reduce_scatter)
              .own_parts(swing_parts),
          Row("swing-allreduce", "a vector in p blocks: swing-reduce-scatter, then swing-allgather",
              "DeSensi24", power_of_two_sides, plan_swing_allreduce, Operation::allreduce)
              .vector(Vector::in_blocks)
              .own_parts(swing_parts)};
}

}  // namespace allport
