// SPDX-License-Identifier: Apache-2.0
// A CycleClock counts cycles: every fabric is one, and whatever else counts in cycles reads it.
#pragma once

#include <systemc>

#include "rtl_model/base/ids.h"
#include "rtl_model/systemc/language.h"

namespace allport {

class CycleClock {
 public:
  virtual ~CycleClock() = default;
  /// The cycle in which the present simulation time lies, counted from the last reset.
  virtual Cycle cycle() const = 0;
  virtual sc_core::sc_time clock_period() const = 0;
};

}  // namespace allport
