// SPDX-License-Identifier: Apache-2.0
// These functions report what was read of recorded workloads, in words and as JSON.
#pragma once

#include <vector>

#include "testbench/plan/replay.h"
#include "testbench/program/report/report_lines.h"
#include "testbench/results/json.h"

namespace allport {

/// How collectives that ranks call are carried out; `label` is that of the first line.
ReportLines collective_lines(const std::vector<CollectiveUse>& uses, const char* label);
Json collectives_json(const std::vector<CollectiveUse>& uses);

ReportLines replay_lines(const Replay& replay);

Json replay_json(const Replay& replay);

}  // namespace allport
