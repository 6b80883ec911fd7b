// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/cycle_clock.h"

#include <algorithm>

#include "rtl_model/base/run_end.h"

namespace allport {

void CycleClock::begin_run() {
  run_begin_ = sc_core::sc_time_stamp();
  cut_.reset();
}

Cycle CycleClock::room() const {
  const sc_dt::uint64 kernel =
      (sc_core::sc_max_time() - sc_core::sc_time_stamp()).value() / period_.value();
  const auto run = static_cast<sc_dt::uint64>(std::max<Cycle>(last_cycle - spent(), 0));
  return static_cast<Cycle>(std::min(run, kernel));
}

std::optional<sc_core::sc_time> CycleClock::ahead(Cycle cycles) const {
  if (cycles <= room()) {
    return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(cycles) * period_.value());
  }
  const Cycle wanted = sum_of_times(cycle(), cycles);
  cut_ = cut_ ? std::min(*cut_, wanted) : wanted;
  return std::nullopt;
}

std::string CycleClock::overrun() const {
  if (!cut_) return {};
  std::string words = "what comes next is due in cycle " + std::to_string(*cut_);
  if (*cut_ > last_cycle) return words + ", and " + end_of_run();
  if (cut_.value() + spent() - cycle() > last_cycle) {
    return words + " of a trial, and " + end_of_run() + ", all its trials counted";
  }
  return words + ", which is beyond the time that SystemC's kernel has for all runs of a process";
}

}  // namespace allport
