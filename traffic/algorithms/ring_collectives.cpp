// SPDX-License-Identifier: Apache-2.0
// These are collectives on rings: scatter, gather, all-to-all broadcast and gossip among p
// processors [CasanovaSlides], all by messages to the next node in the + direction, and sums that
// go the same way, or both ways [PatarasukYuan09]. Each channel carries one message in each step.
#include <utility>

#include "traffic/algorithms/grid_lines.h"
#include "traffic/algorithms/part_plan.h"
#include "traffic/algorithms/rows.h"

namespace allport {

namespace {

// Messages around the ring: q -> q + 1 each.
class RingPlan {
 public:
  /// `messages_on` gives the number of messages on a ring of `nodes`.
  RingPlan(const PlanRequest& request, std::size_t (*messages_on)(std::size_t nodes))
      : nodes_(request.routing.topology().node_count()), sends_(nodes_) {
    const std::size_t messages = messages_on(nodes_);
    require_plan_fits(request.routing.topology(), messages, messages);
    schedule_.unicasts.reserve(messages);
  }

  std::size_t nodes() const { return nodes_; }
  /// The node `distance` places after `node`, at most once around.
  std::size_t behind(std::size_t node, std::size_t distance) const {
    return (node + nodes_ - distance) % nodes_;
  }

  void send(std::size_t from, StepIndex step, std::size_t block) {
    Unicast unicast;
    unicast.u = node_id(from);
    unicast.v = node_id((from + 1) % nodes_);
    unicast.step = step;
    unicast.order = sends_[from]++;
    unicast.blocks = {static_cast<BlockId>(block)};
    schedule_.unicasts.push_back(std::move(unicast));
  }

  Schedule take() {
    schedule_.sort();
    return std::move(schedule_);
  }

 private:
  std::size_t nodes_;
  std::vector<int> sends_;  // number of sends of each node so far
  Schedule schedule_;
};

// Sums and blocks in one part that goes +, or in two parts of which the second goes -.
class RingStreams {
 public:
  // For blocks that go around `times`.
  RingStreams(const PlanRequest& request, std::size_t times)
      : lines_(request.routing.topology()),
        plan_(request.routing, request.internal_ports, request.parts) {
    const std::size_t messages =
        times * static_cast<std::size_t>(plan_.parts()) * nodes() * (nodes() - 1);
    plan_.reserve(messages, messages);
  }

  PartPlan& plan() { return plan_; }
  std::size_t nodes() const { return lines_.nodes(); }

  // In step t each node sends, and its neighbour adds, the sum of the block of the node t places
  // behind it, so that in the end each node has the sum of its own.
  void add_up() { send_all(1, 0, true); }
  // Each node sends its own block and then those that come from behind.
  void gather(StepIndex steps_before) { send_all(0, steps_before, false); }

 private:
  // In step t, 1 .. p - 1, each node sends the block of the node t - 1 + `ahead` places behind it.
  void send_all(std::size_t ahead, StepIndex steps_before, bool adds) {
    const std::vector<Unicast> routes = hops();
    for (int step = 1; step < lines_.side(0); ++step) {
      const auto behind = static_cast<std::size_t>(step) - 1 + ahead;
      for (std::size_t node = 0; node < nodes(); ++node) {
        for (int part = 0; part < plan_.parts(); ++part) {
          const std::size_t owner = (node + (part == 0 ? nodes() - behind : behind)) % nodes();
          const std::size_t route = node * parts() + static_cast<std::size_t>(part);
          plan_.send(routes[route], steps_before + step, part, owner, adds);
        }
      }
    }
  }

  std::size_t parts() const { return static_cast<std::size_t>(plan_.parts()); }

  // Of each node, the way to its neighbour + and, of the second part, -.
  std::vector<Unicast> hops() const {
    std::vector<Unicast> routes;
    for (std::size_t node = 0; node < nodes(); ++node) {
      for (std::size_t part = 0; part < parts(); ++part) {
        routes.push_back(lines_.hop(node_id(node), {0, part == 0 ? 1 : -1}));
      }
    }
    return routes;
  }

  const Lines lines_;
  PartPlan plan_;
};

// The number of messages.
std::size_t sends_to_or_from_one(std::size_t nodes) { return nodes * (nodes - 1) / 2; }
std::size_t sends_to_all(std::size_t nodes) { return nodes * (nodes - 1); }
std::size_t sends_from_all_to_all(std::size_t nodes) { return nodes * sends_to_or_from_one(nodes); }

StepIndex step_number(std::size_t step) { return static_cast<StepIndex>(step); }

// The source sends the blocks of the farthest node first; each node forwards all blocks that it
// receives except the last: p - 1 steps.
Schedule plan_ring_scatter(const PlanRequest& request) {
  RingPlan plan(request, sends_to_or_from_one);
  const std::size_t source = index(request.goal.source);
  for (std::size_t distance = 0; distance + 1 < plan.nodes(); ++distance) {
    const std::size_t node = (source + distance) % plan.nodes();
    for (std::size_t i = 0; i + distance + 1 < plan.nodes(); ++i) {
      plan.send(node, step_number(distance + i + 1), plan.behind(source, i + 1));
    }
  }
  return plan.take();
}

// Every node sends its own block, then forwards those of its predecessors: p - 1 steps.
Schedule plan_ring_gather(const PlanRequest& request) {
  RingPlan plan(request, sends_to_or_from_one);
  const std::size_t root = index(request.goal.source);
  for (std::size_t distance = 1; distance < plan.nodes(); ++distance) {
    const std::size_t node = plan.behind(root, distance);
    for (std::size_t i = 0; i + distance < plan.nodes(); ++i) {
      plan.send(node, step_number(i + 1), plan.behind(node, i));
    }
  }
  return plan.take();
}

// In step t node q sends the block of node q - t + 1: p - 1 steps.
Schedule plan_ring_allgather(const PlanRequest& request) {
  RingPlan plan(request, sends_to_all);
  for (std::size_t node = 0; node < plan.nodes(); ++node) {
    for (std::size_t i = 0; i + 1 < plan.nodes(); ++i) {
      plan.send(node, step_number(i + 1), plan.behind(node, i));
    }
  }
  return plan.take();
}

// One part, or two: the second one goes around in the - direction.
PartCounts ring_parts(const Topology&) { return {1, 2}; }

// [PatarasukYuan09] In step t node q sends its sum of the block of node q - t, and the receiver
// adds: p - 1 steps, after which node q has the sum of block q.
Schedule plan_ring_reduce_scatter(const PlanRequest& request) {
  RingStreams streams(request, 1);
  streams.add_up();
  return streams.plan().take(Operation::reduce_scatter, request.goal.source);
}

// [PatarasukYuan09] That, then the all-gather of the sums: 2(p - 1) steps.
Schedule plan_ring_allreduce(const PlanRequest& request) {
  RingStreams streams(request, 2);
  streams.add_up();
  streams.gather(step_number(streams.nodes() - 1));
  return streams.plan().take(Operation::allreduce, request.goal.source, streams.nodes());
}

// One distance after another, a block for distance d in d steps: p(p - 1)/2 steps.
Schedule plan_ring_alltoall(const PlanRequest& request) {
  RingPlan plan(request, sends_from_all_to_all);
  for (std::size_t node = 0; node < plan.nodes(); ++node) {
    std::size_t step = 0;
    for (std::size_t distance = 1; distance < plan.nodes(); ++distance) {
      for (std::size_t hop = 0; hop < distance; ++hop) {
        const std::size_t from = plan.behind(node, hop);
        const std::size_t to = (from + distance) % plan.nodes();
        plan.send(node, step_number(++step), from * plan.nodes() + to);
      }
    }
  }
  return plan.take();
}

}  // namespace

Rows ring_collectives_rows() {
  return {Row("ring-scatter", "each node's block around the ring, the farthest first",
              "CasanovaSlides", rings, plan_ring_scatter, Operation::scatter),
          Row("ring-gather", "each node's block around the ring to the root", "baseline", rings,
              plan_ring_gather, Operation::gather),
          Row("ring-allgather", "all-to-all broadcast: all blocks once around the ring",
              "CasanovaSlides", rings, plan_ring_allgather, Operation::allgather),
          Row("ring-alltoall", "gossip: personalised all-to-all, distance after distance",
              "CasanovaSlides", rings, plan_ring_alltoall, Operation::alltoall),
          Row("ring-reduce-scatter", "the sum of each block once around the ring to its node",
              "PatarasukYuan09", rings, plan_ring_reduce_scatter, Operation::reduce_scatter)
              .own_parts(ring_parts),
          Row("ring-allreduce",
              "a vector in p blocks: their sums around the ring, then all of them again",
              "PatarasukYuan09", rings, plan_ring_allreduce, Operation::allreduce)
              .vector(Vector::in_blocks)
              .own_parts(ring_parts)};
}

}  // namespace allport
