// SPDX-License-Identifier: Apache-2.0
// These dimension exchanges keep all n ports of a hypercube's nodes busy: each block goes in n
// parts, and part j takes the dimensions in the order j, j+1, .. mod n, so that in every step each
// part crosses another dimension. The all-gather is [JohnssonHo89]'s all-to-all broadcast; the
// others follow from it by the same rotation and are the project's reading.
#include <vector>

#include "traffic/algorithms/part_plan.h"
#include "traffic/algorithms/rows.h"

namespace allport {

namespace {

using Numbers = std::vector<std::size_t>;

// `node` with every choice of the bits of `mask`, ascending.
Numbers subcube(std::size_t node, std::size_t mask) {
  const std::size_t lowest = node & ~mask;
  Numbers nodes;
  std::size_t bits = 0;
  do {
    nodes.push_back(lowest | bits);
    bits = (bits - mask) & mask;  // the next subset
  } while (bits != 0);
  return nodes;
}

std::size_t node_count(const PlanRequest& request) {
  return request.routing.topology().node_count();
}

// A part's exchange in one step: the bit that its messages cross, the bits of earlier steps, and
// those of later ones.
struct Exchange {
  StepIndex step = 0;  // 1 .. n
  int part = 0;
  std::size_t bit = 0;
  std::size_t before = 0;
  std::size_t after = 0;
};

class RotatedPlan {
 public:
  // For all exchanges `times`, in which each part of a node carries `blocks` blocks together.
  RotatedPlan(const PlanRequest& request, std::size_t times, std::size_t blocks)
      : plan_(request.routing, request.internal_ports, request.parts),
        dimensions_(request.routing.topology().dimension_count()),
        nodes_(request.routing.topology().node_count()) {
    const std::size_t streams = times * nodes_ * dimensions_;
    plan_.reserve(streams * dimensions_, streams * blocks);
  }

  std::size_t nodes() const { return nodes_; }
  StepIndex steps() const { return static_cast<StepIndex>(dimensions_); }
  PartPlan& plan() { return plan_; }

  // Calls `use(exchange)` for all parts and steps.
  template <class Use>
  void for_each(const Use& use) const {
    for (std::size_t part = 0; part < dimensions_; ++part) {
      std::size_t before = 0;
      for (std::size_t step = 0; step < dimensions_; ++step) {
        const std::size_t bit = std::size_t{1} << (part + step) % dimensions_;
        const std::size_t after = (nodes_ - 1) & ~before & ~bit;
        use(Exchange{static_cast<StepIndex>(step + 1), static_cast<int>(part), bit, before, after});
        before |= bit;
      }
    }
  }
  void send(std::size_t from, const Exchange& exchange, StepIndex step, const Numbers& blocks,
            bool adds) {
    Unicast route;
    route.u = node_id(from);
    route.v = node_id(from ^ exchange.bit);
    plan_.send(route, step, exchange.part, blocks, adds);
  }

 private:
  PartPlan plan_;
  std::size_t dimensions_;
  std::size_t nodes_;
};

// A node sends its sums of the blocks that agree with it in the bits of earlier steps and differ
// from it in this one.
void halve_sums(RotatedPlan& plan) {
  plan.for_each([&](const Exchange& exchange) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) {
      plan.send(node, exchange, exchange.step, subcube(node ^ exchange.bit, exchange.after), true);
    }
  });
}

// One part for each dimension.
PartCounts rotated_parts(const Topology& topology) {
  const auto dimensions = static_cast<int>(topology.dimension_count());
  return {dimensions, dimensions};
}

Schedule plan_rotated_allgather(const PlanRequest& request) {
  RotatedPlan plan(request, 1, node_count(request) - 1);
  plan.for_each([&](const Exchange& exchange) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) {
      plan.send(node, exchange, exchange.step, subcube(node, exchange.before), false);
    }
  });
  return plan.plan().take(Operation::allgather, request.goal.source);
}

// Recursive halving of the sums of each part.
Schedule plan_rotated_reduce_scatter(const PlanRequest& request) {
  RotatedPlan plan(request, 1, node_count(request) - 1);
  halve_sums(plan);
  return plan.plan().take(Operation::reduce_scatter, request.goal.source);
}

// That, and then the all-gather of each part with its dimensions in the opposite order.
Schedule plan_rotated_allreduce(const PlanRequest& request) {
  RotatedPlan plan(request, 2, node_count(request) - 1);
  halve_sums(plan);
  plan.for_each([&](const Exchange& exchange) {  // backwards: what was sent comes back as a whole
    const StepIndex step = 2 * plan.steps() + 1 - exchange.step;
    for (std::size_t node = 0; node < plan.nodes(); ++node) {
      plan.send(node, exchange, step, subcube(node, exchange.after), false);
    }
  });
  return plan.plan().take(Operation::allreduce, request.goal.source, plan.nodes());
}

Schedule plan_rotated_alltoall(const PlanRequest& request) {
  RotatedPlan plan(request, 1,
                   request.routing.topology().dimension_count() * node_count(request) / 2);
  plan.for_each([&](const Exchange& exchange) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) {
      Numbers blocks;
      blocks.reserve(plan.nodes() / 2);
      for (const std::size_t from : subcube(node, exchange.before)) {
        for (const std::size_t to : subcube(node ^ exchange.bit, exchange.after)) {
          blocks.push_back(from * plan.nodes() + to);
        }
      }
      plan.send(node, exchange, exchange.step, blocks, false);
    }
  });
  return plan.plan().take(Operation::alltoall, request.goal.source);
}

}  // namespace

Rows rotated_rows() {
  return {
      Row("rotated-allgather",
          "recursive doubling in n parts, each in another dimension in every step", "JohnssonHo89",
          hypercubes, plan_rotated_allgather, Operation::allgather)
          .own_parts(rotated_parts),
      Row("rotated-reduce-scatter",
          "recursive halving of sums in n parts that rotate the dimensions (this project's reading)",
          "JohnssonHo89", hypercubes, plan_rotated_reduce_scatter, Operation::reduce_scatter)
          .own_parts(rotated_parts),
      Row("rotated-allreduce",
          "that, then the all-gather with the dimensions backwards (this project's reading)",
          "JohnssonHo89", hypercubes, plan_rotated_allreduce, Operation::allreduce)
          .vector(Vector::in_blocks)
          .own_parts(rotated_parts),
      Row("rotated-alltoall",
          "exchange-alltoall in n parts that rotate the dimensions (this project's reading)",
          "JohnssonHo89", hypercubes, plan_rotated_alltoall, Operation::alltoall)
          .own_parts(rotated_parts)};
}

}  // namespace allport
