// SPDX-License-Identifier: Apache-2.0
// allport run: simulates, cycle by cycle; observes; writes results and waves.
#include <memory>

#include "testbench/program/commands/carry_out.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/command_line.h"
#include "testbench/program/options/scenario.h"

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

int run(const GivenRun& request) {
  const Settings scenario =
      request.scenario.empty() ? Settings{} : read_scenario(request.scenario, run_options());
  const Options options = merge(scenario, request.settings);
  require_own_files(options, request.scenario);
  return carry_out(options);
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
  return {command, [request] { return run(*request); }, run_options()};
}

}  // namespace allport
