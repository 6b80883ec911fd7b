// SPDX-License-Identifier: Apache-2.0
// These functions say what is known about a run's schedules without simulating them, and whether
// the simulation agrees.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/results/results.h"
#include "traffic/proof/schedule_check.h"

namespace allport {

/// The static check of a run: of its last trial, and of those whose simulation it could contradict.
struct StaticVerdict {
  std::optional<ScheduleReport> report;  ///< report on the last trial
  /// Why there is no report, a word or a sentence; empty: there is one, or the run is a pattern and
  /// there is nothing to check.
  std::string why_not;
  bool was_interrupted = false;
  /// The messages that the report's indices refer to, those of several collectives one after
  /// another; none if the report has no findings.
  Schedule messages;
  std::vector<std::size_t> begins;  ///< first index of each collective in `messages`
  /// A sentence if the simulation did what the check proves impossible: one of the two is wrong.
  std::string contradiction;
  double seconds = 0;  ///< time that the check took, in seconds
};

/// Checks the last trial of `plan`, and every other trial with a different schedule for which
/// `results` have an event or a deadlock; no schedule is checked twice. Gives up once `stop` is
/// set, and when the schedule is too large for the check.
StaticVerdict check_statically(const RunPlan& plan, const Results& results, StopFlag stop);

/// The contradiction alone; the last trial is checked only if its simulation could contradict it.
std::string contradiction(const RunPlan& plan, const Results& results, StopFlag stop);

/// Why the run is not complete, in one sentence; empty when it is.
std::string fault(const Results& results);
/// The same, or the contradiction, or that the check was interrupted.
std::string problem_of(const Results& results, const StaticVerdict& verdict);

}  // namespace allport
