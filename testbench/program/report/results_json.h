// SPDX-License-Identifier: Apache-2.0
// These functions put results into JSON, whose keys scripts rely on (docs/guide/results.md). What
// follows from the results alone has its row in testbench/results/statistics.cpp; another key
// stands in its schema (schemas/), too.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "testbench/plan/clock.h"
#include "testbench/plan/plan_theory.h"
#include "testbench/plan/verdict.h"
#include "testbench/results/json.h"
#include "testbench/results/mean_estimate.h"
#include "testbench/results/results.h"
#include "testbench/results/statistics.h"

namespace allport {

/// `mean` and, where there is one, `half_width_95`; null for none.
Json estimate_json(const std::optional<MeanEstimate>& estimate);

/// The mean completion: `mean`, and for several trials `half_width_95`; null if there is none.
Json completion_json(const Results& results);

/// `algorithm` and `bus` in bytes per cycle and, with a clock, in 10^9 bytes per second; null
/// if there is none.
Json bandwidth_json(const std::optional<Bandwidth>& bandwidth, const std::optional<Clock>& clock);

/// The lower bound of the run's collectives: `cycles`, what `binds`, and the `efficiency`, which is
/// null without latency; null where there is none.
Json bound_json(const RunPlan& plan, const Results& results);

/// What `allport check` says of `messages`; where they are those of several collectives, these
/// begin at `begins`.
Json check_json(const ScheduleReport& report, const Schedule& messages, const Topology& topology,
                const std::vector<std::size_t>& begins);

/// What was measured in a window of messages, round trips or collectives that start at random.
void add_window(Json& json, const Results& results, const Topology& topology,
                Known known = Known::as_found);

/// What it says of an MSCCL program besides: `program`, a verdict with sentences.
Json program_json(const Finding& faults);

/// The part of it that describes the machine: fabric, routers, messages and nodes.
Json machine_json(const RunPlan& plan);
/// Adds the tie-break, unless it is the default.
void add_ties(Json& json, const TieBreak& ties);
/// Everything that determines a run.
Json config_json(const RunPlan& plan);

/// One object for a whole run. `problem` says why the run is not complete, or is empty; it is the
/// value of `error` unless `deadlock` says it already.
Json run_json(const RunPlan& plan, const Results& results, const StaticVerdict& verdict,
              const std::string& problem);

}  // namespace allport
