// SPDX-License-Identifier: Apache-2.0
// allport run: simulates, cycle by cycle; observes; writes results and waves.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>

#include "testbench/program/command_line.h"
#include "testbench/program/commands.h"
#include "testbench/program/exit_status.h"
#include "testbench/program/interrupt.h"
#include "testbench/program/output_file.h"
#include "testbench/program/progress.h"
#include "testbench/program/report.h"
#include "testbench/program/resolve.h"
#include "testbench/program/results_json.h"
#include "testbench/program/scenario.h"
#include "testbench/program/verdict.h"
#include "testbench/waves/gtkw_file.h"

namespace allport {

namespace {

struct RunRequest {
  Settings settings;
  std::string scenario;  // empty: none
};

OptionList run_options() { return options_without({"algorithms"}); }

// Before anything is simulated: the files beside the wave can be written, and none is the results'.
void require_wave_files(const Options& options) {
  const auto [flits, messages, save] = wave_companions(options.wave);
  const auto place = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal();
  };
  for (const std::string& file : {options.wave, flits, messages, save}) {
    if (!options.json.empty() && place(options.json) == place(file)) {
      throw std::invalid_argument(fmt::format("--json {}: the waves of --wave {} are written there",
                                              options.json, options.wave));
    }
  }
  for (const std::string& file : {options.wave, flits, messages, save}) OutputFile{file};
}

// None when no waves are wanted.
std::optional<WaveOptions> wave_options(const Options& options, const Topology& topology) {
  if (options.wave.empty()) return std::nullopt;
  require_wave_files(options);
  if (options.trials > 1) {
    throw std::invalid_argument(fmt::format(
        "--wave shows one run from reset: it does not go with --trials {}", options.trials));
  }
  WaveOptions wave;
  wave.path = options.wave;
  wave.nodes = to_nodes(options.wave_nodes, topology, "wave node");
  wave.from = options.wave_from;
  wave.to = options.wave_to.value_or(WaveWindow::no_end);
  if (wave.to < wave.from) {
    throw std::invalid_argument(
        fmt::format("--wave-to {}: must be --wave-from {} or later", wave.to, wave.from));
  }
  return wave;
}

struct Simulated {
  Results results;
  std::string wave_problem;  // empty, or why the waves are not whole
};

Simulated simulate(const Options& options, const RunPlan& plan) {
  const std::optional<WaveOptions> wave = wave_options(options, plan.routing.topology());
  const bool is_pattern = !options.pattern.empty();
  Simulation simulation(plan.simulation, plan.routing, is_pattern);
  std::optional<WaveRecorder> recorder;
  if (wave) {
    recorder.emplace(simulation.fabric(), *wave,
                     [&](MessageId id) { return simulation.message_name(id); });
  }
  ProgressBar progress("simulating");
  simulation.on_progress([&](double fraction, Cycle cycle) { progress.update(fraction, cycle); });
  simulation.stop_when(catch_interrupts());
  Simulated simulated;
  simulated.results = is_pattern ? simulation.run_uniform(options.rate, options.cycles)
                                 : simulation.run(plan.trials);
  try {
    if (recorder) finish_wave(*recorder, simulated.results);
  } catch (const std::runtime_error& error) {
    simulated.wave_problem = error.what();
  }
  return simulated;
}

int judge(const Options& options, const Results& results, const std::string& problem) {
  if (!problem.empty()) {
    fmt::print(stderr, "allport: {}\n", problem);
    return exit_incomplete;
  }
  if (!options.strict || results.contention.events == 0) return exit_clean;
  fmt::print(stderr, "allport: --strict: {} contention event{}\n", results.contention.events,
             results.contention.events == 1 ? "" : "s");
  return exit_finding;
}

int run(const RunRequest& request) {
  const Settings scenario =
      request.scenario.empty() ? Settings{} : read_scenario(request.scenario, run_options());
  const Options options = merge(scenario, request.settings);
  const RunPlan plan = plan_run(options);
  std::optional<OutputFile> json;
  if (!options.json.empty()) json.emplace(options.json);

  const Simulated simulated = simulate(options, plan);
  const Results& results = simulated.results;

  const std::optional<ScheduleReport> checked = static_check(plan);
  const ScheduleReport* report = checked ? &*checked : nullptr;
  std::string problem = fault(results);
  if (problem.empty()) problem = contradiction(plan, results);
  if (options.json != "-") {
    const Style style(isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr);
    print(run_report(options, plan, results, report, style));
  } else if (!plan.relays.empty()) {
    fmt::print(stderr, "relays: {}\n", in_words(plan.relays));
  }
  if (json) json->commit(json_text(run_json(options, plan, results, report, problem)));
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
  const auto request = std::make_shared<RunRequest>();
  command->add_option("SCENARIO", request->scenario, "a scenario file, TOML")->option_text(" ");
  add_options(*command, run_options(), request->settings);
  return {command, [request] { return run(*request); }};
}

}  // namespace allport
