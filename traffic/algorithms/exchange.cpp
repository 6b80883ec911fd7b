// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/exchange.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "traffic/algorithms/reduction.h"

namespace allport {

namespace {

using Blocks = std::vector<BlockId>;

// Messages between neighbours of a hypercube, step after step.
class ExchangePlan {
 public:
  explicit ExchangePlan(const PlanRequest& request)
      : dimensions_(request.routing.topology().dimension_count()),
        nodes_(request.routing.topology().node_count()),
        sends_(nodes_) {}

  std::size_t dimensions() const { return dimensions_; }
  std::size_t nodes() const { return nodes_; }

  void send(std::size_t from, std::size_t dimension, std::size_t step, Blocks blocks,
            bool adds = false) {
    carried_ += blocks.size();
    if (carried_ > max_carried_blocks) {
      throw std::invalid_argument(
          "a dimension exchange on hypercube:" + std::to_string(dimensions_) +
          " carries more than " + std::to_string(max_carried_blocks) +
          " blocks in all; choose a smaller hypercube");
    }
    Unicast unicast;
    unicast.u = node_id(from);
    unicast.v = node_id(from ^ std::size_t{1} << dimension);
    unicast.step = static_cast<StepIndex>(step);
    unicast.order = sends_[from]++;
    unicast.blocks = std::move(blocks);
    unicast.adds = adds;
    schedule_.unicasts.push_back(std::move(unicast));
  }

  Schedule take() {
    schedule_.sort();
    return std::move(schedule_);
  }

 private:
  std::size_t dimensions_;
  std::size_t nodes_;
  std::size_t carried_ = 0;
  std::vector<int> sends_;  // number of sends of each node so far
  Schedule schedule_;
};

// The numbers 0 .. 2^dimension - 1, each with the bits of `node` from `dimension` on.
Blocks subcube(std::size_t node, std::size_t dimension) {
  const std::size_t first = node >> dimension << dimension;
  Blocks blocks(std::size_t{1} << dimension);
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = static_cast<BlockId>(first + i);
  return blocks;
}

bool has_no_bit_below(std::size_t address, std::size_t dimension) {
  return (address & ((std::size_t{1} << dimension) - 1)) == 0;
}

// The blocks that `node` holds before the exchange of `dimension` for nodes on the other side of
// it: they come from sources that differ from it in lower bits only.
Blocks for_the_other_side(std::size_t node, std::size_t dimension, std::size_t nodes) {
  const std::size_t low = std::size_t{1} << dimension;
  const std::size_t destination_low = (node ^ low) & (2 * low - 1);
  Blocks blocks;
  blocks.reserve(nodes / 2);
  for (const BlockId source : subcube(node, dimension)) {
    for (std::size_t high = 0; high < nodes; high += 2 * low) {
      blocks.push_back(static_cast<BlockId>(source * nodes + high + destination_low));
    }
  }
  return blocks;
}

}  // namespace

Schedule plan_exchange_allgather(const PlanRequest& request) {
  ExchangePlan plan(request);
  for (std::size_t i = 0; i < plan.dimensions(); ++i) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) {
      plan.send(node, i, i + 1, subcube(node, i));
    }
  }
  return plan.take();
}

Schedule plan_exchange_scatter(const PlanRequest& request) {
  ExchangePlan plan(request);
  const std::size_t root = index(request.goal.source);
  for (std::size_t i = plan.dimensions(); i-- > 0;) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) {
      if (!has_no_bit_below(node ^ root, i + 1)) continue;
      plan.send(node, i, plan.dimensions() - i, subcube(node ^ std::size_t{1} << i, i));
    }
  }
  return plan.take();
}

Schedule plan_exchange_gather(const PlanRequest& request) {
  ExchangePlan plan(request);
  const std::size_t root = index(request.goal.source);
  for (std::size_t i = 0; i < plan.dimensions(); ++i) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) {
      const std::size_t address = node ^ root;
      if ((address >> i & 1U) == 0 || !has_no_bit_below(address, i)) continue;
      plan.send(node, i, i + 1, subcube(node, i));
    }
  }
  return plan.take();
}

Schedule plan_exchange_alltoall(const PlanRequest& request) {
  ExchangePlan plan(request);
  for (std::size_t i = 0; i < plan.dimensions(); ++i) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) {
      plan.send(node, i, i + 1, for_the_other_side(node, i, plan.nodes()));
    }
  }
  return plan.take();
}

Schedule plan_exchange_reduce_scatter(const PlanRequest& request) {
  return reduce_scattered(plan_exchange_allgather(request));
}

Schedule plan_rabenseifner(const PlanRequest& request) {
  const Schedule allgather = plan_exchange_allgather(request);
  return one_after_the_other(reduce_scattered(allgather), allgather);
}

Schedule plan_exchange_allreduce(const PlanRequest& request) {
  ExchangePlan plan(request);
  for (std::size_t i = 0; i < plan.dimensions(); ++i) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) plan.send(node, i, i + 1, {0}, true);
  }
  return plan.take();
}

}  // namespace allport
