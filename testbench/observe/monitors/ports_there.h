// SPDX-License-Identifier: Apache-2.0
// Which ports of a router have a channel, once for all that lists channels of a fabric. All routers
// of a fabric have the same numbers of ports, but at the edge of a mesh some external ones lead
// nowhere, on a graph routers have different ones, in a directed graph outputs and inputs are
// numbered apart, nodes have their own internal ports, and switches have none.
#pragma once

#include <cstddef>

#include "rtl_model/base/ids.h"
#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/topology/topology.h"

namespace allport {

/// The internal ports of the router of `node`, behind the external ones.
inline PortMask internal_ports_there(const RouterConfig& config, const Topology& topology,
                                     NodeId node) {
  const int own = internal_ports_of(topology, node, config.internal_ports);
  return ((PortMask{1} << own) - 1) << config.external_ports;
}

/// The outputs of the router of `node` that have a channel.
inline PortMask outputs_there(const RouterConfig& config, const Topology& topology, NodeId node) {
  PortMask outputs = internal_ports_there(config, topology, node);
  for (int port = 0; port < config.external_ports; ++port) {
    const bool is_there =
        topology.neighbour(node, port_id(static_cast<std::size_t>(port))).has_value();
    outputs |= PortMask{is_there} << port;
  }
  return outputs;
}

/// The same for its inputs.
inline PortMask inputs_there(const RouterConfig& config, const Topology& topology, NodeId node) {
  PortMask inputs = internal_ports_there(config, topology, node);
  for (int port = 0; port < config.external_ports; ++port) {
    const bool is_there =
        topology.incoming(node, port_id(static_cast<std::size_t>(port))).has_value();
    inputs |= PortMask{is_there} << port;
  }
  return inputs;
}

}  // namespace allport
