// SPDX-License-Identifier: Apache-2.0
// When the machine does not have the memory for a run, these functions say how large the run is,
// and which of its options make it smaller.
#pragma once

#include <string>

#include "testbench/plan/plan_run.h"

namespace allport {

/// `the run has 1569792 messages; fewer --trials or fewer nodes need less`
std::string size_in_words(const RunPlan& plan);

/// Before there is a plan: `ring-allreduce on ring:4096 is planned whole, 3 trials of it; ..`
std::string size_in_words(const RunRequest& request);

}  // namespace allport
