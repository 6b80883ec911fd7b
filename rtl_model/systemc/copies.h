// SPDX-License-Identifier: Apache-2.0
// Which ejection output of a router takes a copy of a worm, where its node has a number of internal
// ports of its own: the ReceptionUnit knows the number of all.
#pragma once

#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/systemc/router.h"

namespace allport {

/// ReceptionUnit::copies() of the unit of `router`.
inline PortMask copies_at(const Router& router, int input, const Flit& head, const Route& route,
                          const RouterConfig& config) {
  const PortMask copies = router.reception_unit.copies(input, head, route);
  const Topology& topology = router.route_computation.routing().topology();
  if (copies == 0 || !has_own_internal_ports(topology)) return copies;
  const PortId port = port_id(static_cast<std::size_t>(input));
  return PortMask{1} << (config.external_ports +
                         internal_port_of(topology, router.node(), port, config.internal_ports));
}

}  // namespace allport
