// SPDX-License-Identifier: Apache-2.0
// Route computation: for the head at the front of a buffer, the external outputs its worm takes at
// this router and the class of virtual channel it asks for there; held until the tail has left.
// Combinational in the head's fields and the node's address. A multidestination worm that has come
// to one of its destinations goes on to the next one, with a list that is one entry shorter.
#pragma once

#include <cstdint>

#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/unit.h"

namespace allport {

/// What the worm at the front of a buffer wants of this router.
struct Route {
  PortMask outputs = 0;  ///< one bit per output, ejection channels included; 0: not routed yet
  VcClass vc_class = VcClass::h_or_l;
  bool is_replicated = false;  ///< a tree worm with external branches: subject to the delay r
  bool is_stripped = false;    ///< this node's entry is taken off the list of what goes on
  bool is_adaptive = false;    ///< until it has a virtual channel, any useful port may be asked for
  // Once a worm with one branch has its virtual channel there:
  std::int16_t output = -1;    ///< that branch; -1: not so far, or the worm has several
  std::int16_t output_vc = 0;  ///< number of the virtual channel among all of the router
  std::int16_t vc = 0;         ///< its number on the branch

  /// Whether the worm needs nothing any more but credits and the switch.
  bool streams() const { return output >= 0; }
};

class RouteComputation : public Unit {
 public:
  RouteComputation(const sc_core::sc_module_name& name, const RouterConfig& config,
                   const Routing& routing, NodeId node, StateArena* arena = nullptr);

  void reset();
  /// The external outputs that the worm with this `head` takes.
  Route route(const Flit& head) const;
  /// The `head` as it goes on to the next destination of its list.
  static Flit strip(const Flit& head) {
    Flit next = head;
    next.address = head.via.front();
    next.via = head.via.rest();
    return next;
  }
  /// The ports that a message with this `head` may leave by under adaptive routing.
  PortMask useful_ports(const Flit& head) const {
    return Routing::useful_ports(node_, head.address);
  }
  /// The worm at the front of `channel_vc` asks for `output` in this cycle.
  void turn(int channel_vc, int output) { routes_q_[channel_vc].outputs = PortMask{1} << output; }
  /// Holds `route` for the worm at the front of `channel_vc`.
  void hold(int channel_vc, const Route& route) { routes_q_[channel_vc] = route; }
  /// The worm at the front of `channel_vc`, whose only branch is `output`, has its VC `vc` there.
  void stream(int channel_vc, int output, int output_vc, int vc) {
    Route& route = routes_q_[channel_vc];
    route.output = static_cast<std::int16_t>(output);
    route.output_vc = static_cast<std::int16_t>(output_vc);
    route.vc = static_cast<std::int16_t>(vc);
  }
  /// Forgets it: the tail has left.
  void clear(int channel_vc) { hold(channel_vc, Route{}); }
  const Route& of(int channel_vc) const { return routes_q_[channel_vc]; }

 private:
  const Routing& routing_;
  NodeId node_;
  Registers<Route> routes_q_;
};

}  // namespace allport
