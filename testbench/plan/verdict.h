// SPDX-License-Identifier: Apache-2.0
// What is known of a run's schedules without simulating them, and whether the simulation agrees.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/results/results.h"
#include "traffic/proof/schedule_check.h"

namespace allport {

/// The static check of a run: of its last trial, and of those that have something to contradict.
struct StaticVerdict {
  std::optional<ScheduleReport> report;  ///< of the last trial
  /// Why there is no report: a word or a sentence; empty: there is one, or nothing to check (of a
  /// pattern).
  std::string why_not;
  bool was_interrupted = false;
  /// The messages that the report's indices mean, those of several collectives one after another;
  /// none where all is well.
  Schedule messages;
  std::vector<std::size_t> begins;  ///< of each collective in `messages`
  /// A sentence when something was seen that the check proves impossible: one of the two is wrong.
  std::string contradiction;
  double seconds = 0;  ///< that the check took
};

/// Checks the last trial of `plan`, and every other one only if `results` have an event or a
/// deadlock of it and its schedule is another; none twice. Gives up once `stop` is set, and when
/// the schedule is too large for the check.
StaticVerdict check_statically(const RunPlan& plan, const Results& results, StopFlag stop);

/// The contradiction alone; the last trial is not checked unless it has something to contradict.
std::string contradiction(const RunPlan& plan, const Results& results, StopFlag stop);

/// Why the run is not complete, in one sentence; empty when it is.
std::string fault(const Results& results);
/// The same, or what it contradicts, or that the check was interrupted.
std::string problem_of(const Results& results, const StaticVerdict& verdict);

}  // namespace allport
