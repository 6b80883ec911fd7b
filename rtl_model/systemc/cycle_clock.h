// SPDX-License-Identifier: Apache-2.0
// A CycleClock counts cycles: every fabric is one, and whatever else counts in cycles reads it.
// Whoever waits for a later cycle asks it for the time until then, so that nobody waits for what
// lies beyond the end of a run, or of the time that the kernel has.
#pragma once

#include <optional>
#include <string>
#include <systemc>

#include "rtl_model/base/ids.h"
#include "rtl_model/systemc/language.h"

namespace allport {

class CycleClock {
 public:
  /// `period` > 0. With that of finest_period() a kernel's time lasts longest.
  explicit CycleClock(const sc_core::sc_time& period) : period_(period) {}
  virtual ~CycleClock() = default;
  static sc_core::sc_time finest_period() { return sc_core::sc_get_time_resolution(); }

  /// The cycle in which the present simulation time lies, counted from the last reset.
  virtual Cycle cycle() const { return cycles_in(sc_core::sc_time_stamp() - reset_time_); }
  const sc_core::sc_time& clock_period() const { return period_; }
  /// The whole cycles of `time`.
  Cycle cycles_in(const sc_core::sc_time& time) const {
    return static_cast<Cycle>(time.value() / period_.value());
  }

  /// A run begins now: the cycles of all its trials count from here.
  void begin_run();
  /// The time that passes until it is `cycles` cycles later, >= 0. None: a run does not last so
  /// long. Nobody must wait for it, and the clock keeps in mind that the run is cut short there.
  std::optional<sc_core::sc_time> ahead(Cycle cycles) const;
  /// The cycles for which ahead() has a time.
  Cycle room() const;
  /// Why the run was cut short, in a sentence; empty: it was not.
  std::string overrun() const;

 protected:
  /// Cycle 0 begins now.
  void restart() { reset_time_ = sc_core::sc_time_stamp(); }
  /// The part of the present cycle that has passed.
  sc_core::sc_time passed() const {
    return sc_core::sc_time::from_value((sc_core::sc_time_stamp() - reset_time_).value() %
                                        period_.value());
  }

 private:
  Cycle spent() const { return cycles_in(sc_core::sc_time_stamp() - run_begin_); }

  const sc_core::sc_time period_;
  sc_core::sc_time reset_time_;
  sc_core::sc_time run_begin_;
  mutable std::optional<Cycle> cut_;  // the earliest cycle for which somebody would have waited
};

}  // namespace allport
