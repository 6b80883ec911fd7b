// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/carry_out.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/verdict.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/report/deadlock_drawing.h"
#include "testbench/program/report/lockstep_report.h"
#include "testbench/program/report/report.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/report/traffic_report.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/progress.h"
#include "testbench/simulation/run_session.h"
#include "testbench/waves/gtkw_file.h"

namespace allport {

namespace {

// Throws before anything is simulated unless the wave and the files beside it can be written.
void require_wave_files(const std::string& wave) {
  const auto [flits, messages, save] = wave_companions(wave);
  for (const std::string& file : {wave, flits, messages, save}) OutputFile{file};
}

// None when no waves are wanted.
std::optional<WaveOptions> wave_options(const Options& options, const Topology& topology) {
  if (options.observe.wave.empty()) return std::nullopt;
  if (options.run.model == Model::worm) {
    throw std::invalid_argument(
        "--wave: the model worm has no signals to show; the models systemc and rtl have them");
  }
  require_wave_files(options.observe.wave);
  if (options.run.traffic.trials > 1) {
    throw std::invalid_argument(
        fmt::format("--wave shows a single run from reset and cannot be combined with --trials {}",
                    options.run.traffic.trials));
  }
  WaveOptions wave;
  wave.path = options.observe.wave;
  wave.nodes = to_nodes(options.observe.wave_nodes, topology, "wave node");
  wave.from = options.observe.wave_from;
  wave.to = options.observe.wave_to.value_or(WaveWindow::no_end);
  if (wave.to < wave.from) {
    throw std::invalid_argument(
        fmt::format("--wave-to {}: must be --wave-from {} or later", wave.to, wave.from));
  }
  return wave;
}

SessionResults simulate(const Options& options, const RunPlan& plan) {
  ProgressBar progress("simulating");
  SessionRequest request;
  request.wave = wave_options(options, plan.routing.topology());
  request.difference_wave = options.cosim.difference_wave;
  request.progress = [&](double fraction, Cycle cycle) { progress.update(fraction, cycle); };
  request.stop = catch_interrupts();
  return run_session(plan, options.cosim, request, {say, request.stop});
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

}  // namespace

int carry_out(const Options& options) {
  const RunPlan plan = allport::plan(options.run);
  std::optional<OutputFile> json;
  if (!options.observe.json.empty()) json.emplace(options.observe.json);
  std::optional<OutputFile> loads = channel_load_file(options);
  DeadlockDrawing drawing(options);

  const SessionResults session = simulate(options, plan);
  const Results& results = session.results;
  const std::optional<LockstepResults>& lockstep = session.lockstep;
  const bool has_text = options.observe.json != "-";
  const Style style(isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr);
  if (has_text) print(report_of_results(plan, results, style));
  const StaticVerdict verdict = check_statically(plan, results, catch_interrupts());
  const bool has_difference = lockstep && lockstep->difference;
  const std::string problem =
      has_difference ? in_words(*lockstep->difference) : problem_of(results, verdict);
  if (has_text) {
    print(report_of_verdict(plan, results, verdict, style) +
          (lockstep ? lockstep_report(*lockstep, style) : ""));
  } else if (!plan.relays.empty()) {
    write_on_stderr("relays: " + in_words(plan.relays) + "\n");
  }
  if (json) {
    Json object = run_json(plan, results, verdict, problem);
    if (lockstep) object["cosim"] = lockstep_json(*lockstep);
    json->commit(json_text(object));
  }
  if (loads) {
    loads->commit(channel_load_csv(results.traffic->channel_load, plan.routing.topology()));
  }
  drawing.commit(results, plan);
  const int status = judge(options, session, problem);
  if (session.wave_problem.empty()) return status;
  throw std::runtime_error(session.wave_problem);
}

}  // namespace allport
