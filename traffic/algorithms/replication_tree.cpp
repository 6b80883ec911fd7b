// SPDX-License-Identifier: Apache-2.0
// The replication tree of a hypercube broadcast ([Jeon01] algorithms A and B) is the union of the
// e-cube routes from the source; elsewhere it is that of the dimension-ordered routes, and under a
// table the spanning tree of that. It is sent as one worm that the routers replicate; the schedule
// lists the edges of the tree, with the depth as step. Routers without a processor are left out of
// it: what they send on is an edge from the node before them.
#include "rtl_model/topology/group_routes.h"
#include "traffic/algorithms/rows.h"

namespace allport {

namespace {

// The ports on which the router of `node` replicates, lowest first for descending routing, highest
// first for its mirror image.
std::vector<PortId> branches(const Routing& routing, NodeId node, NodeId source,
                             DimensionMask free) {
  const std::size_t ports = routing.topology().port_count();
  const PortMask mask = tree_outputs(routing, node, source, free);
  std::vector<PortId> list;
  for (std::size_t i = 0; i < ports; ++i) {
    const std::size_t port = routing.order() == RoutingOrder::ascending ? ports - 1 - i : i;
    if ((mask >> port & 1U) != 0) list.push_back(port_id(port));
  }
  return list;
}

// A router of the tree, and the last node before it, or itself if it has a processor.
struct Holder {
  NodeId router;
  NodeId node;
  StepIndex depth;
};

Schedule plan_replication_tree(const PlanRequest& request) {
  const Routing& routing = request.routing;
  const DimensionMask free = aligned_dimensions("tree", request);
  const std::size_t nodes = routing.topology().node_count();
  Schedule schedule;
  std::vector<int> orders(nodes);
  std::vector<Holder> holders{{request.goal.source, request.goal.source, 0}};
  while (!holders.empty()) {
    const Holder one = holders.back();
    holders.pop_back();
    for (const PortId port : branches(routing, one.router, request.goal.source, free)) {
      const NodeId child = *routing.topology().neighbour(one.router, port);
      if (index(child) >= nodes) {
        holders.push_back({child, one.node, one.depth});
        continue;
      }
      const int order = orders[index(one.node)]++;
      schedule.unicasts.push_back(
          {one.node, child, one.depth + 1, order, MessageKind::unicast, {}});
      holders.push_back({child, child, one.depth + 1});
    }
  }
  schedule.sort();
  return schedule;
}

}  // namespace

Rows replication_tree_rows() {
  return {Row("tree", "pipelined broadcast by one worm that the routers replicate", "Jeon01",
              all_fabrics, plan_replication_tree)
              .kind(MessageKind::tree)
              .is_in_network()};
}

}  // namespace allport
