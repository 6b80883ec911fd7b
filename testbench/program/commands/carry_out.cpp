// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/carry_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/conformance/custom_fabric.h"
#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/observe/explain/channel_uses.h"
#include "testbench/observe/explain/fabric_channels.h"
#include "testbench/plan/thread_share.h"
#include "testbench/plan/verdict.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/commands/sized.h"
#include "testbench/program/commands/trial_outputs.h"
#include "testbench/program/report/deadlock_drawing.h"
#include "testbench/program/report/explain_report.h"
#include "testbench/program/report/lockstep_report.h"
#include "testbench/program/report/report.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/report/traffic_report.h"
#include "testbench/program/report/wave_report.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/progress.h"
#include "testbench/program/terminal/stage.h"
#include "testbench/results/explanation_json.h"
#include "testbench/simulation/run_session.h"

namespace allport {

namespace {

SessionResults simulate(const Options& options, const RunPlan& plan, TimelineOutput& timeline,
                        PageOutput& page, ModelWatch* watch) {
  ProgressBar progress("simulating");
  SessionRequest request;
  if (timeline.is_wanted() || page.is_wanted()) {
    request.show_trial = [&](const ShownTrial& trial, const Results& results) {
      if (timeline.is_wanted()) timeline.write(trial);
      if (page.is_wanted()) page.draw(trial, results);
    };
  }
  request.wave = wave_options(options, plan.routing.topology());
  request.wave_on = options.observe.wave_on;
  if (request.wave_on) request.wave_on->margin = options.observe.wave_margin;
  request.difference_wave = options.cosim.difference_file();
  request.progress = [&](double fraction, Cycle cycle) { progress.update(fraction, cycle); };
  request.stop = catch_interrupts();
  const BuildHooks hooks{say, request.stop};
  if (watch == nullptr) return run_session(plan, options.cosim, request, hooks);
  CustomFabric fabric(plan, own_source(options.cosim), places_for(plan), *watch, hooks);
  const RtlPart part = fabric.part();
  return run_session(plan, &part, request);
}

RunPlan planned(const Options& options) {
  const EndAtOnce nothing_to_report;
  const Stage stage("planning");
  RunRequest request = options.run;
  const bool shows_signals = !options.observe.wave.empty();
  if (shows_signals && request.model == Model::automatic) request.model = Model::systemc;
  return sized(request, [&] { return allport::plan(request); });
}

// Refuses before the simulation what is known to have too many rows for its file.
void require_few_channel_uses(const Options& options, const RunPlan& plan) {
  const Cycle every = plan.request.explain.every;
  const TrafficRequest* const traffic = plan.traffic();
  if (options.observe.channel_load.empty() || every == 0 || traffic == nullptr) return;
  const FabricChannels channels(plan.router, plan.routing.topology());
  const std::size_t rows = channel_use_count(channels, {0, traffic->cycles}, every);
  if (rows <= max_channel_uses) return;
  throw std::invalid_argument(fmt::format(
      "--channel-load: {} cycles have {} rows here, and the limit is {}; a larger --every has fewer",
      traffic->cycles, rows, max_channel_uses));
}

// A large text takes its time.
std::string written(const Json& object) {
  const Stage stage("writing");
  return json_text(object);
}

/// The files of results, which are opened before anything is simulated.
class ResultFiles {
 public:
  explicit ResultFiles(const Options& options, Printed printed)
      : has_explanation_(options.is_given("explain") || printed == Printed::explanation),
        json_(wanted_file(options.observe.json)),
        messages_(wanted_file(options.observe.messages)),
        loads_(wanted_file(options.observe.channel_load)),
        drawing_(options.observe.deadlock) {}

  bool has_json() const { return json_.has_value(); }

  void commit(const RunPlan& plan, const Results& results, Json object, Outputs& outputs) {
    if (json_) {
      if (has_explanation_)
        object["explanation"] = explanation_json(*results.explanation, plan.routing.topology());
      outputs.attempt([&] { json_->commit(written(object)); });
    }
    if (messages_) {
      outputs.attempt([&] {
        messages_->commit(messages_csv(results.explanation->messages, plan.routing.topology()));
      });
    }
    if (loads_ && results.explanation->missing_uses > 0) {
      outputs.note(fmt::format(
          "--channel-load: a trial has {} rows here, and the limit is {} of all trials; a larger --every has fewer",
          results.explanation->missing_uses, max_channel_uses));
    } else if (loads_ && results.explanation->channels.empty() && is_set(catch_interrupts())) {
      say("--channel-load: nothing was written: interrupted");
    } else if (loads_) {
      outputs.attempt([&] {
        loads_->commit(channels_csv(results.explanation->channels, plan.routing.topology()));
      });
    }
    outputs.attempt([&] { drawing_.commit(results, plan); });
  }

 private:
  const bool has_explanation_;
  std::optional<OutputFile> json_;
  std::optional<OutputFile> messages_;
  std::optional<OutputFile> loads_;
  DeadlockDrawing drawing_;
};

Json json_of(const RunPlan& plan, const SessionResults& session, const StaticVerdict& verdict,
             const std::string& problem) {
  const Stage stage("writing");
  Json object = run_json(plan, session.results, verdict, problem);
  if (session.lockstep) object["cosim"] = lockstep_json(*session.lockstep);
  return object;
}

// Why there is no message that --explain names; empty if there is, or none was named.
std::string message_fault(const Options& options, const Results& results) {
  if (!results.explanation) return {};
  const std::string fault =
      missing_message(options.run.explain, *results.explanation, *options.run.fabric.topology);
  return fault.empty() ? "" : "--explain " + fault;
}

// What becomes of the waves of a finding; `of_run`: the status without them.
int judge_found(const Options& options, const SessionResults& session, int of_run,
                Outputs& outputs) {
  if (!session.found) return of_run;
  const WaveOn& wanted = *options.observe.wave_on;
  if (session.found->found) {
    if (!session.found->was_interrupted) return of_run;
    say("the second run, which records the waves, was interrupted: " +
        shown_path(options.observe.wave) + " ends there");
    return exit_incomplete;
  }
  const bool names_none = wanted.kind == WaveOn::Kind::message && session.results.is_complete();
  if (names_none) {
    outputs.note(without_wave(wanted, session, *options.run.fabric.topology));
  } else {
    say(without_wave(wanted, session, *options.run.fabric.topology));
  }
  return of_run;
}

// What makes the run a finding or incomplete, apart from its waves.
int judge(const Options& options, const SessionResults& session, const std::string& problem) {
  if (!problem.empty()) {
    say(problem);
    const bool has_difference = session.lockstep && session.lockstep->difference;
    return has_difference ? exit_finding : exit_incomplete;
  }
  const std::uint64_t events = session.results.contention.events;
  if (!options.observe.strict || events == 0) return exit_clean;
  say("--strict: " + counted(events, "contention event"));
  return exit_finding;
}

StaticVerdict checked(const RunPlan& plan, const Results& results, StopFlag stop) {
  const Stage stage("checking");
  return check_statically(plan, results, stop);
}

// Simulates, and tells and writes what was wanted.
int carry_out_plan(const Options& options, const RunPlan& plan, const std::string& command,
                   const Adviser& advise, Printed printed, ModelWatch* watch) {
  require_few_channel_uses(options, plan);
  ResultFiles files(options, printed);
  TimelineOutput timeline(options, plan.routing.topology());
  PageOutput page(options, plan);
  if (plan.request.threads > 1) {
    const bool has_wave = !options.observe.wave.empty() && !options.observe.wave_on;
    const ThreadShare share =
        has_wave ? ThreadShare{1, RouterParts::whole_by_observers} : thread_share(plan);
    say(fmt::format("--threads {}: {}", plan.request.threads, in_words(share)));
  }

  const SessionResults session = simulate(options, plan, timeline, page, watch);
  const Results& results = session.results;
  const std::optional<LockstepResults>& lockstep = session.lockstep;
  const bool has_text = options.observe.json != "-";
  const Style style = style_of_stdout();
  Outputs outputs;
  const StopFlag stop = catch_interrupts();
  if (has_text) {
    outputs.attempt(
        [&] { print(options.observe.heading + report_of_results(plan, results, style)); });
  }
  const bool is_cut = is_set(stop);
  const bool is_explain = printed == Printed::explanation;
  const bool explains = is_explain || options.is_given("explain");
  const StaticVerdict verdict = is_explain ? StaticVerdict{} : checked(plan, results, stop);
  const bool has_difference = lockstep && lockstep->difference;
  const bool shows_finding = session.found && session.found->found && session.wave_problem.empty();
  std::string problem =
      has_difference ? in_words(*lockstep->difference) : problem_of(results, verdict);
  if (problem.empty() && is_cut) problem = "interrupted";
  if (has_text) {
    outputs.attempt([&] {
      print(
          (explains && results.explanation ? explanation_report(plan, results, style) + "\n" : "") +
          report_of_verdict(plan, results, verdict, style) +
          (lockstep ? lockstep_report(*lockstep, style) : "") +
          (shows_finding ? wave_report(*session.found->found, options.observe.wave,
                                       plan.routing.topology(), style)
                         : ""));
    });
  } else if (!plan.relays.empty()) {
    write_on_stderr("relays: " + in_words(plan.relays, plan.routing.topology()) + "\n");
  }
  const bool has_json = files.has_json() || page.is_wanted();
  const Json object = has_json ? json_of(plan, session, verdict, problem) : Json();
  files.commit(plan, results, object, outputs);
  if (page.is_wanted()) {
    outputs.attempt([&] {
      Json run = object;
      run["explanation"] = explanation_json(*results.explanation, plan.routing.topology());
      PageAdvice advice = advise ? advise(run) : PageAdvice{};
      page.commit(command, std::move(advice), session, verdict, problem, std::move(run));
    });
  }
  if (has_text) {
    outputs.attempt([&] { print(report_of_time(plan, results, verdict, style)); });
  }
  outputs.note(session.wave_problem);
  outputs.note(timeline.problem());
  outputs.note(page.problem());
  const std::string missing = message_fault(options, results);
  if (results.is_complete()) {
    outputs.note(missing);
  } else if (!missing.empty()) {
    say(missing);
  }
  const int status = judge(options, session, problem);
  const int found = outputs.status(judge_found(options, session, status, outputs));
  return timeline.is_cut() || page.is_cut() ? exit_incomplete : found;
}

}  // namespace

int carry_out(const Options& options, const std::string& command, const Adviser& advise,
              Printed printed, ModelWatch* watch) {
  const RunPlan plan = planned(options);
  return sized(plan,
               [&] { return carry_out_plan(options, plan, command, advise, printed, watch); });
}

}  // namespace allport
