// SPDX-License-Identifier: Apache-2.0
// These functions put a run of tasks into words and JSON.
#pragma once

#include <string>

#include "testbench/plan/plan_run.h"
#include "testbench/program/report/report_lines.h"
#include "testbench/results/json.h"
#include "testbench/results/results.h"

namespace allport {

/// `ts 10 + 2 a flit, tr 0, blocking sends, ..`: what a node spends on a message.
std::string node_in_words(const SimulationConfig& config);

/// `tasks.jsonl: 12 tasks of 4 ranks, 3 messages with 192 bytes in all`
std::string tasks_in_words(const RunPlan& plan);

/// What the ranks did; for a run that is complete.
ReportLines task_lines(const RunPlan& plan, const TaskResults& results);

Json tasks_json(const RunPlan& plan, const TaskResults& results);

}  // namespace allport
