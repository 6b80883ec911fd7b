// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/route_computation.h"

namespace allport {

RouteComputation::RouteComputation(const sc_core::sc_module_name& name, const RouterConfig& config,
                                   const Routing& routing, NodeId node, StateArena* arena)
    : Unit(name, config, arena),
      routing_(routing),
      node_(node),
      routes_q_(this->arena(), config.channel_vcs()) {}

void RouteComputation::reset() { routes_q_.fill(config_.channel_vcs(), {}); }

Route RouteComputation::route(const Flit& head, int input) const {
  Route route;
  if (head.kind == MessageKind::tree) {
    route.outputs = routing_.tree_branches(node_, head.address);
    route.is_replicated = route.outputs != 0;
    return route;
  }
  if (head.kind == MessageKind::path) {
    const auto port = routing_.path_branch(node_, head.address);
    if (port) route.outputs = PortMask{1} << index(*port);
    return route;
  }
  route.is_stripped = head.address == node_ && !head.via.empty();
  const NodeId destination = route.is_stripped ? head.via.front() : head.address;
  if (head.kind == MessageKind::label) {
    const TieMask chosen = config_.is_external(input) ? 0 : head.ties;
    const auto hop = routing_.label_route(node_, destination, chosen);
    if (hop) route.outputs = PortMask{1} << index(hop->port);
    return route;
  }
  if (const auto hop = routing_.route(node_, destination, head.ties)) {
    route.outputs = PortMask{1} << index(hop->port);
    route.vc_class = hop->vc_class;
    route.is_adaptive = routing_.is_adaptive();
  }
  return route;
}

}  // namespace allport
