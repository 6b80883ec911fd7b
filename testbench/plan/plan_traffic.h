// SPDX-License-Identifier: Apache-2.0
// These functions plan the pattern or the flows of a run, alone or beside ranks.
#pragma once

#include <optional>

#include "rtl_model/base/ids.h"
#include "testbench/plan/plan_run.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

/// Cycles in which a pattern beside ranks starts messages at most, where its cycles are not given:
/// it ends with the ranks, but not all ranks end.
constexpr Cycle most_background_cycles = 1000000;

/// The pattern of the request, which sends messages beside ranks that carry out tasks or run
/// programs; none: there is none. Throws as plan() does.
std::optional<TrafficRequest> plan_background(RunPlan& plan);
/// The pattern, or the flows, of the request. Throws as plan() does.
TrafficRequest plan_traffic(const RunPlan& plan);
/// Fills `plan` with them as its work. Throws as plan() does.
void plan_pattern(RunPlan& plan);

}  // namespace allport
