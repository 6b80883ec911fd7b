// SPDX-License-Identifier: Apache-2.0
// This function splits what a run takes beyond its lower bound into named parts (docs/timing.md,
// from the bound to the run).
#pragma once

#include "rtl_model/base/stop_flag.h"
#include "testbench/plan/plan_run.h"
#include "testbench/results/results.h"

namespace allport {

/// Tells the explanation of `results`, those of `plan`, its way to the bound, or why there is none.
/// Heeds `stop`, and says that it did.
void tell_way_to_bound(const RunPlan& plan, Results& results, StopFlag stop);

}  // namespace allport
