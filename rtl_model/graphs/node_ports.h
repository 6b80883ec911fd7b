// SPDX-License-Identifier: Apache-2.0
// The internal ports of a node: all nodes of a fabric have the same number, unless the file of a
// graph gives some numbers of their own, or they have fewer external ports. A router has places for
// as many as the most.
#pragma once

#include <algorithm>

#include "rtl_model/graphs/graph.h"

namespace allport {

/// K of `node`; `all` is that of nodes without a number of their own, but for those that have fewer
/// external ports. A switch has none: 0.
inline int internal_ports_of(const Topology& topology, NodeId node, int all) {
  if (!topology.is_graph()) return all;
  if (index(node) >= topology.node_count()) return 0;
  const auto& graph = static_cast<const Graph&>(topology);
  return graph.internal_ports(node).value_or(std::min(all, graph.external_ports(node)));
}

/// The internal port of `node`, which is no switch, that serves its external `port`.
inline int internal_port_of(const Topology& topology, NodeId node, PortId port, int all) {
  return static_cast<int>(index(port)) % internal_ports_of(topology, node, all);
}

/// Whether some nodes have a number of their own.
inline bool has_own_internal_ports(const Topology& topology) {
  return topology.is_graph() && static_cast<const Graph&>(topology).has_own_internal_ports();
}

}  // namespace allport
