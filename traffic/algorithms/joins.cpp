// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/joins.h"

#include "rtl_model/topology/group_routes.h"

namespace allport {

namespace {

Schedule plan_join(const char* algorithm, MessageKind kind, JoinTag join,
                   const PlanRequest& request) {
  const NodeId root = request.goal.source;
  const DimensionMask free = aligned_dimensions(algorithm, request);
  Schedule schedule;
  for (const NodeId node : group_nodes(request.routing.topology(), root, free)) {
    Unicast contribution;
    contribution.u = node;
    contribution.v = root;
    contribution.kind = kind;
    contribution.free = free;
    contribution.join = join;
    schedule.unicasts.push_back(contribution);
  }
  return schedule;
}

}  // namespace

Schedule plan_join_reduce(const PlanRequest& request) {
  return plan_join("join-reduce", MessageKind::join, request.join, request);
}

Schedule plan_join_allreduce(const PlanRequest& request) {
  return plan_join("join-allreduce", MessageKind::join_tree, request.join, request);
}

Schedule plan_join_barrier(const PlanRequest& request) {
  const JoinTag all{0, JoinOperation::bit_and, LaneType::u32};
  return plan_join("join-barrier", MessageKind::join_tree, all, request);
}

}  // namespace allport
