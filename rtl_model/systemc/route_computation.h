// SPDX-License-Identifier: Apache-2.0
// Route computation finds, for the head at the front of a buffer, the external outputs that its
// worm takes at this router and the class of virtual channel that it requests there; both are held
// until the tail has left. It is combinational in the fields of the head, the input and the address
// of the node. A multidestination or label worm that has reached one of its destinations goes on to
// the next one, with a list that is one entry shorter.
#pragma once

#include <cstdint>

#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/unit.h"

namespace allport {

/// What the worm at the front of a buffer needs from this router.
struct Route {
  PortMask outputs = 0;  ///< one bit per output, ejection channels included; 0: not routed yet
  VcClass vc_class = VcClass::h_or_l;  ///< that of all other external outputs
  bool is_replicated = false;  ///< whether the delay r applies: a tree worm with external branches
  bool is_stripped = false;    ///< whether this node is taken off the list that goes on
  bool is_adaptive = false;    ///< whether it may request any useful port until it has a VC
  bool is_join = false;        ///< whether it is the contribution to a join that speaks
  bool is_operand = false;    ///< whether it is another contribution, which takes no part by itself
  bool is_relayed = false;    ///< whether it is the only one at a switch: the delay c applies
  bool is_in_switch = false;  ///< whether a tree worm finds no processor here
  std::uint32_t outputs_of_class_p = 0;  ///< of a tree worm: external outputs of this class
  // Valid once a worm with one branch has its virtual channel there:
  std::int16_t output = -1;    ///< that branch; -1: not yet, or the worm has several
  std::int16_t output_vc = 0;  ///< number of the virtual channel among all those of the router
  std::int16_t vc = 0;         ///< its number on the branch

  /// Whether from now on the worm needs only credits and the switch.
  bool streams() const { return output >= 0; }
};

class RouteComputation : public Unit {
 public:
  RouteComputation(const char* name, const RouterConfig& config, const Routing& routing,
                   NodeId node, UnitPlace place = {});

  void reset();
  /// The external outputs taken by the worm with this `head`, which came in on `input`: a label
  /// worm leaves its source by the hop that the sender chose. Of a contribution to a join all
  /// outputs, the ejection channel at the root included; none if it is an operand.
  Route route(const Flit& head, int input = 0) const;
  /// Whether the head at the front of `channel_vc`, which has no route in cycle `now`, gets one: a
  /// cycles after the first call for it.
  bool is_due(int channel_vc, Cycle now) {
    if (config_.route_delay == 0) return true;
    Cycle& first = first_calls_q_[channel_vc];
    if (first == no_call) first = now;
    if (now < first + config_.route_delay) return false;
    first = no_call;
    return true;
  }
  /// The `head` as it goes on to the next destination of its list.
  static Flit strip(const Flit& head) {
    Flit next = head;
    next.address = head.via.front();
    next.via = head.via.rest();
    return next;
  }
  /// The ports by which a message with this `head` may leave under adaptive routing.
  PortMask useful_ports(const Flit& head) const {
    return Routing::useful_ports(node_, head.address);
  }
  /// Notes that the worm at the front of `channel_vc` requests `output` in this cycle.
  void turn(int channel_vc, int output) { routes_q_[channel_vc].outputs = PortMask{1} << output; }
  /// Holds `route` for the worm at the front of `channel_vc`.
  void hold(int channel_vc, const Route& route) { routes_q_[channel_vc] = route; }
  /// Notes that the worm at the front of `channel_vc`, whose only branch is `output`, has its VC
  /// `vc` there.
  void stream(int channel_vc, int output, int output_vc, int vc) {
    Route& route = routes_q_[channel_vc];
    route.output = static_cast<std::int16_t>(output);
    route.output_vc = static_cast<std::int16_t>(output_vc);
    route.vc = static_cast<std::int16_t>(vc);
  }
  /// Forgets the route, since the tail has left.
  void clear(int channel_vc) { hold(channel_vc, Route{}); }
  const Route& of(int channel_vc) const { return routes_q_[channel_vc]; }
  const Routing& routing() const { return routing_; }

 private:
  static constexpr Cycle no_call = -1;

  void set_tree(const Flit& head, Route& route) const;
  void set_join(const Flit& head, int input, Route& route) const;

  const Routing& routing_;
  NodeId node_;
  Registers<Route> routes_q_;
  Registers<Cycle> first_calls_q_;  // by input VC, if a > 0
};

}  // namespace allport
