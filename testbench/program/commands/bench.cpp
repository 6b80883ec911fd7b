// SPDX-License-Identifier: Apache-2.0
// `allport bench` measures the speed of the models on this machine. Each case runs in a process of
// its own, because SystemC elaborates once in a process, and so that the memory measured is that of
// the case.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/plan/verdict.h"
#include "testbench/processes/child_process.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/studies/bench/bench_case.h"
#include "testbench/studies/bench/bench_model.h"
#include "testbench/studies/bench/bench_row.h"
#include "testbench/studies/bench/instruction_count.h"

namespace allport {

namespace {

struct BenchOptions {
  std::vector<std::string> cases;   // parts of the names of cases; empty: all
  std::vector<std::string> models;  // names of models; empty: all
  bool instructions = false;        // whether instructions are counted
};

const OptionSpec cases_option{"",
                              "cases",
                              "TEXT,..",
                              "all",
                              "only cases whose name contains one of these",
                              [](Options& options, std::string_view text) {
                                options.of_command<BenchOptions>().cases.clear();
                                for (const std::string_view item : parse_list(text))
                                  options.of_command<BenchOptions>().cases.emplace_back(item);
                              }};

const OptionSpec models_option{"",
                               "models",
                               "MODEL,..",
                               "all",
                               "only these models, see below",
                               [](Options& options, std::string_view text) {
                                 options.of_command<BenchOptions>().models.clear();
                                 for (const std::string_view item : parse_list(text)) {
                                   options.of_command<BenchOptions>().models.push_back(
                                       parse_word("model", item, bench_model_names()));
                                 }
                               },
                               bench_model_names};

const OptionSpec cycles_option{
    "",
    "cycles",
    "CYCLES",
    "by case",
    "number of cycles in which patterns start messages",
    [](Options& options, std::string_view text) {
      options.run.traffic.cycles = parse_integer(text, {1, limits::cycles.high});
    }};

const OptionSpec instructions_option{
    "",
    "instructions",
    "",
    "",
    "also count instructions, under valgrind, which takes about fifty times as long",
    [](Options& options, std::string_view text) {
      options.of_command<BenchOptions>().instructions = parse_flag(text);
    }};

std::vector<BenchCase> chosen_cases(const Options& options) {
  const std::vector<std::string> parts = options.of_command<BenchOptions>().cases;
  std::vector<BenchCase> list;
  for (const BenchCase& one : bench_cases()) {
    const bool is_chosen =
        parts.empty() || std::any_of(parts.begin(), parts.end(), [&](const std::string& text) {
          return one.name.find(text) != std::string::npos;
        });
    if (is_chosen) list.push_back(one);
  }
  if (list.empty()) {
    std::string names;
    for (const BenchCase& one : bench_cases())
      names += fmt::format("{}'{}'", names.empty() ? "" : ", ", one.name);
    throw std::invalid_argument(fmt::format(
        "--cases: no case has a name that contains one of these; the cases are {}", names));
  }
  if (options.run.traffic.cycles > 0 &&
      std::none_of(list.begin(), list.end(),
                   [](const BenchCase& one) { return one.is_pattern(); })) {
    throw std::invalid_argument("--cycles: none of the chosen cases is a pattern");
  }
  return list;
}

struct BenchRun {
  BenchCase one;
  const BenchModel* model;
};

// The fabrics in RTL need Verilator and take a minute to build: without it, only the other models
// are measured.
std::vector<BenchRun> chosen_runs(const Options& options) {
  const std::vector<std::string> names = options.of_command<BenchOptions>().models;
  const bool can_build = !names.empty() || has_verilator();
  std::vector<BenchRun> list;
  for (const BenchCase& one : chosen_cases(options)) {
    for (const BenchModel& model : bench_models()) {
      const bool is_chosen =
          names.empty() || std::find(names.begin(), names.end(), model.name) != names.end();
      const bool is_possible = model.build == nullptr || (one.has_rtl && can_build);
      const bool is_carried = one.is_pattern() || !model.is_for_patterns;
      if (is_chosen && is_possible && is_carried) list.push_back({one, &model});
    }
  }
  if (!list.empty()) return list;
  throw std::invalid_argument("--models: none of these is measured in the chosen cases");
}

Json simulate(const RunPlan& plan, const BenchModel& model, const ModelLibrary* library) {
  const Results results = model.run(plan, library);
  if (const std::string problem = fault(results); !problem.empty()) {
    throw std::runtime_error(problem);
  }
  return {{"cycles", results.cycles},
          {"messages", results.messages},
          {"flit_hops", results.flit_hops},
          {"digest", results.digest},
          {"wall_seconds", results.wall_seconds},
          {"startup_seconds", results.startup_seconds}};
}

BenchMeasurement measure(const BenchRun& run, Cycle cycles) {
  const RunPlan plan = plan_case(run.one, cycles);
  const auto library = run.model->build != nullptr ? run.model->build(plan) : nullptr;
  const ChildResult child = run_in_child([&] { return simulate(plan, *run.model, library.get()); },
                                         {nullptr, {}, catch_interrupts()});
  give_up_if_interrupted();
  if (!child.problem.empty()) {
    throw std::runtime_error(fmt::format("bench: case {} on {} failed: {}", run.one.name,
                                         run.model->name, child.problem));
  }
  BenchMeasurement measured;
  measured.case_name = run.one.name;
  measured.model = run.model->name;
  measured.nodes = plan.routing.topology().node_count();
  measured.cycles = child.json["cycles"];
  measured.messages = child.json["messages"];
  measured.flit_hops = child.json["flit_hops"];
  measured.digest = child.json["digest"];
  measured.wall_seconds = child.json["wall_seconds"];
  measured.startup_seconds = child.json["startup_seconds"];
  measured.peak_bytes = child.peak_bytes;
  return measured;
}

// The same run once more under valgrind.
std::uint64_t instructions(const BenchRun& run, Cycle cycles) {
  std::vector<std::string> arguments{
      "bench", "--cases", run.one.name, "--models", std::string(run.model->name), "--json", "-"};
  if (cycles > 0 && run.one.is_pattern()) {
    arguments.insert(arguments.end(), {"--cycles", std::to_string(cycles)});
  }
  return count_instructions(arguments);
}

// One row for each run that was measured before an interrupt.
Json measured_rows(const Options& options, const std::vector<BenchRun>& runs) {
  if (options.of_command<BenchOptions>().models.empty() && !has_verilator()) {
    write_on_stderr("bench: verilator is not installed, so no RTL is measured\n");
  }
  Json rows = Json::array();
  try {
    for (const BenchRun& run : runs) {
      write_on_stderr(fmt::format("bench {}/{}: {} on {}\n", rows.size() + 1, runs.size(),
                                  run.one.name, run.model->name));
      BenchMeasurement measured = measure(run, options.run.traffic.cycles);
      if (options.of_command<BenchOptions>().instructions)
        measured.instructions = instructions(run, options.run.traffic.cycles);
      rows.push_back(bench_row(measured, rows));
    }
  } catch (const Stopped&) {
    return rows;
  }
  return rows;
}

int bench(const Invocation& given) {
  const Options options = merge({}, given.settings);
  const std::vector<BenchRun> runs = chosen_runs(options);
  if (options.of_command<BenchOptions>().instructions) require_valgrind();
  std::optional<OutputFile> json = wanted_file(options.observe.json);
  const Json rows = measured_rows(options, runs);
  Outputs outputs;
  if (options.observe.json != "-") outputs.attempt([&] { print(bench_table(rows)); });
  if (json) outputs.attempt([&] { json->commit(json_text(rows)); });
  if (rows.size() == runs.size()) return outputs.status(exit_clean);
  say(fmt::format("interrupted: {} of {} runs are measured", rows.size(), runs.size()));
  return outputs.status(exit_incomplete);
}

std::string words() {
  std::string text =
      "All-port fabrics with buffers of 4 flits. Uniform traffic on a 6-cube, an 8x8 torus, a 32x32 torus and a 10-cube, at 0.001, 0.05 and 0.2 flits per node and cycle, with messages of 16 (L16) and 64 flits (L64); collectives of 1024 flits. Models:\n";
  for (const BenchModel& model : bench_models()) {
    text += fmt::format("\n  {:<16}{}", model.name, model.summary);
  }
  return text;
}

OptionList bench_options() {
  OptionList options{&option_named("json")};
  for (const OptionSpec* own :
       {&cases_option, &models_option, &cycles_option, &instructions_option}) {
    options.push_back(own);
  }
  return options;
}

}  // namespace

Command bench_command() {
  Command command;
  command.name = "bench";
  command.summary = "the speed of the models on this machine";
  command.words = words();
  command.examples = {
      "allport bench --cases 6-cube --json bench.json",
      "allport bench --cases 'torus uniform 0.2' --models systemc --cycles 500 --instructions"};
  command.page = "performance.md";
  command.options = bench_options();
  command.run = bench;
  return command;
}

}  // namespace allport
