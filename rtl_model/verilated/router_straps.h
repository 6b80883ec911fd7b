// SPDX-License-Identifier: Apache-2.0
// The straps of a router in RTL that follows a table are what it is told once, besides flits: its
// rows of the routing table and the phits of its channels (allport_table_router.sv).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/router/router_config.h"
#include "rtl_model/verilated/pin_model.h"

namespace allport {

/// Most external ports of a router in RTL with a table, and most rows of the table.
constexpr std::size_t max_rtl_table_ports = 32;
constexpr std::size_t max_rtl_table_rows = 65536;

/// The addresses of which a table in RTL has rows: the next power of two from the number of nodes
/// on, so that fabrics of about one size share a library.
std::size_t table_addresses(const Topology& topology);

/// The rows of the router of `node`, as its pins take them; `routing` has a table.
std::vector<std::uint32_t> table_rows(const RouterConfig& config, const Routing& routing,
                                      NodeId node);

/// Gives `model`, the router of `node`, its straps before it is reset; none if `routing` has no
/// table.
void set_straps(PinModel& model, const RouterConfig& config, const Routing& routing, NodeId node);

}  // namespace allport
