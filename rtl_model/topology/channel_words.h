// SPDX-License-Identifier: Apache-2.0
// A channel has one name wherever it is told: `channel 63 -> 56 (+x, VC 1)`, or that of the
// injection or ejection channel of a node. Nodes have their names in it, which are their numbers
// but on a graph.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "rtl_model/topology/topology.h"

namespace allport {

/// `+x` on a torus, mesh or ring, there `+dimension 4` beyond w; `dimension 2` on a hypercube;
/// `port 2` on a graph.
std::string direction_in_words(const Topology& topology, PortId port);

/// The names of the first of `nodes`: `4, 6`, or `4, 6, .. (63 in all)`.
std::string in_words(const std::vector<NodeId>& nodes, const Topology& topology);

/// The name of `vc_class` on the channels that leave by `port` of a ring or torus [Hou98, fig. 2]:
/// p, or by their sign h (to the next higher coordinate) or l (to the next lower one); `either`.
std::string_view class_in_words(VcClass vc_class, PortId port);

/// The virtual channel `vc` of a channel that has `vcs`, as the words below have it: none if it is
/// the only one.
constexpr std::optional<int> vc_among(int vcs, int vc) {
  return vcs > 1 ? std::optional<int>(vc) : std::nullopt;
}

/// `5 -> 6 (+x)`, or `5 -> 6 (+x, VC 1)`, of an external channel. Where a mesh ends it leads to
/// `nowhere`.
std::string link_in_words(const Topology& topology, Channel channel, std::optional<int> vc = {});

/// The same of the external channel that ends at input `channel.port` of the node.
std::string incoming_in_words(const Topology& topology, Channel channel,
                              std::optional<int> vc = {});

/// The channel that output `channel.port` drives: `channel 5 -> 6 (+x, VC 1)`, or `ejection channel
/// 0 of node 5`.
std::string output_in_words(const Topology& topology, Channel channel, std::optional<int> vc = {});

/// The channel that ends at input `channel.port` of the node: `channel 4 -> 5 (+x, VC 1)`, or
/// `injection channel 0 of node 5`.
std::string input_in_words(const Topology& topology, Channel channel, std::optional<int> vc = {});

}  // namespace allport
