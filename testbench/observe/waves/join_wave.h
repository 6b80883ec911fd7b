// SPDX-License-Identifier: Apache-2.0
// A JoinWave is the join unit of one router in a wave: which join the router brings together, whose
// contributions have come, and from when on it takes part. It follows from the buffers alone, so
// that it is the same for every model of the router; the rule is that of the unit
// (rtl_model/systemc/join_unit.h). Of several joins of which contributions have come to a switch it
// shows the one that leaves or may leave, else that of the lowest input.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rtl_model/systemc/router_state.h"
#include "rtl_model/topology/routing.h"
#include "testbench/observe/waves/wave_window.h"

namespace allport {

class JoinWave {
 public:
  /// Declares the signals in a scope of their own in the open one.
  JoinWave(WaveWindow& window, const RouterState& router, const Routing& routing);

  /// Shows cycle `now`, in which the buffers begin with `fronts`, by input VC; null: it is empty.
  void show(const std::vector<const Flit*>& fronts, Cycle now);
  /// Whether there was a join in the recorded cycles.
  bool is_used() const { return is_used_; }

 private:
  const Flit* look_at_local(const std::vector<const Flit*>& fronts);
  const Flit* look_in_switch(const std::vector<const Flit*>& fronts);
  bool has_all(const std::vector<const Flit*>& fronts, const Flit& head);
  void open(const Flit& head);
  // Arrivals are known only where there are delays.
  Cycle arrival(int input_vc) const { return delay_ > 0 ? router_.front_arrival(input_vc) : 0; }
  bool find_operand(const std::vector<const Flit*>& fronts, const Flit* speaking, int input);
  void show_none();

  WaveWindow& window_;
  const RouterState& router_;
  const Routing& routing_;
  const bool is_switch_;
  const int local_vc_;
  WaveSignal message_{}, expected_{}, arrived_{}, ready_{}, held_{};
  MessageId join_ = no_message;  // from its head at the front to its tail
  bool is_under_way_ = false;    // in a switch: from when all heads are there to the tail
  int speaking_vc_ = 0;          // in a switch: the input VC of what speaks for it then
  bool is_at_tail_ = false;      // whether the flit that spoke last was the tail
  PortMask inputs_ = 0;
  int delay_ = 0;
  std::array<int, max_external_ports> vcs_{};  // by input: the VC of the operand
  bool is_used_ = false;
};

}  // namespace allport
