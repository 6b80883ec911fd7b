// SPDX-License-Identifier: Apache-2.0
// `allport run` simulates, cycle by cycle, observes, and writes results and waves.
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/carry_out.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/custom_router_run.h"
#include "testbench/program/commands/whatif_advice.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/scenario.h"

namespace allport {

namespace {

int run(const Invocation& given) {
  const Settings scenario = given.argument().empty()
                                ? Settings{}
                                : read_scenario(given.argument(), options_read_by(use::run));
  Options options = merge(scenario, given.settings);
  require_own_files(options, given.argument());
  if (!options.cosim.is_own()) {
    if (options.is_given("rtl") && !options.is_given("model")) options.run.model = Model::rtl;
    return carry_out(options, given.command, adviser_of(given, scenario, &options));
  }
  use_own_router(options, declared_by(options, catch_interrupts()));
  return in_own_process(options, [&](ModelWatch& watch) {
    return carry_out(options, given.command, nullptr, Printed::verdicts, &watch);
  });
}

}  // namespace

Command run_command() {
  Command command;
  command.name = "run";
  command.summary = "simulate, cycle by cycle";
  command.words =
      "A scenario has the same options in TOML tables, with underscores for dashes; the command line wins.";
  command.examples = {
      "allport run --topology hypercube:6 --algorithm wsort --destinations random:20 --ts 200",
      "allport run --topology torus:16x16 --algorithm dcf --flits 64 --wave dcf.fst",
      "allport run --topology torus:8x8 --pattern uniform --rate 0.1 --cycles 10000",
      "allport run --rtl my_router.sv --topology mesh:4x4 --pattern uniform --rate 0.1 --cycles 10000",
      "allport run --topology hypercube:4 --tasks program.jsonl --ts 200 --model worm"};
  command.page = "user-guide.md";
  command.options = options_read_by(use::run);
  command.positional = {"SCENARIO", "a scenario file, TOML"};
  command.run = run;
  return command;
}

}  // namespace allport
