// SPDX-License-Identifier: Apache-2.0
// Where cycles are counted: every fabric is one, and whatever reckons in cycles beside it reads it.
#pragma once

#include <systemc>

#include "rtl_model/base/ids.h"
#include "rtl_model/systemc/language.h"

namespace allport {

class CycleClock {
 public:
  virtual ~CycleClock() = default;
  /// The cycle that the present simulation time lies in, counted from the last reset.
  virtual Cycle cycle() const = 0;
  virtual sc_core::sc_time clock_period() const = 0;
};

}  // namespace allport
