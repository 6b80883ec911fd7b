// SPDX-License-Identifier: Apache-2.0
// This header has the groups of nodes among which a collective runs: lists, boxes and subcubes, and
// partitions of a fabric into them. Everything here throws std::invalid_argument with one sentence
// that names the group, what is wrong and the allowed range.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/topology/topology.h"

namespace allport {

struct NodeGroup {
  std::vector<NodeId> nodes;  ///< members, ascending; for a collective at least two
  /// The fabric whose node i is member i: of a box, a torus or ring where it spans its dimensions
  /// wholly and these close, otherwise a mesh; of a subcube, a hypercube. Null: a list, or one
  /// node.
  std::shared_ptr<const Topology> shape{};
  /// The dimension of the fabric of each dimension of `shape`, coordinate by coordinate.
  std::vector<std::size_t> dimensions{};

  bool has(NodeId node) const;
};

/// All nodes of `topology`.
NodeGroup whole_fabric(const std::shared_ptr<const Topology>& topology);

/// What a group is for: a collective needs two members, tasks run on one too.
enum class GroupUse { collective, tasks };

/// These nodes, in any order.
NodeGroup list_group(const Topology& topology, std::vector<NodeId> nodes,
                     GroupUse use = GroupUse::collective);

/// The nodes from `corner` on, sides[i] of them in dimension i.
NodeGroup box_group(const Topology& topology, const std::vector<int>& sides,
                    const std::vector<int>& corner, GroupUse use = GroupUse::collective);

/// The nodes of a hypercube whose number matches `pattern`: a 0, 1 or x for each dimension, the
/// highest first.
NodeGroup subcube_group(const Topology& topology, std::string_view pattern,
                        GroupUse use = GroupUse::collective);

/// One group for each way to fix the coordinates in all dimensions but `dimensions`.
std::vector<NodeGroup> groups_along(const Topology& topology,
                                    const std::vector<std::size_t>& dimensions);

/// The boxes with these sides, which must divide those of the fabric.
std::vector<NodeGroup> groups_of_boxes(const Topology& topology, const std::vector<int>& sides);

/// Throws unless no two groups have a node in common.
void require_disjoint(const Topology& topology, const std::vector<NodeGroup>& groups);

}  // namespace allport
