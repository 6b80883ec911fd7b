// SPDX-License-Identifier: Apache-2.0
// This function splits what a run takes beyond its lower bound into named parts (docs/timing.md,
// from the bound to the run).
#pragma once

#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/base/stop_flag.h"
#include "testbench/plan/plan_run.h"
#include "testbench/results/results.h"

namespace allport {

/// Tells the explanation of `results`, those of `plan`, its way to the bound, or why there is none.
/// Heeds `stop`, and says that it did.
void tell_way_to_bound(const RunPlan& plan, Results& results, StopFlag stop);

/// The cycles in which flits of a step follow one another on the critical path, by step; those of
/// steps that are not on it are 0. Empty: `results`, those of `plan`, have no way to the bound.
std::vector<Cycle> transfers_by_step(const RunPlan& plan, const Results& results);

}  // namespace allport
