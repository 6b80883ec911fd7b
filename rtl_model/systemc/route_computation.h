// SPDX-License-Identifier: Apache-2.0
// Route computation: for the head at the front of a buffer, the external outputs its worm takes at
// this router and the class of virtual channel it asks for there; held until the tail has left.
// Combinational in the head's fields and the node's address.
#pragma once

#include "rtl_model/systemc/flit.h"
#include "rtl_model/systemc/unit.h"

namespace allport {

/// What the worm at the front of a buffer wants of this router.
struct Route {
  PortMask outputs = 0;  ///< one bit per output, ejection channels included; 0: not routed yet
  VcClass vc_class = VcClass::h_or_l;
  bool is_replicated = false;  ///< a tree worm with external branches: subject to the delay r
};

class RouteComputation : public Unit {
 public:
  RouteComputation(const sc_core::sc_module_name& name, const RouterConfig& config,
                   const Routing& routing, NodeId node, StateArena* arena = nullptr);

  void reset();
  /// The external outputs that the worm with this `head` takes.
  Route route(const Flit& head) const;
  /// Holds `route` for the worm at the front of `channel_vc`.
  void hold(int channel_vc, const Route& route) { routes_q_[channel_vc] = route; }
  /// Forgets it: the tail has left.
  void clear(int channel_vc) { hold(channel_vc, Route{}); }
  const Route& of(int channel_vc) const { return routes_q_[channel_vc]; }

 private:
  const Routing& routing_;
  NodeId node_;
  Registers<Route> routes_q_;
};

}  // namespace allport
