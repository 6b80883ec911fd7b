// SPDX-License-Identifier: Apache-2.0
// All-to-all takes p - 1 steps here, on every fabric: in each step every node sends one block to
// the node that shall have it, and all receivers are different. The routes of a step may share
// channels.
#include <cstddef>
#include <utility>

#include "traffic/algorithms/rows.h"

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

// In step t node r sends to node (r + t) mod p.
Schedule plan_direct_alltoall(const PlanRequest& request) {
  const std::size_t nodes = request.routing.topology().node_count();
  return plan_pairs(request,
                    [nodes](std::size_t node, std::size_t step) { return (node + step) % nodes; });
}

// In step t node r sends to node r xor t; p must be a power of two. Under e-cube routing the
// routes of a step share no channel, but those of different steps do.
Schedule plan_xor_alltoall(const PlanRequest& request) {
  return plan_pairs(request, [](std::size_t node, std::size_t step) { return node ^ step; });
}

}  // namespace

Rows pairwise_alltoall_rows() {
  return {
      Row("direct-alltoall", "in step t each node sends to the one whose number is t larger, mod p",
          "baseline", all_fabrics, plan_direct_alltoall, Operation::alltoall),
      Row("xor-alltoall", "in step t each node sends to the one whose number differs by xor t",
          "baseline", of_2k_nodes, plan_xor_alltoall, Operation::alltoall)};
}

}  // namespace allport
