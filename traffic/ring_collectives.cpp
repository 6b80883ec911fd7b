// SPDX-License-Identifier: Apache-2.0
#include "traffic/ring_collectives.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace allport {

namespace {

// Each is a unicast of its own, which takes some hundred bytes.
constexpr std::size_t max_ring_messages = std::size_t{1} << 20;

// Messages around the ring: q -> q + 1 each.
class RingPlan {
 public:
  /// `sends`: messages of each node, in the mean. Throws std::invalid_argument when all of them
  /// together are too many.
  RingPlan(const PlanRequest& request, std::size_t sends)
      : nodes_(request.routing.topology().node_count()) {
    if (sends > max_ring_messages / nodes_) {
      throw std::invalid_argument("a collective on " + request.routing.topology().name() +
                                  " carries more than " + std::to_string(max_ring_messages) +
                                  " blocks in all, one a message, choose a smaller ring");
    }
    sends_.resize(nodes_);
  }

  std::size_t nodes() const { return nodes_; }
  /// The node `distance` behind `node`, at most once around.
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
  std::vector<int> sends_;  // of each node, so far
  Schedule schedule_;
};

std::size_t nodes_on(const PlanRequest& request) { return request.routing.topology().node_count(); }

StepIndex step_number(std::size_t step) { return static_cast<StepIndex>(step); }

}  // namespace

bool is_ring(const Topology& topology) {
  return topology.dimension_count() == 1 && !topology.is_hypercube() && topology.wraps();
}

Schedule plan_ring_scatter(const PlanRequest& request) {
  RingPlan plan(request, nodes_on(request) / 2);
  const std::size_t source = index(request.goal.source);
  for (std::size_t distance = 0; distance + 1 < plan.nodes(); ++distance) {
    const std::size_t node = (source + distance) % plan.nodes();
    for (std::size_t i = 0; i + distance + 1 < plan.nodes(); ++i) {
      plan.send(node, step_number(distance + i + 1), plan.behind(source, i + 1));
    }
  }
  return plan.take();
}

Schedule plan_ring_gather(const PlanRequest& request) {
  RingPlan plan(request, nodes_on(request) / 2);
  const std::size_t root = index(request.goal.source);
  for (std::size_t distance = 1; distance < plan.nodes(); ++distance) {
    const std::size_t node = plan.behind(root, distance);
    for (std::size_t i = 0; i + distance < plan.nodes(); ++i) {
      plan.send(node, step_number(i + 1), plan.behind(node, i));
    }
  }
  return plan.take();
}

Schedule plan_ring_allgather(const PlanRequest& request) {
  RingPlan plan(request, nodes_on(request) - 1);
  for (std::size_t node = 0; node < plan.nodes(); ++node) {
    for (std::size_t i = 0; i + 1 < plan.nodes(); ++i) {
      plan.send(node, step_number(i + 1), plan.behind(node, i));
    }
  }
  return plan.take();
}

Schedule plan_ring_alltoall(const PlanRequest& request) {
  RingPlan plan(request, nodes_on(request) * (nodes_on(request) - 1) / 2);
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

}  // namespace allport
