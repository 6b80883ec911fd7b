// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/route_computation.h"

#include "rtl_model/router/vc_choice.h"
#include "rtl_model/topology/group_routes.h"

namespace allport {

RouteComputation::RouteComputation(const char* name, const RouterConfig& config,
                                   const Routing& routing, NodeId node, UnitPlace place)
    : Unit(name, config, place),
      routing_(routing),
      node_(node),
      routes_q_(this->arena(), config.channel_vcs()),
      first_calls_q_(this->arena(), config.route_delay > 0 ? config.channel_vcs() : 0, no_call) {}

void RouteComputation::reset() {
  routes_q_.fill(config_.channel_vcs(), {});
  if (config_.route_delay > 0) first_calls_q_.fill(config_.channel_vcs(), no_call);
}

Route RouteComputation::route(const Flit& head, int input) const {
  Route route;
  if (head.kind == MessageKind::tree) {
    set_tree(head, route);
    return route;
  }
  if (is_join(head.kind)) {
    set_join(head, input, route);
    return route;
  }
  route.is_stripped = head.address == node_ && !head.via.empty();
  const NodeId destination = route.is_stripped ? head.via.front() : head.address;
  const VcClass arrival = config_.is_external(input)
                              ? class_of(config_, static_cast<int>(index(head.vc)))
                              : VcClass::injected;
  if (const auto hop = routing_.next_hop(head.kind, node_, destination, head.ties, arrival)) {
    route.outputs = PortMask{1} << index(hop->port);
    route.vc_class =
        routing_.requested_class(node_, *hop, static_cast<std::size_t>(input), arrival);
    route.is_adaptive = routing_.is_adaptive();
  }
  return route;
}

// The branches of a tree worm with this `head`.
void RouteComputation::set_tree(const Flit& head, Route& route) const {
  route.outputs = tree_outputs(routing_, node_, head.address, head.free());
  route.is_replicated = route.outputs != 0;
  route.is_in_switch = index(node_) >= routing_.topology().node_count();
  if (config_.join_vcs > 0) {
    route.vc_class = VcClass::tree;
  } else if (config_.layers > 1) {
    route.outputs_of_class_p = static_cast<std::uint32_t>(
        tree_outputs_of_class_p(routing_.topology(), node_, head.address, route.outputs));
  }
}

// A contribution that came from elsewhere leaves with the local one, in a switch with the one on
// the lowest input; a switch hands on what comes by one input only. At the root the result leaves
// by ejection channel 0; that of a join-tree also goes back as a tree, whose delay the join unit
// heeds.
void RouteComputation::set_join(const Flit& head, int input, Route& route) const {
  const std::optional<int> speaker = join_speaker(routing_, node_, head.address);
  route.is_operand = config_.is_external(input) && input != speaker;
  if (route.is_operand) return;
  const PortMask inputs = speaker ? join_inputs(routing_, node_, head.address, head.free()) : 0;
  route.is_relayed = speaker && inputs == PortMask{1} << *speaker;
  route.is_join = !route.is_relayed;
  if (const auto hop = join_hop(routing_, node_, head.address)) {
    route.outputs = PortMask{1} << index(hop->port);
    route.vc_class = config_.join_vcs > 0 ? VcClass::join : hop->vc_class;
    return;
  }
  if (head.kind == MessageKind::join_tree) set_tree(head, route);
  route.is_replicated = false;
  route.outputs |= PortMask{1} << config_.external_ports;
}

}  // namespace allport
