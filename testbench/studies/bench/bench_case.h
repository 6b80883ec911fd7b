// SPDX-License-Identifier: Apache-2.0
// These are the fixed cases of `allport bench`.
#pragma once

#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"

namespace allport {

struct BenchCase {
  std::string name;
  RunRequest run;
  bool has_rtl = false;  ///< whether it is measured on the models in RTL too

  bool is_pattern() const { return !run.traffic.pattern.empty(); }
};

/// Uniform traffic on four fabrics, at three loads with messages of 16 and 64 flits and at one load
/// with messages of 1024 flits; then collectives, and one of the cases by a routing table.
const std::vector<BenchCase>& bench_cases();

/// The plan of `one`; a pattern runs for `cycles` cycles, or if that is 0 for its own number.
RunPlan plan_case(const BenchCase& one, Cycle cycles);

}  // namespace allport
