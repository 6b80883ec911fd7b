// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/plan_links.h"

#include <algorithm>
#include <utility>

#include "rtl_model/graphs/node_ports.h"

namespace allport {

namespace {

// The message over `channel`. Where both ports of a dimension lead to the same node, a tie decides.
Unicast hop_over(Channel channel, NodeId to, const Routing& routing) {
  Unicast hop;
  hop.u = channel.node;
  hop.v = to;
  if (routing.route(hop.u, hop.v, 0)->port != channel.port) set_ties(hop, ~TieMask{0}, routing);
  return hop;
}

// The hops to each node from `node` by `links`, of which each leads on to `next(link)`.
template <class Next>
std::vector<int> hops(NodeId node, const std::vector<LinkIndices>& links, const Next& next) {
  std::vector<int> hops(links.size(), -1);
  hops[index(node)] = 0;
  std::vector<NodeId> reached{node};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const std::uint32_t link : links[index(reached[i])]) {
      const NodeId other = next(link);
      if (hops[index(other)] >= 0) continue;
      hops[index(other)] = hops[index(reached[i])] + 1;
      reached.push_back(other);
    }
  }
  return hops;
}

}  // namespace

PlanLinks::PlanLinks(const Routing& routing, int internal_ports,
                     const std::vector<Channel>& missing, bool is_backwards)
    : internal_ports_(static_cast<std::size_t>(internal_ports)),
      into_(routing.topology().node_count()),
      out_of_(routing.topology().node_count()) {
  const Topology& topology = routing.topology();
  std::vector<Channel> channels = topology.channels();
  std::stable_sort(channels.begin(), channels.end(),
                   [](Channel a, Channel b) { return a.port < b.port; });
  for (const Channel channel : channels) {
    if (std::binary_search(missing.begin(), missing.end(), channel)) continue;
    const NodeId to = *topology.neighbour(channel.node, channel.port);
    PlanLink link{channel.node, to, hop_over(channel, to, routing)};
    link.dimension = topology.dimension_of(channel.port);
    const auto place = [&](NodeId node, PortId port) {
      const int its = internal_port_of(topology, node, port, internal_ports);
      return index(node) * internal_ports_ + static_cast<std::size_t>(its);
    };
    link.injection = place(channel.node, channel.port);
    link.ejection = place(to, topology.arrival_port(channel.node, channel.port));
    if (is_backwards) std::swap(link.from, link.to);
    const auto number = static_cast<std::uint32_t>(links_.size());
    into_[index(link.to)].push_back(number);
    out_of_[index(link.from)].push_back(number);
    links_.push_back(std::move(link));
  }
}

std::vector<int> PlanLinks::hops_to(NodeId node) const {
  return hops(node, into_, [this](std::uint32_t link) { return links_[link].from; });
}

std::vector<int> PlanLinks::hops_from(NodeId node) const {
  return hops(node, out_of_, [this](std::uint32_t link) { return links_[link].to; });
}

}  // namespace allport
