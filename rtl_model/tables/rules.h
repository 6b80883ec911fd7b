// SPDX-License-Identifier: Apache-2.0
// The rules by which tables are made. Each throws std::invalid_argument with one sentence for what
// does not fit the fabric; table_proof.h judges what it makes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/tables/make_table.h"

namespace allport {

/// Calls `action` with both ends of each channel that is there and the port by which it begins, by
/// router, then port.
template <class Action>
void for_each_channel_there(const Topology& topology, const std::vector<Channel>& missing,
                            Action action) {
  for (const Channel channel : topology.channels()) {
    if (std::binary_search(missing.begin(), missing.end(), channel)) continue;
    const NodeId to = *topology.neighbour(channel.node, channel.port);
    action(static_cast<std::uint32_t>(index(channel.node)), static_cast<std::uint32_t>(index(to)),
           static_cast<std::uint8_t>(index(channel.port)));
  }
}

/// A table of one layer. `ports_to(destination)`: the ports by which heads go on from each router
/// to that node, RoutingTable::Entry::none where there is no way.
template <class PortsTo>
RoutingTable table_of_ports(const std::string& name, const Topology& topology, PortsTo ports_to) {
  using Entry = RoutingTable::Entry;
  RoutingTable table(name, topology.router_count(), topology.node_count(), 1);
  for (std::uint32_t to = 0; to < topology.node_count(); ++to) {
    heed_stop();
    const std::vector<std::uint8_t> ports = ports_to(to);
    for (std::uint32_t from = 0; from < ports.size(); ++from) {
      const Entry entry{from == to ? Entry::local : ports[from], 0};
      table.set(node_id(from), 0, node_id(to), entry);
      if (from != to && from < topology.node_count()) {
        table.set_injection(node_id(from), node_id(to), entry);
      }
    }
  }
  return table;
}

/// The routes of unicasts that are built in (routing.h): `order` is empty or, on a hypercube,
/// `ascending`. On rings and tori with V / C > 1 layer 0 is h or l, layer 1 is p.
RoutingTable dimension_table(const TableRequest& request, const std::string& order);

/// Up*/down* over the breadth-first tree from `root`, by its name, empty for the first node
/// [Schroeder91]: one layer. A channel is up if it leads to the smaller (depth, number). Where down
/// channels alone lead to the destination a head goes down by a shortest such way, elsewhere up
/// towards the shortest way; of equals by the lowest port.
RoutingTable updown_table(const TableRequest& request, const std::string& root);

/// The ways of a fat tree whose switches have levels, one below another: up until the destination
/// lies below, then down by a shortest way. Up it goes by the channel whose place among those that
/// lead up is the destination's digit there: its number, over the nodes below a child, mod their
/// number.
RoutingTable fattree_table(const TableRequest& request);

/// The minimal ways of a dragonfly whose nodes and switches have groups [Kim08]: within the group
/// to a channel that leads to the group of the destination, over it, and on within that group; of
/// equals by the lowest port. Layer 1 is that behind the channel between groups.
RoutingTable dragonfly_table(const TableRequest& request);

/// Shortest ways, spread evenly over the channels, with layers in which no channels wait for each
/// other in a cycle [Skeie02], [Domke11]: each message keeps the layer of its pair of nodes. Throws
/// with the cycle that is left if there are more layers than virtual channels.
RoutingTable shortest_table(const TableRequest& request);

}  // namespace allport
