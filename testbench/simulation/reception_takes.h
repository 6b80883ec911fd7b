// SPDX-License-Identifier: Apache-2.0
// ReceptionTakes takes messages out of the reception buffers of a machine, now or in a later cycle.
#pragma once

#include <functional>
#include <queue>
#include <systemc>
#include <vector>

#include "testbench/simulation/machine.h"
#include "tlm/processor/reception_taker.h"

namespace allport {

class ReceptionTakes final : public sc_core::sc_module, public ReceptionTaker {
 public:
  explicit ReceptionTakes(const sc_core::sc_module_name& name);

  /// `machine` has reception buffers; it must outlive the runs.
  void serve(Machine& machine) { machine_ = &machine; }
  /// From now on what is taken is noted in `movement`, which must outlive the runs.
  void note_in(Movement& movement) { movement_ = &movement; }
  void reset();

  // ReceptionTaker
  void take(const Received& one, Cycle at) override;

 private:
  struct Later {
    Cycle at;
    Received one;
    bool operator>(const Later& other) const { return at > other.at; }
  };
  void take_now(const Received& one);
  void take_due();
  void set_timer();

  Machine* machine_ = nullptr;
  Movement* movement_ = nullptr;  // null: nobody asked for it
  std::priority_queue<Later, std::vector<Later>, std::greater<>> later_;
  sc_core::sc_event due_;
};

}  // namespace allport
