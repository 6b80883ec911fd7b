// SPDX-License-Identifier: Apache-2.0
// Two files show a trial: a timeline, and a page. Both are opened before anything is simulated, and
// filled while the trial that the run ended with is still in memory.
#pragma once

#include <optional>
#include <string>

#include "testbench/files/output_file.h"
#include "testbench/observe/explain/explained_trial.h"
#include "testbench/observe/waves/wave_recorder.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/verdict.h"
#include "testbench/program/options/options.h"
#include "testbench/program/report/run_page.h"
#include "testbench/results/json.h"
#include "testbench/simulation/run_session.h"

namespace allport {

/// The waves that options ask for; none: they ask for none. Throws std::invalid_argument, one
/// sentence, before anything is simulated, unless they and the files beside them can be written.
std::optional<WaveOptions> wave_options(const Options& options, const Topology& topology);

class TimelineOutput {
 public:
  /// Throws std::invalid_argument, one sentence, unless it can be written. `topology`, that of the
  /// run, must outlive it.
  TimelineOutput(const Options& options, const Topology& topology);

  bool is_wanted() const { return file_.has_value(); }
  void write(const ShownTrial& trial);
  /// Why it was not written; empty: it was, or none was wanted.
  const std::string& problem() const { return problem_; }
  /// Whether it was given up because of an interrupt.
  bool is_cut() const { return is_cut_; }

 private:
  const std::string path_;
  const Topology& topology_;
  std::optional<OutputFile> file_;
  std::string problem_;
  bool is_cut_ = false;
};

class PageOutput {
 public:
  /// Throws std::invalid_argument, one sentence, unless it can be written. `plan` must outlive it.
  PageOutput(const Options& options, const RunPlan& plan)
      : plan_(plan), file_(wanted_file(options.observe.report)) {}

  bool is_wanted() const { return file_.has_value(); }
  /// Draws the pictures of the fabric and the messages, those of a run that was interrupted, too.
  void draw(const ShownTrial& trial, const Results& results);
  /// Writes the page. `run`: the JSON of the run. Throws std::runtime_error, one sentence.
  void commit(const std::string& command, PageAdvice advice, const SessionResults& session,
              const StaticVerdict& verdict, const std::string& problem, Json run);
  /// What its pictures lack; empty: nothing, or it is not wanted.
  const std::string& problem() const { return problem_; }
  /// Whether an interrupt is why.
  bool is_cut() const { return !problem_.empty(); }

 private:
  const RunPlan& plan_;
  std::optional<OutputFile> file_;
  Json trial_;
  std::string problem_;
};

}  // namespace allport
