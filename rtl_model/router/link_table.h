// SPDX-License-Identifier: Apache-2.0
// A LinkTable has the delay and the phits of each external channel of a fabric whose channels are
// not alike in a dimension: the links of a graph.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/topology/topology.h"

namespace allport {

struct LinkTable {
  /// All channels of `topology` have this delay, in cycles, and so many phits, 1 .. 64.
  LinkTable(const Topology& topology, int delay, int phits)
      : ports(topology.port_count()),
        delays(topology.router_count() * ports, static_cast<std::uint16_t>(delay)),
        input_delays(delays),
        further_phits(delays.size(), static_cast<std::uint8_t>(phits - 1)) {}

  std::size_t place(NodeId node, std::size_t port) const { return index(node) * ports + port; }
  /// Gives `channel` of `topology` its own.
  void set(const Topology& topology, Channel channel, int delay, int phits) {
    const NodeId to = *topology.neighbour(channel.node, channel.port);
    const PortId input = topology.arrival_port(channel.node, channel.port);
    delays[place(channel.node, index(channel.port))] = static_cast<std::uint16_t>(delay);
    input_delays[place(to, index(input))] = static_cast<std::uint16_t>(delay);
    further_phits[place(channel.node, index(channel.port))] = static_cast<std::uint8_t>(phits - 1);
  }

  /// Whether some channel carries less than a flit in a cycle.
  bool has_narrow_channels() const {
    return std::any_of(further_phits.begin(), further_phits.end(),
                       [](int further) { return further > 0; });
  }

  std::size_t ports;                        // external ones of a router
  std::vector<std::uint16_t> delays;        // of the channel of each output, by router, then port
  std::vector<std::uint16_t> input_delays;  // of the channel that ends at each input
  std::vector<std::uint8_t> further_phits;  // s - 1 of the channel of each output
};

}  // namespace allport
