// SPDX-License-Identifier: Apache-2.0
// allport run: simulates, cycle by cycle; observes; writes results and waves.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/plan/verdict.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/simulate.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/command_line.h"
#include "testbench/program/options/scenario.h"
#include "testbench/program/report/deadlock_drawing.h"
#include "testbench/program/report/report.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/report/traffic_report.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/simulation/rtl_fabric.h"

namespace allport {

namespace {

struct GivenRun {
  Settings settings;
  std::string scenario;  // empty: none
};

OptionList run_options() {
  std::vector<std::string_view> others = cosim_keys();
  others.emplace_back("algorithms");
  return options_without(others);
}

int judge(const Options& options, const Results& results, const std::string& problem) {
  if (!problem.empty()) {
    say(problem);
    return exit_incomplete;
  }
  if (!options.observe.strict || results.contention.events == 0) return exit_clean;
  say("--strict: " + counted(results.contention.events, "contention event"));
  return exit_finding;
}

int run(const GivenRun& request) {
  const Settings scenario =
      request.scenario.empty() ? Settings{} : read_scenario(request.scenario, run_options());
  const Options options = merge(scenario, request.settings);
  require_own_files(options, request.scenario);
  const RunPlan plan = allport::plan(options.run);
  std::optional<OutputFile> json;
  if (!options.observe.json.empty()) json.emplace(options.observe.json);
  std::optional<OutputFile> loads = channel_load_file(options);
  DeadlockDrawing drawing(options);

  std::optional<RtlFabric> rtl;
  if (options.run.model == Model::rtl) {
    rtl.emplace(plan, options.cosim.assertions, BuildHooks{say, catch_interrupts()});
  }
  SimulationExtras extras;
  if (rtl) extras.equip = [&rtl](Fabric& fabric) { rtl->replace_all(fabric); };
  const Simulated simulated = simulate(options, plan, extras);
  const Results& results = simulated.results;

  const bool has_text = options.observe.json != "-";
  const Style style(isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr);
  if (has_text) print(report_of_results(plan, results, style));
  const StaticVerdict verdict = check_statically(plan, results, catch_interrupts());
  const std::string problem = problem_of(results, verdict);
  if (has_text) {
    print(report_of_verdict(plan, results, verdict, style));
  } else if (!plan.relays.empty()) {
    write_on_stderr("relays: " + in_words(plan.relays) + "\n");
  }
  if (json) json->commit(json_text(run_json(plan, results, verdict, problem)));
  if (loads) {
    loads->commit(channel_load_csv(results.traffic->channel_load, plan.routing.topology()));
  }
  drawing.commit(results, plan);
  const int status = judge(options, results, problem);
  if (simulated.wave_problem.empty()) return status;
  throw std::runtime_error(simulated.wave_problem);
}

}  // namespace

Command add_run(CLI::App& program) {
  CLI::App* command = program.add_subcommand("run", "simulate, cycle by cycle");
  command->footer(
      "A scenario has the same options in TOML tables, with underscores for dashes; the command\n"
      "line wins.\n\n"
      "  allport run --topology hypercube:6 --algorithm wsort --destinations random:20 --ts 200\n"
      "  allport run --topology torus:16x16 --algorithm dcf --flits 64 --wave dcf.fst\n"
      "  allport run --topology torus:8x8 --pattern uniform --rate 0.1 --cycles 10000");
  const auto request = std::make_shared<GivenRun>();
  command->add_option("SCENARIO", request->scenario, "a scenario file, TOML")->option_text(" ");
  add_options(*command, run_options(), request->settings);
  return {command, [request] { return run(*request); }};
}

}  // namespace allport
