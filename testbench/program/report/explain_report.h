// SPDX-License-Identifier: Apache-2.0
// These functions put explanations (docs/explain.md) into words, as JSON and as tables.
#pragma once

#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/program/terminal/style.h"
#include "testbench/results/explanation.h"
#include "testbench/results/results.h"

namespace allport {

/// What `allport explain` prints of the explanation of `results`: the critical path, the sum of the
/// causes, the roots, the channels and sources, and what follows from them.
std::string explanation_report(const RunPlan& plan, const Results& results, const Style& style);

/// A heading and one line for each message: its cycles, then a column for each cause.
std::string messages_csv(const std::vector<MessageAccount>& messages, const Topology& topology);

/// A heading and one line for each channel and stretch of the run.
std::string channels_csv(const std::vector<ChannelUse>& channels, const Topology& topology);

}  // namespace allport
