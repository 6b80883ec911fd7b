// SPDX-License-Identifier: Apache-2.0
// `allport cosim` is like run, but with routers in RTL beside the SystemC ones, compared in every
// cycle.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>

#include "testbench/conformance/router_verdict.h"
#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/carry_out.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/custom_router_run.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/scenario.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/report/verdict_sheet.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/progress.h"
#include "testbench/program/terminal/version.h"

namespace allport {

namespace {

// The options that would be ignored, and what the verdict sheet lacks for them.
struct NotOnSheet {
  const char* key;
  const char* lacks;
  bool is_given;
};

void require_sheet_options(const Options& options) {
  const ObserveOptions& observe = options.observe;
  for (const NotOnSheet& one :
       {NotOnSheet{"wave", "waves", !observe.wave.empty()},
        NotOnSheet{"deadlock", "drawings", !observe.deadlock.empty()},
        NotOnSheet{"explain", "explanation", options.is_given("explain")},
        NotOnSheet{"messages", "messages", !observe.messages.empty()},
        NotOnSheet{"channel_load", "loads", !observe.channel_load.empty()},
        NotOnSheet{"timeline", "timeline", !observe.timeline.empty()},
        NotOnSheet{"report", "page", !observe.report.empty()},
        NotOnSheet{"every", "loads", options.is_given("every")},
        NotOnSheet{"strict", "contention events", observe.strict},
        NotOnSheet{"no_static", "static check", options.run.check.no_static},
        NotOnSheet{"max_violations", "static check", options.is_given("max_violations")}}) {
    if (!one.is_given) continue;
    throw std::invalid_argument(fmt::format(
        "{} cannot be combined with --rtl: the verdict sheet has no {}; `run`, and `cosim` without --rtl, take it",
        option_name(one.key), one.lacks));
  }
}

int try_own_router(const Options& options) {
  require_sheet_options(options);
  std::optional<OutputFile> json = wanted_file(options.observe.json);
  const Style style = style_of_stdout();
  ProgressBar progress("simulating");
  Outputs outputs;
  VerdictHooks hooks;
  hooks.progress = [&](double fraction, Cycle cycle) { progress.update(fraction, cycle); };
  hooks.build = {say, catch_interrupts()};
  hooks.on_topology = [&](const RouterVerdict& so_far) {
    if (options.observe.json == "-") return;
    outputs.attempt([&] {
      if (so_far.topologies.size() == 1) print(sheet_head(so_far, style));
      print(topology_sheet(so_far.topologies.back(), style));
    });
    std::fflush(stdout);
  };
  const RouterVerdict verdict = try_router(options.run, options.cosim, hooks);
  if (options.observe.json != "-") {
    outputs.attempt([&] { print(sheet_verdict(verdict, style)); });
  }
  if (json) {
    Json object{{"version", program_version}, {"model", "cosim"}};
    object.update(verdict_json(verdict));
    outputs.attempt([&] { json->commit(json_text(object)); });
  }
  if (verdict.is_unknown()) return outputs.status(exit_incomplete);
  const bool must_be_twin = options.cosim.lockstep;
  const bool is_right = verdict.keeps_contract() && (!must_be_twin || verdict.is_twin());
  return outputs.status(is_right ? exit_clean : exit_finding);
}

// Throws unless it can be written and its ending names a format; empty: there is none.
void require_difference_file(const std::string& wave) {
  if (wave.empty()) return;
  require_wave_ending(wave);
  OutputFile{wave};
}

int cosim(const Invocation& given) {
  const Settings scenario = given.argument().empty()
                                ? Settings{}
                                : read_scenario(given.argument(), options_read_by(use::cosim));
  Options options = merge(scenario, given.settings);
  options.run.model = Model::cosim;
  require_own_files(options, given.argument());
  require_difference_file(options.cosim.difference_wave);
  note_choices(options);
  if (options.cosim.is_own()) return try_own_router(options);
  return carry_out(options, given.command);
}

}  // namespace

Command cosim_command() {
  Command command;
  command.name = "cosim";
  command.summary = "like run, but with routers in RTL in lockstep with SystemC";
  command.words =
      "The routers of --rtl-nodes are SystemVerilog, Verilated when they are first needed. Each runs beside its SystemC twin on the same inputs. At the first difference the run stops with exit status 1, says where the difference is, and writes its waves to cosim-difference.fst.";
  command.examples = {
      "allport cosim --topology hypercube:4 --algorithm wsort --rtl-nodes 5,9",
      "allport cosim --topology torus:4x4 --pattern uniform --rate 0.2 --cycles 1000",
      "allport cosim --rtl my_router.sv --topology hypercube:3"};
  command.page = "bring-your-own-router.md";
  command.options = options_read_by(use::cosim);
  command.positional = {"SCENARIO", "a scenario file, TOML"};
  command.run = cosim;
  return command;
}

}  // namespace allport
