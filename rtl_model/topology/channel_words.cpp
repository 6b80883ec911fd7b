// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/channel_words.h"

namespace allport {

namespace {

std::string internal_in_words(const Topology& topology, const char* kind, Channel channel,
                              std::optional<int> vc) {
  return std::string(kind) + " channel " +
         std::to_string(index(channel.port) - topology.port_count()) + " of node " +
         topology.node_name(channel.node) + (vc ? ", VC " + std::to_string(*vc) : "");
}

bool is_external(const Topology& topology, PortId port) {
  return index(port) < topology.port_count();
}

// From node to node, either of which may not be there.
std::string way_in_words(const Topology& topology, std::optional<NodeId> from,
                         std::optional<NodeId> to, PortId port, std::optional<int> vc) {
  const auto name = [&](std::optional<NodeId> node) {
    return node ? topology.node_name(*node) : std::string("nowhere");
  };
  return name(from) + " -> " + name(to) + " (" + direction_in_words(topology, port) +
         (vc ? ", VC " + std::to_string(*vc) : "") + ")";
}

}  // namespace

std::string in_words(const std::vector<NodeId>& nodes, const Topology& topology) {
  constexpr std::size_t shown = 16;
  std::string words;
  for (std::size_t i = 0; i < nodes.size() && i < shown; ++i) {
    words += (i == 0 ? "" : ", ") + topology.node_name(nodes[i]);
  }
  if (nodes.size() > shown) words += ", .. (" + std::to_string(nodes.size()) + " in all)";
  return words;
}

std::string direction_in_words(const Topology& topology, PortId port) {
  if (topology.is_graph()) return "port " + std::to_string(index(port));
  constexpr std::string_view names = "xyzw";
  const std::size_t dimension = topology.dimension_of(port);
  const std::string number = "dimension " + std::to_string(dimension);
  if (topology.is_hypercube()) return number;
  const std::string name = dimension < names.size() ? std::string(1, names[dimension]) : number;
  return (index(port) % 2 == 0 ? "+" : "-") + name;
}

std::string_view class_in_words(VcClass vc_class, PortId port) {
  if (vc_class == VcClass::p) return "p";
  if (vc_class == VcClass::either) return "either";
  return index(port) % 2 == 0 ? "h" : "l";
}

std::string link_in_words(const Topology& topology, Channel channel, std::optional<int> vc) {
  return way_in_words(topology, channel.node, topology.neighbour(channel.node, channel.port),
                      channel.port, vc);
}

std::string incoming_in_words(const Topology& topology, Channel channel, std::optional<int> vc) {
  const std::optional<Channel> from = topology.incoming(channel.node, channel.port);
  if (from) return link_in_words(topology, *from, vc);
  return way_in_words(topology, std::nullopt, channel.node,
                      topology.arrival_port(channel.node, channel.port), vc);
}

std::string output_in_words(const Topology& topology, Channel channel, std::optional<int> vc) {
  if (!is_external(topology, channel.port)) {
    return internal_in_words(topology, "ejection", channel, vc);
  }
  return "channel " + link_in_words(topology, channel, vc);
}

std::string input_in_words(const Topology& topology, Channel channel, std::optional<int> vc) {
  if (!is_external(topology, channel.port)) {
    return internal_in_words(topology, "injection", channel, vc);
  }
  return "channel " + incoming_in_words(topology, channel, vc);
}

}  // namespace allport
