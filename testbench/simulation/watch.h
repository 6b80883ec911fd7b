// SPDX-License-Identifier: Apache-2.0
// A Watch looks at a running fabric from outside: it reports progress now and then and ends the run
// on request.
#pragma once

#include <cstdint>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/systemc/observers.h"
#include "testbench/results/progress.h"

namespace allport {

class Watch final : public CycleObserver, public HearsInParts {
 public:
  explicit Watch(StopFlag stop) : stop_flag_(stop) {}

  void on_cycle(Cycle now) override;

  Progress progress;
  StopFlag stop_flag() const { return stop_flag_; }
  bool was_stopped() const { return was_stopped_; }

  /// The fraction done at cycle 0, what a trial adds to it by its end, and the trial's length if
  /// known.
  void begin_trial(double done, double share, Cycle expected_cycles);

 private:
  StopFlag stop_flag_;
  std::uint32_t calls_ = 0;
  double done_ = 0;
  double share_ = 0;
  Cycle expected_cycles_ = 0;
  bool was_stopped_ = false;
};

}  // namespace allport
