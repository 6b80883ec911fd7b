// SPDX-License-Identifier: Apache-2.0
// These are exchanges among p = 2^k nodes [CasanovaSlides]: in the step of bit i each node sends to
// the node whose number differs in that bit only. On a hypercube this is dimension exchange: the
// two are neighbours, so a step has one message in each direction of a link. Elsewhere routes are
// longer, and those of a step may share channels.
#include <utility>

#include "traffic/algorithms/reduction.h"
#include "traffic/algorithms/rows.h"

namespace allport {

namespace {

using Blocks = std::vector<BlockId>;

// Messages between nodes whose numbers differ in one bit, step after step.
class ExchangePlan {
 public:
  explicit ExchangePlan(const PlanRequest& request)
      : topology_(request.routing.topology()),
        nodes_(topology_.node_count()),
        bits_(static_cast<std::size_t>(__builtin_ctzll(nodes_))),
        sends_(nodes_) {}

  std::size_t bits() const { return bits_; }
  std::size_t nodes() const { return nodes_; }

  void send(std::size_t from, std::size_t bit, std::size_t step, Blocks blocks, bool adds = false) {
    carried_ += blocks.size();
    require_plan_fits(topology_, schedule_.unicasts.size() + 1, carried_);
    Unicast unicast;
    unicast.u = node_id(from);
    unicast.v = node_id(from ^ std::size_t{1} << bit);
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
  const Topology& topology_;
  std::size_t nodes_;  // a power of two
  std::size_t bits_;   // of a node's number
  std::size_t carried_ = 0;
  std::vector<int> sends_;  // number of sends of each node so far
  Schedule schedule_;
};

// The numbers that differ from `node` below `bit` at most.
Blocks alike_above(std::size_t node, std::size_t bit) {
  const std::size_t first = node >> bit << bit;
  Blocks blocks(std::size_t{1} << bit);
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = static_cast<BlockId>(first + i);
  return blocks;
}

// The numbers below `nodes` that differ from `node` above `bit` at most.
Blocks alike_below(std::size_t node, std::size_t bit, std::size_t nodes) {
  const std::size_t distance = std::size_t{2} << bit;
  Blocks blocks;
  blocks.reserve(nodes / distance);
  for (std::size_t i = node % distance; i < nodes; i += distance) {
    blocks.push_back(static_cast<BlockId>(i));
  }
  return blocks;
}

bool has_no_bit_below(std::size_t address, std::size_t bit) {
  return (address & ((std::size_t{1} << bit) - 1)) == 0;
}

// The blocks that `node` holds before the exchange of `bit` for nodes on the other side of it: they
// come from sources that differ from it in lower bits only.
Blocks for_the_other_side(std::size_t node, std::size_t bit, std::size_t nodes) {
  const std::size_t low = std::size_t{1} << bit;
  const std::size_t destination_low = (node ^ low) & (2 * low - 1);
  Blocks blocks;
  blocks.reserve(nodes / 2);
  for (const BlockId source : alike_above(node, bit)) {
    for (std::size_t high = 0; high < nodes; high += 2 * low) {
      blocks.push_back(static_cast<BlockId>(source * nodes + high + destination_low));
    }
  }
  return blocks;
}

// Recursive doubling with the highest bit first.
Schedule plan_allgather_from_afar(const PlanRequest& request) {
  ExchangePlan plan(request);
  for (std::size_t i = plan.bits(); i-- > 0;) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) {
      plan.send(node, i, plan.bits() - i, alike_below(node, i, plan.nodes()));
    }
  }
  return plan.take();
}

Schedule allreduced(const Schedule& allgather) {
  return one_after_the_other(reduce_scattered(allgather), allgather);
}

// Recursive doubling, bit 0 first: every node sends all it has, 1, 2, 4, .. blocks.
Schedule plan_exchange_allgather(const PlanRequest& request) {
  ExchangePlan plan(request);
  for (std::size_t i = 0; i < plan.bits(); ++i) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) {
      plan.send(node, i, i + 1, alike_above(node, i));
    }
  }
  return plan.take();
}

// Recursive halving, highest bit first: a node that has blocks sends those of the other half.
Schedule plan_exchange_scatter(const PlanRequest& request) {
  ExchangePlan plan(request);
  const std::size_t root = index(request.goal.source);
  for (std::size_t i = plan.bits(); i-- > 0;) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) {
      if (!has_no_bit_below(node ^ root, i + 1)) continue;
      plan.send(node, i, plan.bits() - i, alike_above(node ^ std::size_t{1} << i, i));
    }
  }
  return plan.take();
}

// The scatter's reverse, bit 0 first.
Schedule plan_exchange_gather(const PlanRequest& request) {
  ExchangePlan plan(request);
  const std::size_t root = index(request.goal.source);
  for (std::size_t i = 0; i < plan.bits(); ++i) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) {
      const std::size_t address = node ^ root;
      if ((address >> i & 1U) == 0 || !has_no_bit_below(address, i)) continue;
      plan.send(node, i, i + 1, alike_above(node, i));
    }
  }
  return plan.take();
}

// Bit 0 first: every node sends the half of its blocks that is for the other side.
Schedule plan_exchange_alltoall(const PlanRequest& request) {
  ExchangePlan plan(request);
  for (std::size_t i = 0; i < plan.bits(); ++i) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) {
      plan.send(node, i, i + 1, for_the_other_side(node, i, plan.nodes()));
    }
  }
  return plan.take();
}

// [ThakurRabenseifnerGropp05] Recursive halving of sums, highest bit first: every node sends its
// sums of the blocks of the other half. It is the all-gather backwards.
Schedule plan_exchange_reduce_scatter(const PlanRequest& request) {
  return reduce_scattered(plan_exchange_allgather(request));
}

// [ThakurRabenseifnerGropp05] Rabenseifner's all-reduce: that, then the all-gather of the sums.
Schedule plan_rabenseifner(const PlanRequest& request) {
  return allreduced(plan_exchange_allgather(request));
}

// The same with bit 0 first and last: the largest messages go to the nearest nodes, if the nodes
// of close numbers are near.
Schedule plan_rabenseifner_near(const PlanRequest& request) {
  return allreduced(plan_allgather_from_afar(request));
}

// Recursive doubling of sums, bit 0 first; it also serves as a barrier.
Schedule plan_exchange_allreduce(const PlanRequest& request) {
  ExchangePlan plan(request);
  for (std::size_t i = 0; i < plan.bits(); ++i) {
    for (std::size_t node = 0; node < plan.nodes(); ++node) plan.send(node, i, i + 1, {0}, true);
  }
  return plan.take();
}

}  // namespace

Rows exchange_rows() {
  return {
      Row("exchange-scatter", "recursive halving, highest dimension first", "baseline", hypercubes,
          plan_exchange_scatter, Operation::scatter),
      Row("exchange-gather", "recursive halving reversed", "baseline", hypercubes,
          plan_exchange_gather, Operation::gather),
      Row("exchange-allgather", "recursive doubling, dimension after dimension",
          "ThakurRabenseifnerGropp05", hypercubes, plan_exchange_allgather, Operation::allgather),
      Row("exchange-alltoall", "half of all blocks cross each dimension in turn", "baseline",
          hypercubes, plan_exchange_alltoall, Operation::alltoall),
      Row("exchange-reduce-scatter", "recursive halving of sums, highest bit first",
          "ThakurRabenseifnerGropp05", of_2k_nodes, plan_exchange_reduce_scatter,
          Operation::reduce_scatter),
      Row("rabenseifner", "a vector in p blocks: recursive halving of sums, then doubling",
          "ThakurRabenseifnerGropp05", of_2k_nodes, plan_rabenseifner, Operation::allreduce)
          .vector(Vector::in_blocks),
      Row("rabenseifner-near", "the same with the order of bits reversed, lowest first and last",
          "ThakurRabenseifnerGropp05", of_2k_nodes, plan_rabenseifner_near, Operation::allreduce)
          .vector(Vector::in_blocks),
      Row("exchange-allreduce", "recursive doubling of sums", "ThakurRabenseifnerGropp05",
          hypercubes, plan_exchange_allreduce, Operation::allreduce),
      Row("exchange-barrier", "recursive doubling of one-flit messages", "baseline", hypercubes,
          plan_exchange_allreduce, Operation::barrier),
      Row("doubling-allgather",
          "recursive doubling over the bits of the node's number, lowest first",
          "ThakurRabenseifnerGropp05", of_2k_nodes, plan_exchange_allgather, Operation::allgather),
      Row("doubling-allreduce", "recursive doubling of sums over these bits",
          "ThakurRabenseifnerGropp05", of_2k_nodes, plan_exchange_allreduce, Operation::allreduce)};
}

}  // namespace allport
