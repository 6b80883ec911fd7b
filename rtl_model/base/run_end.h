// SPDX-License-Identifier: Apache-2.0
// A run ends by its last cycle: this is the one limit of everything that lasts. Sums of a few times
// up to it fit into a Cycle.
#pragma once

#include <string>

#include "rtl_model/base/ids.h"

namespace allport {

/// The last cycle of a run, all its trials counted together.
constexpr Cycle last_cycle = 1'000'000'000'000'000'000;

/// The end of a sentence that says why something cannot be run.
inline std::string end_of_run() { return "a run ends by cycle 10^18"; }

/// The sum of two times >= 0; the largest Cycle where there is none so large.
constexpr Cycle sum_of_times(Cycle a, Cycle b) { return a > INT64_MAX - b ? INT64_MAX : a + b; }

}  // namespace allport
