// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/watch.h"

#include <algorithm>

namespace allport {

void Watch::begin_trial(double done, double share, Cycle expected_cycles) {
  done_ = done;
  share_ = share;
  expected_cycles_ = expected_cycles;
}

void Watch::on_cycle(Cycle now) {
  if (is_set(stop_flag_) && !was_stopped_) {  // in each cycle: one of a large fabric takes long
    was_stopped_ = true;
    sc_core::sc_pause();
  }
  constexpr std::uint32_t interval = 1024;
  if (++calls_ % interval != 0 || !progress) return;
  const bool is_known = expected_cycles_ > 0 || share_ < 1;
  const double part =
      expected_cycles_ > 0
          ? std::min(1.0, static_cast<double>(now) / static_cast<double>(expected_cycles_))
          : 0;
  progress(is_known ? done_ + share_ * part : -1, now);
}

}  // namespace allport
