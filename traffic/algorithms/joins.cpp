// SPDX-License-Identifier: Apache-2.0
// The routers carry out these collectives: every node of an aligned group contributes to one join,
// whose result the root has (reduce), or all nodes (all-reduce, barrier), by one join-tree.
#include "rtl_model/topology/group_routes.h"
#include "traffic/algorithms/rows.h"

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

Schedule plan_join_reduce(const PlanRequest& request) {
  return plan_join("join-reduce", MessageKind::join, request.join, request);
}

Schedule plan_join_allreduce(const PlanRequest& request) {
  return plan_join("join-allreduce", MessageKind::join_tree, request.join, request);
}

// The operation is a bitwise and.
Schedule plan_join_barrier(const PlanRequest& request) {
  const JoinTag all{0, JoinOperation::bit_and, LaneType::u32};
  return plan_join("join-barrier", MessageKind::join_tree, all, request);
}

// Joins carry their vector whole.
PartCounts one_part(const Topology&) { return {}; }

}  // namespace

Rows joins_rows() {
  return {Row("join-reduce", "sums formed by the routers on the way to the root", "baseline",
              all_fabrics, plan_join_reduce, Operation::reduce)
              .kind(MessageKind::join)
              .own_parts(one_part)
              .is_in_network(),
          Row("join-allreduce", "the same, and the root's router sends them back as a tree worm",
              "baseline", all_fabrics, plan_join_allreduce, Operation::allreduce)
              .kind(MessageKind::join_tree)
              .own_parts(one_part)
              .is_in_network(),
          Row("join-barrier", "one flit of each node, combined and sent back by the routers",
              "baseline", all_fabrics, plan_join_barrier, Operation::barrier)
              .kind(MessageKind::join_tree)
              .own_parts(one_part)
              .is_in_network()};
}

}  // namespace allport
