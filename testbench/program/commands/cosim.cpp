// SPDX-License-Identifier: Apache-2.0
// allport cosim: as run, with routers in RTL beside the SystemC ones, compared in every cycle.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>

#include "testbench/conformance/trial.h"
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
#include "testbench/program/report/difference_report.h"
#include "testbench/program/report/report.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/report/traffic_report.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/version.h"
#include "testbench/simulation/rtl_fabric.h"

namespace allport {

namespace {

struct CosimRequest {
  Settings settings;
  std::string scenario;  // empty: none
};

OptionList cosim_options() { return options_without({"algorithms", "model"}); }

/// A run in lockstep, and what came of it.
struct Lockstep {
  Simulated simulated;
  std::optional<Difference> difference;
  std::uint64_t compared_cycles = 0;
  std::string wave;  // shows the difference; empty: none
};

Lockstep run_in_lockstep(const Options& options, const RunPlan& plan,
                         const std::vector<NodeId>& nodes) {
  RtlFabric rtl(plan, options.cosim.assertions, {say, catch_interrupts()});
  Lockstep run;
  SimulationExtras extras;
  extras.equip = [&](Fabric& fabric) { rtl.shadow(fabric, nodes); };
  extras.dress = [&](WaveRecorder& recorder) { rtl.nodes().show_in(recorder); };
  extras.rerun = [&](const Results&) -> std::optional<WaveRerun> {
    run.compared_cycles = rtl.nodes().compared_cycles();
    if (rtl.nodes().difference() == nullptr) return std::nullopt;
    run.wave = difference_wave;
    return difference_rerun(*rtl.nodes().difference(), difference_wave);
  };
  run.simulated = simulate(options, plan, extras);
  if (!options.observe.wave.empty()) run.compared_cycles = rtl.nodes().compared_cycles();
  if (rtl.nodes().difference() != nullptr) {
    run.difference = *rtl.nodes().difference();
    if (run.wave.empty()) run.wave = options.observe.wave;
  }
  return run;
}

int judge(const Options& options, const Lockstep& run, const std::string& problem) {
  if (run.difference) {
    say(in_words(*run.difference));
    return exit_finding;
  }
  if (!problem.empty()) {
    say(problem);
    return exit_incomplete;
  }
  const std::uint64_t events = run.simulated.results.contention.events;
  if (!options.observe.strict || events == 0) return exit_clean;
  say("--strict: " + counted(events, "contention event"));
  return exit_finding;
}

int try_own_router(const Options& options) {
  if (!options.observe.wave.empty()) {
    throw std::invalid_argument("--wave does not go with --rtl: the verdict sheet has no waves");
  }
  if (!options.observe.deadlock.empty()) {
    throw std::invalid_argument("--deadlock does not go with --rtl: the sheet has no drawings");
  }
  if (!options.observe.channel_load.empty()) {
    throw std::invalid_argument("--channel-load does not go with --rtl: the sheet has no loads");
  }
  std::optional<OutputFile> json;
  if (!options.observe.json.empty()) json.emplace(options.observe.json);
  const Style style(isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr);
  const RouterTrial trial = try_router(options, [&](const RouterTrial& so_far) {
    if (options.observe.json == "-") return;
    if (so_far.topologies.size() == 1) print(sheet_head(so_far, style));
    print(topology_sheet(so_far.topologies.back(), style));
    std::fflush(stdout);
  });
  if (options.observe.json != "-") print(sheet_verdict(trial, style));
  if (json) {
    Json object{{"version", program_version}, {"model", "cosim"}};
    object.update(verdict_json(trial));
    json->commit(json_text(object));
  }
  if (trial.is_unknown()) return exit_incomplete;
  return trial.keeps_contract() && trial.is_twin() ? exit_clean : exit_finding;
}

int cosim(const CosimRequest& request) {
  const Settings scenario =
      request.scenario.empty() ? Settings{} : read_scenario(request.scenario, cosim_options());
  Options options = merge(scenario, request.settings);
  options.run.model = Model::cosim;
  require_own_files(options, request.scenario);
  if (!options.cosim.files.empty()) return try_own_router(options);
  const RunPlan plan = allport::plan(options.run);
  const std::vector<NodeId> nodes =
      rtl_nodes(options.cosim.nodes, options.run.traffic.seed, plan.routing.topology());
  std::optional<OutputFile> json;
  if (!options.observe.json.empty()) json.emplace(options.observe.json);
  std::optional<OutputFile> loads = channel_load_file(options);
  DeadlockDrawing drawing(options);

  const Lockstep run = run_in_lockstep(options, plan, nodes);
  const Results& results = run.simulated.results;
  const bool has_text = options.observe.json != "-";
  const Style style(isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr);
  if (has_text) print(report_of_results(plan, results, style));
  const StaticVerdict verdict = check_statically(plan, results, catch_interrupts());
  const std::string problem =
      run.difference ? in_words(*run.difference) : problem_of(results, verdict);
  if (has_text) {
    print(report_of_verdict(plan, results, verdict, style) +
          lockstep_report(nodes.size(), run.compared_cycles, run.difference, run.wave, style));
  }
  if (json) {
    Json object = run_json(plan, results, verdict, problem);
    object["cosim"] = lockstep_json(nodes, run.compared_cycles, run.difference, run.wave);
    json->commit(json_text(object));
  }
  if (loads) {
    loads->commit(channel_load_csv(results.traffic->channel_load, plan.routing.topology()));
  }
  drawing.commit(results, plan);
  const int status = judge(options, run, problem);
  if (run.simulated.wave_problem.empty()) return status;
  throw std::runtime_error(run.simulated.wave_problem);
}

}  // namespace

Command add_cosim(CLI::App& program) {
  CLI::App* command =
      program.add_subcommand("cosim", "as run, with routers in RTL in lockstep with SystemC");
  command->footer(
      "The routers of --rtl-nodes are SystemVerilog, Verilated when they are first wanted, each\n"
      "beside its SystemC twin on the same inputs. At the first difference the run stops with "
      "exit\n"
      "status 1, says where it was, and writes its waves to cosim-difference.fst.\n\n"
      "  allport cosim --topology hypercube:4 --algorithm wsort --rtl-nodes 5,9\n"
      "  allport cosim --topology torus:4x4 --pattern uniform --rate 0.2 --cycles 1000\n"
      "  allport cosim --rtl my_router.sv --top my_router --topology hypercube:3");
  const auto request = std::make_shared<CosimRequest>();
  command->add_option("SCENARIO", request->scenario, "a scenario file, TOML")->option_text(" ");
  add_options(*command, cosim_options(), request->settings);
  return {command, [request] { return cosim(*request); }};
}

}  // namespace allport
