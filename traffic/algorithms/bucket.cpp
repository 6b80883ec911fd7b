// SPDX-License-Identifier: Apache-2.0
// These are the bucket algorithms of tori [JainSabharwal10, SackGropp15]: each block goes in 2n
// parts, one for each direction, and a part travels in rings. Its all-gather takes the dimensions
// j, j+1, .. mod n in the sign of its direction; in each the blocks go once around, neighbour to
// neighbour. A reduce-scatter is that backwards. An all-reduce turns parts that are not equal.
#include <algorithm>
#include <utility>
#include <vector>

#include "traffic/algorithms/grid_lines.h"
#include "traffic/algorithms/part_plan.h"
#include "traffic/algorithms/rows.h"

namespace allport {

namespace {

class BucketPlan {
 public:
  // For the blocks of `operation`, which go through all rings `times`.
  BucketPlan(const PlanRequest& request, Operation operation, std::size_t times)
      : lines_(request.routing.topology()),
        plan_(request.routing, request.internal_ports, request.parts),
        goal_(goal_of(request, operation)) {
    for (std::size_t i = 0; i < lines_.dimensions(); ++i) steps_ += lines_.side(i) - 1;
    const std::size_t carried = times * full_blocks() * (lines_.nodes() - 1);
    // Without the count of messages, which takes longer:
    if (goal_.has_empty_blocks()) {
      require_plan_fits(request.routing.topology(), times * full_blocks(), carried);
    }
    plan_.reserve(times * messages(), carried);
  }

  PartPlan& plan() { return plan_; }
  const Lines& lines() const { return lines_; }

  // All messages of the all-gather, after `steps` steps.
  void gather(StepIndex steps) {
    for_each([&](NodeId node, const Way& way, StepIndex step, int part, const Blocks& blocks) {
      plan_.send(lines_.hop(node, way), steps + step, part, blocks, false);
    });
  }
  // The same backwards, in steps 1, 2, ..: from the receiver to the sender.
  void add_up() {
    for_each([&](NodeId node, const Way& way, StepIndex step, int part, const Blocks& blocks) {
      const NodeId receiver = lines_.on(node, way, 1);
      const Way back{way.dimension, -way.sign};
      plan_.send(lines_.hop(receiver, back), steps_ + 1 - step, part, blocks, true);
    });
  }
  StepIndex steps() const { return steps_; }

  // Each block by the sum of its node's coordinates, so that neither the blocks of a line nor those
  // of the lines beside it have their longer parts on the same way.
  void turn_parts() {
    std::vector<std::size_t> turns(lines_.nodes());
    for (std::size_t block = 0; block < turns.size(); ++block) {
      for (std::size_t i = 0; i < lines_.dimensions(); ++i) {
        turns[block] += static_cast<std::size_t>(lines_.place(node_id(block), i));
      }
    }
    plan_.turn_parts(std::move(turns));
  }

 private:
  using Blocks = OneOrMore<BlockId>;

  // Messages without a flit are left out here where that leaves the steps of all others as they
  // are: where each part has ports of its own in each step.
  Collective goal_of(const PlanRequest& request, Operation operation) const {
    const Topology& topology = request.routing.topology();
    const Collective goal(operation, lines_.nodes(), request.goal.source, lines_.nodes(),
                          static_cast<std::size_t>(plan_.parts()));
    const std::vector<int>& sides = topology.sides();
    const bool has_ports_of_parts =
        static_cast<std::size_t>(request.internal_ports) == topology.port_count() &&
        std::equal(sides.begin() + 1, sides.end(), sides.begin());
    return request.has_blocks_left_out && has_ports_of_parts ? goal.of_length(request.timing.flits)
                                                             : goal;
  }

  bool is_full(int part, std::size_t node) const {
    return !goal_.is_empty(static_cast<BlockId>(node * goal_.part_count()) +
                           static_cast<BlockId>(part));
  }
  // The number of blocks that are sent, parts counted one by one.
  std::size_t full_blocks() const {
    if (!goal_.has_empty_blocks()) return goal_.block_count();
    std::size_t count = 0;
    for (int part = 0; part < plan_.parts(); ++part) {
      for (std::size_t node = 0; node < lines_.nodes(); ++node) count += is_full(part, node);
    }
    return count;
  }

  // The number of messages of the all-gather.
  std::size_t messages() const {
    if (!goal_.has_empty_blocks()) return goal_.block_count() * static_cast<std::size_t>(steps_);
    std::size_t count = 0;
    for (int part = 0; part < plan_.parts(); ++part) {
      std::vector<bool> send(lines_.nodes());  // in a dimension, the nodes that begin with a block
      for (std::size_t node = 0; node < send.size(); ++node) send[node] = is_full(part, node);
      for (std::size_t i = 0; i < lines_.dimensions(); ++i) {
        const Way way = way_of(part, i);
        const auto side = static_cast<std::size_t>(lines_.side(way.dimension));
        const auto senders = std::count(send.begin(), send.end(), true);
        count += static_cast<std::size_t>(senders) * (side - 1);
        widen(send, way);
      }
    }
    return count;
  }
  // Adds all nodes of the lines along `way` that have one of `nodes`.
  void widen(std::vector<bool>& nodes, const Way& way) const {
    std::vector<bool> wider(nodes.size());
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      if (!nodes[node] || wider[node]) continue;
      for (int place = 0; place < lines_.side(way.dimension); ++place) {
        wider[index(lines_.on(node_id(node), way, place))] = true;
      }
    }
    nodes = std::move(wider);
  }

  // The way of `part` in the i-th dimension that it goes through.
  Way way_of(int part, std::size_t i) const {
    const std::size_t first = static_cast<std::size_t>(part) / 2;
    return {(first + i) % lines_.dimensions(), part % 2 == 0 ? 1 : -1};
  }

  // In the step t of a dimension a node sends what the node t - 1 behind it began the dimension
  // with: the blocks of all nodes that differ from that one in earlier dimensions only.
  template <class Use>
  void for_each(const Use& use) const {
    for (int part = 0; part < plan_.parts(); ++part) {
      StepIndex before = 0;
      for (std::size_t i = 0; i < lines_.dimensions(); ++i) {
        const Way way = way_of(part, i);
        const Boxes boxes(*this, part, i);
        for (std::size_t node = 0; node < lines_.nodes(); ++node) {
          for (int step = 1; step < lines_.side(way.dimension); ++step) {
            const Blocks& blocks = boxes.of(lines_.on(node_id(node), way, 1 - step));
            if (!blocks.empty()) use(node_id(node), way, before + step, part, blocks);
          }
        }
        before += lines_.side(way.dimension) - 1;
      }
    }
  }

  // What a part carries of the nodes of each box that is wide in the first `count` dimensions that
  // it goes through.
  class Boxes {
   public:
    Boxes(const BucketPlan& plan, int part, std::size_t count) : numbers_(plan.lines_.nodes()) {
      for (std::size_t node = 0; node < numbers_.size(); ++node) {
        if (numbers_[node] > 0) continue;
        Box box(plan.lines_, node_id(node));
        for (std::size_t k = 0; k < count; ++k) box.widen(plan.way_of(part, k).dimension);
        std::vector<std::size_t> nodes = box.nodes();
        for (const std::size_t one : nodes) numbers_[one] = blocks_.size() + 1;
        if (plan.goal_.has_empty_blocks()) {
          nodes.erase(std::remove_if(nodes.begin(), nodes.end(),
                                     [&](auto one) { return !plan.is_full(part, one); }),
                      nodes.end());
        }
        blocks_.push_back(plan.plan_.carried(part, nodes));
      }
    }
    const Blocks& of(NodeId node) const { return blocks_[numbers_[index(node)] - 1]; }

   private:
    std::vector<std::size_t> numbers_;  // of the box of each node, from 1
    std::vector<Blocks> blocks_;
  };

  const Lines lines_;
  PartPlan plan_;
  const Collective goal_;
  StepIndex steps_ = 0;  // of the all-gather
};

// One part for each direction: part 2j goes + in its first dimension j, part 2j + 1 goes -.
PartCounts bucket_parts(const Topology& topology) {
  const auto directions = static_cast<int>(2 * topology.dimension_count());
  return {directions, directions};
}

Schedule plan_bucket_allgather(const PlanRequest& request) {
  BucketPlan plan(request, Operation::allgather, 1);
  plan.gather(0);
  return plan.plan().take(Operation::allgather, request.goal.source);
}

// The messages of the all-gather backwards, adding.
Schedule plan_bucket_reduce_scatter(const PlanRequest& request) {
  BucketPlan plan(request, Operation::reduce_scatter, 1);
  plan.add_up();
  return plan.plan().take(Operation::reduce_scatter, request.goal.source);
}

// The reduce-scatter, then the all-gather. Parts turn where those of a block differ in length, so
// that a node sends about as much in each direction: if each part has a flit and each direction a
// port. With fewer ports it was slower.
Schedule plan_bucket_allreduce(const PlanRequest& request) {
  BucketPlan plan(request, Operation::allreduce, 2);
  const auto flits = static_cast<std::size_t>(request.timing.flits);
  const auto parts = static_cast<std::size_t>(request.parts);
  const std::size_t shortest = flits / plan.lines().nodes();
  const bool is_even = flits % (parts * plan.lines().nodes()) == 0;
  const bool has_all_ports =
      static_cast<std::size_t>(request.internal_ports) == request.routing.topology().port_count();
  if (has_all_ports && shortest >= parts && !is_even) plan.turn_parts();
  plan.add_up();
  plan.gather(plan.steps());
  return plan.plan().take(Operation::allreduce, request.goal.source, plan.lines().nodes());
}

}  // namespace

Rows bucket_rows() {
  return {
      Row("bucket-allgather", "blocks in 2n parts around the rings of all dimensions at once",
          "SackGropp15", tori, plan_bucket_allgather, Operation::allgather)
          .own_parts(bucket_parts),
      Row("bucket-reduce-scatter", "bucket-allgather backwards, adding", "SackGropp15", tori,
          plan_bucket_reduce_scatter, Operation::reduce_scatter)
          .own_parts(bucket_parts),
      Row("bucket-allreduce", "a vector in p blocks: bucket-reduce-scatter, then bucket-allgather",
          "SackGropp15", tori, plan_bucket_allreduce, Operation::allreduce)
          .vector(Vector::in_blocks)
          .own_parts(bucket_parts)};
}

}  // namespace allport
