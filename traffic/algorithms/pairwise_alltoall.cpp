// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/pairwise_alltoall.h"

#include <cstddef>
#include <utility>

#include "traffic/algorithms/message_limit.h"

namespace allport {

namespace {

// `receiver(node, step)` is the node to which `node` sends in `step`.
template <class Receiver>
Schedule plan_pairs(const PlanRequest& request, const Receiver& receiver) {
  const std::size_t nodes = request.routing.topology().node_count();
  const std::size_t messages = nodes * (nodes - 1);
  require_plan_fits(request.routing.topology(), messages, messages);
  Schedule schedule;
  schedule.unicasts.reserve(messages);
  for (std::size_t step = 1; step < nodes; ++step) {
    for (std::size_t node = 0; node < nodes; ++node) {
      Unicast unicast;
      unicast.u = node_id(node);
      unicast.v = node_id(receiver(node, step));
      unicast.step = static_cast<StepIndex>(step);
      unicast.order = static_cast<int>(step) - 1;
      unicast.blocks = {static_cast<BlockId>(node * nodes + index(unicast.v))};
      schedule.unicasts.push_back(std::move(unicast));
    }
  }
  settle_ties(schedule, request.routing);
  return schedule;
}

}  // namespace

Schedule plan_direct_alltoall(const PlanRequest& request) {
  const std::size_t nodes = request.routing.topology().node_count();
  return plan_pairs(request,
                    [nodes](std::size_t node, std::size_t step) { return (node + step) % nodes; });
}

Schedule plan_xor_alltoall(const PlanRequest& request) {
  return plan_pairs(request, [](std::size_t node, std::size_t step) { return node ^ step; });
}

}  // namespace allport
