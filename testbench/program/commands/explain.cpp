// SPDX-License-Identifier: Apache-2.0
// `allport explain` simulates, and says where the cycles of the latencies go.
#include "testbench/program/commands/carry_out.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/whatif_advice.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/scenario.h"

namespace allport {

namespace {

int explain(const Invocation& given) {
  const Settings scenario = given.argument().empty()
                                ? Settings{}
                                : read_scenario(given.argument(), options_read_by(use::explain));
  Options options = merge(scenario, given.settings);
  require_own_files(options, given.argument());
  options.run.explain.causes = true;
  return carry_out(options, given.command, adviser_of(given, scenario, &options),
                   Printed::explanation);
}

}  // namespace

Command explain_command() {
  Command command;
  command.name = "explain";
  command.summary = "simulate, and say where the cycles go";
  command.words =
      "It takes the scenarios and options of `allport run`. Every cycle of every latency gets one cause; docs/explain.md says what the causes are. It makes no static check, with or without --no-static.";
  command.examples = {
      "allport explain --topology hypercube:6 --algorithm wsort --ts 200",
      "allport explain --topology torus:8x8 --pattern uniform --rate 0.3 --cycles 10000",
      "allport explain --topology torus:4x4 --algorithm swing-allreduce --flits 256 --report page.html"};
  command.page = "guide/explain.md";
  command.options = options_read_by(use::explain);
  command.positional = {"SCENARIO", "a scenario file, TOML"};
  command.run = explain;
  return command;
}

}  // namespace allport
