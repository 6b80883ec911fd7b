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
