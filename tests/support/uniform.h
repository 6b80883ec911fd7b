// SPDX-License-Identifier: Apache-2.0
// The pattern that most tests of patterns run.
#pragma once

#include "testbench/plan/work.h"

namespace allport::test {

/// The pattern `uniform`, measured from the first cycle on.
inline PatternWork uniform(double rate, Cycle cycles) {
  TrafficRequest request;
  request.rate = rate;
  request.cycles = cycles;
  return {request};
}

}  // namespace allport::test
