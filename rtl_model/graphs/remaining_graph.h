// SPDX-License-Identifier: Apache-2.0
// A fabric of which nodes are missing is what is left of it: a graph in which the other routers
// keep their names, their ports and the links between them (docs/guide/fabrics.md, missing nodes).
#pragma once

#include <memory>
#include <vector>

#include "rtl_model/graphs/graph.h"

namespace allport {

/// Any fabric as a file of a graph would describe it, with the ports of every edge. Nodes of a grid
/// of two dimensions are drawn at their coordinates.
GraphDescription described(const Topology& topology);

/// What is left of `topology` without the nodes or switches `missing`, sorted, and without their
/// links. Throws std::invalid_argument, a clause, if fewer than two nodes with a processor are
/// left, or a router without a link.
std::shared_ptr<const Graph> without_nodes(const Topology& topology,
                                           const std::vector<NodeId>& missing);

/// Whether ways that avoid the nodes `missing`, sorted, lead between all others.
bool is_connected_without(const Topology& topology, const std::vector<NodeId>& missing);

}  // namespace allport
