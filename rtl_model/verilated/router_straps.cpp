// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/verilated/router_straps.h"

#include "rtl_model/verilated/pin_layout.h"

namespace allport {

std::size_t table_addresses(const Topology& topology) {
  return std::size_t{1} << index_width(topology.node_count());
}

// Row by row: of each layer by which a head may come, then of injection, the hop to each address. A
// hop is the output, which is the number of outputs where there is none, and above it the layer.
std::vector<std::uint32_t> table_rows(const RouterConfig& config, const Routing& routing,
                                      NodeId node) {
  const RoutingTable& table = *routing.table();
  const int port_width = index_width(static_cast<std::size_t>(config.external_ports) + 1);
  const auto local = static_cast<std::uint32_t>(config.external_ports);
  const std::size_t addresses = table_addresses(routing.topology());
  std::vector<std::uint32_t> rows;
  rows.reserve(static_cast<std::size_t>(config.layers + 1) * addresses);
  for (int arrival = 0; arrival <= config.layers; ++arrival) {
    const bool is_injected = arrival == config.layers;
    for (std::size_t address = 0; address < addresses; ++address) {
      RoutingTable::Entry entry;
      const bool is_known = is_injected || arrival < table.layers();
      if (is_known && address < table.node_count()) {
        entry = table.at(node, is_injected ? table.layers() : arrival, node_id(address));
      }
      rows.push_back(entry.is_hop() ? static_cast<std::uint32_t>(entry.layer) << port_width |
                                          std::uint32_t{entry.port}
                                    : local);
    }
  }
  return rows;
}

void set_straps(PinModel& model, const RouterConfig& config, const Routing& routing, NodeId node) {
  if (routing.table() == nullptr) return;
  const std::vector<std::uint32_t> rows = table_rows(config, routing, node);
  model.set_table(rows.data(), rows.size());
  for (int port = 0; port < config.external_ports; ++port) {
    const auto phits = static_cast<std::uint64_t>(config.phits_at(node, port));
    put_bits(model.inputs().phits_i, static_cast<std::size_t>(port) * 8, 8, phits);
  }
}

}  // namespace allport
