// SPDX-License-Identifier: Apache-2.0
// This puts into words what a run is: the fabric, the messages and what they are sent for.
#pragma once

#include "testbench/plan/plan_run.h"
#include "testbench/program/report/report_lines.h"

namespace allport {

/// `steps`: how many the schedules took at most.
ReportLines setting_lines(const RunPlan& plan, int steps);

}  // namespace allport
