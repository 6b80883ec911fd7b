// SPDX-License-Identifier: Apache-2.0
// To joins and trees a group is a root and the free dimensions of a mask. The routes within a group
// never leave it. An in-tree is the union of the routes from all of its nodes to the root, an
// out-tree that of the routes from the root; a router knows its own edges from its coordinates
// alone (docs/router.md, message kinds). Under a table the only group is the whole fabric, and both
// trees are the links of one spanning tree (spanning_tree.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/topology/routing.h"

namespace allport {

/// The free dimensions one by one: `free`, or all dimensions for 0.
DimensionMask free_dimensions(const Topology& topology, DimensionMask free);
/// The mask by which messages name these free dimensions: 0 for all.
DimensionMask group_mask(const Topology& topology, DimensionMask free);
/// `dimensions 0, 2`
std::string dimensions_in_words(DimensionMask free);

/// Whether `node` agrees with `root` in all dimensions that are not free.
bool is_in_group(const Topology& topology, NodeId node, NodeId root, DimensionMask free);
/// The dimensions in which `nodes`, at least one, differ; they are a group if they are as many as
/// group_size() says of these.
DimensionMask differing_dimensions(const Topology& topology, const std::vector<NodeId>& nodes);
/// Why messages of `kind`, one that has a group, of this group do not follow `routing`, as the end
/// of a sentence; empty: they do.
std::string group_fault(const Routing& routing, MessageKind kind, DimensionMask free = 0);
/// The nodes of the group, ascending, and their number.
std::vector<NodeId> group_nodes(const Topology& topology, NodeId root, DimensionMask free);
std::size_t group_size(const Topology& topology, DimensionMask free);

/// The external inputs on which the router of `here` expects contributions to a join with this
/// root; 0: it is a leaf. `here` is a node of the group, or a switch.
PortMask join_inputs(const Routing& routing, NodeId here, NodeId root, DimensionMask free);
/// The routers at which such a join is combined, ascending: those of the group, and behind them the
/// switches to which contributions come.
std::vector<NodeId> join_routers(const Routing& routing, NodeId root, DimensionMask free);
/// The contribution that speaks for a join in the router of `here`, as an external input: in a
/// switch that of the lowest input; none: the local one.
std::optional<int> join_speaker(const Routing& routing, NodeId here, NodeId root);
/// The hop by which a join with this root leaves the router of `here`; none: it is the root.
std::optional<Hop> join_hop(const Routing& routing, NodeId here, NodeId root);

/// The external outputs by which the router of `here` sends a tree worm of `root` on; 0: it is a
/// leaf. On the hypercube these are algorithms A and B of [Jeon01], mirrored for ascending order.
PortMask tree_outputs(const Routing& routing, NodeId here, NodeId root, DimensionMask free);
/// The external channels that it takes from `root` to the router of `there`.
std::vector<Channel> tree_path(const Routing& routing, NodeId root, NodeId there);
/// The outputs among `outputs`, those of such a worm, whose virtual channel is of class p: that of
/// a unicast to the last node of the branch in this dimension (torus and ring).
PortMask tree_outputs_of_class_p(const Topology& topology, NodeId here, NodeId root,
                                 PortMask outputs);

}  // namespace allport
