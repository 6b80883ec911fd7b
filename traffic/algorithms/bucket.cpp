// SPDX-License-Identifier: Apache-2.0
// These are the bucket algorithms of tori [JainSabharwal10, SackGropp15]: each block goes in 2n
// parts, one for each direction, and a part travels in rings. Its all-gather takes the dimensions
// j, j+1, .. mod n in the sign of its direction; in each the blocks go once around, neighbour to
// neighbour. A reduce-scatter is that backwards. An all-reduce turns parts that are not equal.
#include <utility>
#include <vector>

#include "traffic/algorithms/grid_lines.h"
#include "traffic/algorithms/part_plan.h"
#include "traffic/algorithms/rows.h"

namespace allport {

namespace {

class BucketPlan {
 public:
  // For blocks that go through all rings `times`.
  BucketPlan(const PlanRequest& request, std::size_t times)
      : lines_(request.routing.topology()),
        plan_(request.routing, request.internal_ports, request.parts) {
    for (std::size_t i = 0; i < lines_.dimensions(); ++i) steps_ += lines_.side(i) - 1;
    const std::size_t of_each_step =
        times * static_cast<std::size_t>(plan_.parts()) * lines_.nodes();
    plan_.reserve(of_each_step * static_cast<std::size_t>(steps_),
                  of_each_step * (lines_.nodes() - 1));
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

  // In the step t of a dimension a node sends what the node t - 1 behind it began the dimension
  // with: the blocks of all nodes that differ from that one in earlier dimensions only.
  template <class Use>
  void for_each(const Use& use) const {
    for (int part = 0; part < plan_.parts(); ++part) {
      StepIndex before = 0;
      for (std::size_t i = 0; i < lines_.dimensions(); ++i) {
        const std::size_t first = static_cast<std::size_t>(part) / 2;
        const Way way{(first + i) % lines_.dimensions(), part % 2 == 0 ? 1 : -1};
        const Boxes boxes(*this, part, first, i);
        for (std::size_t node = 0; node < lines_.nodes(); ++node) {
          for (int step = 1; step < lines_.side(way.dimension); ++step) {
            const NodeId begin = lines_.on(node_id(node), way, 1 - step);
            use(node_id(node), way, before + step, part, boxes.of(begin));
          }
        }
        before += lines_.side(way.dimension) - 1;
      }
    }
  }

  // What a part carries of the nodes of each box that is wide in `count` dimensions from `first`.
  class Boxes {
   public:
    Boxes(const BucketPlan& plan, int part, std::size_t first, std::size_t count)
        : numbers_(plan.lines_.nodes()) {
      for (std::size_t node = 0; node < numbers_.size(); ++node) {
        if (numbers_[node] > 0) continue;
        Box box(plan.lines_, node_id(node));
        for (std::size_t k = 0; k < count; ++k) box.widen((first + k) % plan.lines_.dimensions());
        const std::vector<std::size_t> nodes = box.nodes();
        blocks_.push_back(plan.plan_.carried(part, nodes));
        for (const std::size_t one : nodes) numbers_[one] = blocks_.size();
      }
    }
    const Blocks& of(NodeId node) const { return blocks_[numbers_[index(node)] - 1]; }

   private:
    std::vector<std::size_t> numbers_;  // of the box of each node, from 1
    std::vector<Blocks> blocks_;
  };

  const Lines lines_;
  PartPlan plan_;
  StepIndex steps_ = 0;  // of the all-gather
};

// One part for each direction: part 2j goes + in its first dimension j, part 2j + 1 goes -.
PartCounts bucket_parts(const Topology& topology) {
  const auto directions = static_cast<int>(2 * topology.dimension_count());
  return {directions, directions};
}

Schedule plan_bucket_allgather(const PlanRequest& request) {
  BucketPlan plan(request, 1);
  plan.gather(0);
  return plan.plan().take(Operation::allgather, request.goal.source);
}

// The messages of the all-gather backwards, adding.
Schedule plan_bucket_reduce_scatter(const PlanRequest& request) {
  BucketPlan plan(request, 1);
  plan.add_up();
  return plan.plan().take(Operation::reduce_scatter, request.goal.source);
}

// The reduce-scatter, then the all-gather. Parts turn where those of a block differ in length, so
// that a node sends about as much in each direction: if each part has a flit and each direction a
// port. With fewer ports it was slower.
Schedule plan_bucket_allreduce(const PlanRequest& request) {
  BucketPlan plan(request, 2);
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
