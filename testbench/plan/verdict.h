// SPDX-License-Identifier: Apache-2.0
// What is known of a run's schedule without simulating it, and whether the simulation agrees.
#pragma once

#include <optional>
#include <string>

#include "testbench/plan/plan_run.h"
#include "testbench/results/results.h"
#include "traffic/proof/schedule_check.h"

namespace allport {

/// The static check of the last trial's schedule; none for patterns, several collectives at once
/// and worms of other kinds than unicast.
std::optional<ScheduleReport> static_check(const RunPlan& plan);

/// A sentence when a collective that was alone is free of contention by Theorem 1 and yet showed an
/// event: one of the two is wrong. Else empty.
std::string contradiction(const RunPlan& plan, const Results& results);

/// Why the run is not complete, in one sentence; empty when it is.
std::string fault(const Results& results);

}  // namespace allport
