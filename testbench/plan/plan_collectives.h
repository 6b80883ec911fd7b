// SPDX-License-Identifier: Apache-2.0
// These functions fill a plan with what processors send by plan: the collectives of an algorithm or
// a schedule file, or the tasks of ranks.
#pragma once

#include "testbench/plan/plan_run.h"

namespace allport {

/// Fills `plan` with the collectives of `algorithm`, planned as the rest of its request says;
/// throws as traffic/algorithms/algorithms.h does.
void plan_algorithm(RunPlan& plan, const Algorithm& algorithm);

/// Fills `plan` with those of the schedule file of its request, or with its messages as tasks if
/// they have lengths or starts of their own. Throws as plan() does.
void plan_schedule(RunPlan& plan);

/// Fills `plan` with the tasks of its request, and the pattern beside them, if there is one. Throws
/// as plan() does.
void plan_graph(RunPlan& plan);

}  // namespace allport
