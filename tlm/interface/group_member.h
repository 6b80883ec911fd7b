// SPDX-License-Identifier: Apache-2.0
// is_in_its_group() says whether a processor may send a tree or contribute to a join, by one rule
// for all fabrics.
#pragma once

#include "rtl_model/topology/group_routes.h"
#include "tlm/message/message_header.h"

namespace allport {

/// Whether `node` is of the group with this `header`, a tree's or join's, and this root, and the
/// routing has such groups. (A mask of all dimensions is written as 0.)
inline bool is_in_its_group(const MessageHeader& header, NodeId node, NodeId root,
                            const Routing& routing) {
  const Topology& topology = routing.topology();
  const bool is_mask = header.group == 0 || header.group < free_dimensions(topology, 0);
  return index(root) < topology.node_count() && is_mask &&
         group_fault(routing, header.kind, header.group).empty() &&
         is_in_group(topology, node, root, header.group);
}

}  // namespace allport
