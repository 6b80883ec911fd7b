// SPDX-License-Identifier: Apache-2.0
// This is label routing of meshes [LinMcKinleyNi94]. Labels 0 .. nodes - 1 number the nodes along a
// snake through all dimensions, the last one most significant: a dimension is passed upwards if the
// sum of the later coordinates is even, else downwards, so successive labels are neighbours. A
// message goes up to a node with a larger label, or down to one with a smaller label, over the
// neighbour whose label is next to the destination's on this side of it. The labels on its way rise
// or fall without a turn, so the channels up and the channels down each wait in no circle.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/topology/topology.h"

namespace allport {

/// The place of `node` on the snake.
std::size_t label_of(const Topology& mesh, NodeId node);

/// The port of `here` in `dimension` that leads to the side of `destination` in the order of
/// labels; none at the edge of the mesh. The two nodes must differ.
std::optional<PortId> label_step(const Topology& mesh, NodeId here, NodeId destination,
                                 std::size_t dimension);

/// The port by which a message leaves `here` for `destination`, another node: that to the neighbour
/// with the largest label that is not above the destination's if that is above, else to the one
/// with the smallest label that is not below it.
PortId label_port(const Topology& mesh, NodeId here, NodeId destination);

/// What is wrong with a label worm from `source` over `stops`, all of them nodes of `mesh`, whose
/// first hop crosses the lowest dimension of `chosen` (0: that of label_port); empty: nothing. The
/// stops must rise or fall by label from the source on, and the first hop must lead to a node that
/// is not beyond the first stop.
std::string label_fault(const Topology& mesh, NodeId source, const std::vector<NodeId>& stops,
                        TieMask chosen);

}  // namespace allport
