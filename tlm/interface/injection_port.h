// SPDX-License-Identifier: Apache-2.0
// This rule chooses the injection port of a message, once for network interfaces and for processors
// that prepare messages port by port.
#pragma once

#include <string>
#include <tlm>

#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/topology/routing.h"
#include "tlm/message/message.h"

namespace allport {

/// The injection port of `message`, which `source` sends: the one that its sender chose; for a tree
/// or path worm and for a contribution to a join port 0; otherwise that of the first external
/// channel, modulo their number.
inline int injection_port(const tlm::tlm_generic_payload& message, NodeId source,
                          const RouterConfig& config, const Routing& routing) {
  const auto& extension = *message.get_extension<MessageExtension>();
  const Topology& topology = routing.topology();
  if (extension.injection >= 0) {
    return extension.injection % internal_ports_of(topology, source, config.internal_ports);
  }
  if (goes_to_all(extension.kind) || is_join(extension.kind)) return 0;
  const auto last = static_cast<NodeId>(message.get_address());
  const NodeId destination = extension.via.empty() ? last : extension.via.front();
  const Hop hop = routing.first_hop(extension.kind, source, destination, extension.ties);
  return internal_port_of(topology, source, hop.port, config.internal_ports);
}

/// Why `source` may not contribute `message` to a join by the port that it chose, in a sentence;
/// empty if it may: routers look for contributions on port 0.
inline std::string join_port_fault(const tlm::tlm_generic_payload& message, NodeId source,
                                   const RouterConfig& config, const Routing& routing) {
  const int port = injection_port(message, source, config, routing);
  if (port == 0) return {};
  return "node " + std::to_string(index(source)) +
         ": contributions to joins are injected on port 0, and this one is to go by port " +
         std::to_string(port);
}

}  // namespace allport
