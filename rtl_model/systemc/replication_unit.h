// SPDX-License-Identifier: Apache-2.0
// Replication keeps which branches have taken the flit at the front of each buffer. A flit goes to
// each branch as soon as that branch has the virtual channel and a credit, never twice, and leaves
// the buffer when every branch has taken it, so the branches of a worm are never at different
// flits. A tree flit at a router with external branches is held r cycles, pipelined, before any
// branch may take it, and a join that a switch hands on is held c cycles.
#pragma once

#include "rtl_model/systemc/input_buffer.h"
#include "rtl_model/systemc/route_computation.h"
#include "rtl_model/systemc/unit.h"

namespace allport {

class ReplicationUnit : public Unit {
 public:
  ReplicationUnit(const char* name, const RouterConfig& config, UnitPlace place = {})
      : Unit(name, config, place), taken_q_(this->arena(), config.channel_vcs()) {}

  void reset() { taken_q_.fill(config_.channel_vcs(), 0); }

  /// The cycles for which a flit with this `route` is held.
  static int delay(const RouterConfig& config, const Route& route) {
    if (route.is_replicated) return config.replication_delay;
    return route.is_relayed ? config.combine_delay : 0;
  }
  /// Whether a flit with this `route` that came in cycle `arrival` is still held in cycle `now`.
  static bool is_held(const RouterConfig& config, const Route& route, Cycle arrival, Cycle now) {
    return now < arrival + delay(config, route);
  }
  /// The same for the front flit of `channel_vc`.
  bool holds(int channel_vc, const Route& route, const InputBuffer& buffer, Cycle now) const {
    return delay(config_, route) > 0 &&
           is_held(config_, route, buffer.front_arrival(channel_vc), now);
  }
  /// Branches that have not yet taken the front flit of `channel_vc`.
  PortMask pending(int channel_vc, const Route& route) const {
    return route.outputs & ~taken_q_[channel_vc];
  }
  /// Whether every branch has taken the front flit, which has not yet left.
  bool is_done(int channel_vc, const Route& route) const {
    return taken_q_[channel_vc] != 0 && pending(channel_vc, route) == 0;
  }
  /// Output `output` has taken the front flit of `channel_vc`.
  void take(int channel_vc, int output) { taken_q_[channel_vc] |= PortMask{1} << output; }
  /// The front flit has left the buffer.
  void next_flit(int channel_vc) { taken_q_[channel_vc] = 0; }

 private:
  Registers<PortMask> taken_q_;
};

}  // namespace allport
