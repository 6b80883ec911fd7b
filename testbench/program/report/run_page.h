// SPDX-License-Identifier: Apache-2.0
// This makes the HTML page of a run (docs/guide/explain.md).
#pragma once

#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/plan/verdict.h"
#include "testbench/program/report/stop_report.h"
#include "testbench/results/json.h"
#include "testbench/results/results.h"
#include "testbench/simulation/run_session.h"

namespace allport {

/// An option that may help a run, with what it could take away.
struct AdvisedChange {
  std::string option;    ///< `--vcs 4 or 8`
  double cycles = 0;     ///< that are at stake: no gain is known before it is run; 0: nobody knows
  std::string evidence;  ///< `channel 36.2, behind 5.9`
  std::string cost;      ///< in words
  std::string key{};     ///< of the option, `vcs`
  std::string value{};   ///< the first of its values
  std::string reason{};  ///< why it ends a deadlock, or may do so: a sentence; empty: not known
  Ends ends = Ends::unknown;          ///< of a deadlock: what it ends for certain
  std::string whole{};                ///< `option` with all values; empty: it has them
  std::vector<std::string> values{};  ///< all of them
};

/// What may help a run, by its causes.
struct PageAdvice {
  std::string command;                   ///< that tries all of it; empty: none does
  std::string of;                        ///< what the cycles are of: `the critical path`
  double all = 0;                        ///< the cycles of that
  bool is_checked = false;               ///< whether those that are refused are left out
  std::vector<AdvisedChange> changes{};  ///< most cycles at stake first
};

/// What a page of a run shows in addition to its results.
struct RunPageParts {
  std::string command;  ///< the command line
  PageAdvice advice;
  std::string problem;  ///< why the run is not complete, or empty
  Json run;             ///< as in the JSON of the run
  Json trial;           ///< as trial_picture() gives it; null: there is none
};

/// The text of the page. The session's results must have an explanation.
std::string run_page(const RunPlan& plan, const SessionResults& session,
                     const StaticVerdict& verdict, RunPageParts parts);

/// Whether the critical path `path` is of the trial that a run of `plan` ended with.
bool is_last_trial(const RunPlan& plan, const std::vector<PathMessage>& path);

/// The parameters of a configuration as a table: `name`, then the value.
std::string parameter_table(const Json& config);

/// The program and its version, as every page names them.
std::string page_maker();

}  // namespace allport
