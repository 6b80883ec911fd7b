// SPDX-License-Identifier: Apache-2.0
// The goal of a collective operation: who holds the message before, who must hold it after.
#pragma once

#include <vector>

#include "rtl_model/topology/topology.h"

namespace allport {

/// One source, a set of destinations, one message (MPI_Bcast over a group). A broadcast is the
/// multicast to all nodes but the source.
struct Multicast {
  NodeId source{};
  std::vector<NodeId> destinations;  ///< ascending, distinct, without the source
};

/// Throws std::invalid_argument naming `role`, the node and the range unless `node` is one of
/// `topology`.
void require_node(const Topology& topology, NodeId node, const char* role);

/// The multicast from `source` to every other node.
Multicast broadcast(const Topology& topology, NodeId source);

/// Checks and sorts `destinations`. Throws std::invalid_argument naming the node and the allowed
/// range for a node out of range, named twice or equal to the source, and for an empty set.
Multicast multicast(const Topology& topology, NodeId source, std::vector<NodeId> destinations);

}  // namespace allport
