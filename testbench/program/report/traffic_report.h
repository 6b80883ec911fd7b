// SPDX-License-Identifier: Apache-2.0
// These functions put synthetic traffic and what became of it into words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "testbench/plan/plan_run.h"
#include "testbench/program/report/report_lines.h"
#include "testbench/results/results.h"
#include "traffic/patterns/collective_load.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

std::string in_words(const TrafficRequest& traffic, const Topology& topology);
/// The lengths of its messages.
std::string lengths_in_words(const TrafficRequest& traffic);
/// The same of a pattern beside ranks, with the length of its messages.
std::string background_in_words(const TrafficRequest& traffic, const Topology& topology);
/// The load of collectives of the algorithm of this name from `sources` nodes.
std::string in_words(const CollectiveLoad& load, std::string_view algorithm, std::size_t sources);

/// ` (1.05 us)` where the run has a clock, otherwise nothing.
std::string in_microseconds(const RunPlan& plan, double cycles);
/// What became of a pattern, alone or beside others, and of collectives that start at random.
ReportLines pattern_lines(const RunPlan& plan, const TrafficResults& traffic, const Style& style);
ReportLines closed_loop_lines(const RunPlan& plan, const ClosedLoopResults& loop,
                              const Style& style);
ReportLines load_lines(const RunPlan& plan, const LoadResults& load, const Style& style);

}  // namespace allport
