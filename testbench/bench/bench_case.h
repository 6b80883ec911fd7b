// SPDX-License-Identifier: Apache-2.0
// The fixed cases of `allport bench`: each is a run, said by its options.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "testbench/plan/plan_run.h"

namespace allport {

struct BenchCase {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;  ///< keys and values of the run
  bool has_rtl = false;                                      ///< measured on the models in RTL too

  bool is_pattern() const;
};

/// Uniform traffic on four fabrics, at three loads with messages of 16 and 64 flits, at one with
/// messages of 1024; collectives.
const std::vector<BenchCase>& bench_cases();

/// The run; `cycles` > 0: of a pattern, instead of those of the case.
RunPlan plan_case(const BenchCase& one, Cycle cycles);

}  // namespace allport
