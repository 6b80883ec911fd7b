// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/routing_table.h"

#include <stdexcept>

#include "rtl_model/base/words.h"

namespace allport {

void require_table_entries(const std::string& name, std::size_t routers, std::size_t nodes,
                           int layers) {
  const std::uint64_t entries = std::uint64_t{routers} * nodes * static_cast<std::uint64_t>(layers);
  if (entries <= max_table_entries) return;
  throw std::invalid_argument("routing " + name + ": a table of " + std::to_string(routers) +
                              " routers, " + std::to_string(nodes) + " nodes and " +
                              counted(static_cast<std::uint64_t>(layers), "layer") + " has " +
                              std::to_string(entries) + " entries; at most " +
                              std::to_string(max_table_entries) + " are possible");
}

RoutingTable::RoutingTable(std::string name, std::size_t routers, std::size_t nodes, int layers)
    : name_(std::move(name)), routers_(routers), nodes_(nodes), layers_(layers) {
  require_table_entries(name_, routers, nodes, layers);
  entries_.resize(routers * nodes * static_cast<std::size_t>(layers + 1));
}

}  // namespace allport
