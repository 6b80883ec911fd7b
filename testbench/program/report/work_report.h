// SPDX-License-Identifier: Apache-2.0
// This header puts into words and JSON what the work of a run is (testbench/plan/work.h).
#pragma once

#include "testbench/plan/plan_run.h"
#include "testbench/program/report/report_lines.h"
#include "testbench/results/json.h"

namespace allport {

/// Adds what of the `config` of a run says its work, and takes away what says nothing of it.
void add_work(Json& json, const RunPlan& plan);
/// The part of it that says which nodes take part and where ranks sit.
void add_places(Json& json, const RunRequest& request, const Topology& topology);

/// `steps`: how many the schedules took at most.
ReportLines work_lines(const RunPlan& plan, int steps);

}  // namespace allport
