// SPDX-License-Identifier: Apache-2.0
// allport bench: the speed of the models on this machine. Each case runs in a process of its own:
// SystemC elaborates once in a process, and so the memory is that case's.
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>

#include "testbench/program/child_process.h"
#include "testbench/program/command_line.h"
#include "testbench/program/commands.h"
#include "testbench/program/exit_status.h"
#include "testbench/program/output_file.h"
#include "testbench/program/plan_run.h"
#include "testbench/program/results_json.h"

namespace allport {

namespace {

struct Case {
  const char* name;
  const char* topology;
  double rate;   // of uniform traffic, in flits per node and cycle
  Cycle cycles;  // in which messages start
};

constexpr std::array cases{Case{"6-cube uniform 0.05", "hypercube:6", 0.05, 200'000},
                           Case{"6-cube uniform 0.2", "hypercube:6", 0.2, 100'000},
                           Case{"8x8 torus uniform 0.05", "torus:8x8", 0.05, 200'000},
                           Case{"8x8 torus uniform 0.2", "torus:8x8", 0.2, 100'000},
                           Case{"10-cube uniform 0.05", "hypercube:10", 0.05, 10'000},
                           Case{"10-cube uniform 0.2", "hypercube:10", 0.2, 5'000}};

const OptionSpec cases_option{"",
                              "cases",
                              "TEXT,..",
                              "all",
                              "only cases whose name contains one of these",
                              [](Options& options, std::string_view text) {
                                options.cases.clear();
                                for (const std::string_view item : parse_list(text))
                                  options.cases.emplace_back(item);
                              }};

const OptionSpec cycles_option{"",
                               "cycles",
                               "CYCLES",
                               "by case",
                               "in which messages start",
                               [](Options& options, std::string_view text) {
                                 options.cycles = parse_integer(text, 1, 1'000'000'000'000);
                               }};

std::vector<Case> chosen_cases(const Options& options) {
  std::vector<Case> list;
  for (Case one : cases) {
    bool is_chosen = options.cases.empty();
    for (const std::string& text : options.cases) {
      is_chosen = is_chosen || std::strstr(one.name, text.c_str()) != nullptr;
    }
    if (options.cycles > 0) one.cycles = options.cycles;
    if (is_chosen) list.push_back(one);
  }
  if (!list.empty()) return list;
  std::string names;
  for (const Case& one : cases) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", one.name);
  throw std::invalid_argument(fmt::format("--cases: no case has such a name, they are {}", names));
}

double ratio(double number, double count) { return count > 0 ? number / count : 0; }

Json measure(const Case& one) {
  Options options;
  options.topology = parse_topology(one.topology);
  const RunPlan plan = plan_fabric(options);
  Simulation simulation(plan.simulation, plan.routing, true);
  const Results results = simulation.run_uniform(one.rate, one.cycles);
  const double nanoseconds = results.wall_seconds * 1e9;
  const double router_cycles = static_cast<double>(results.cycles) *
                               static_cast<double>(plan.routing.topology().node_count());
  return {{"case", one.name},
          {"model", "systemc"},
          {"cycles_per_second", ratio(static_cast<double>(results.cycles), results.wall_seconds)},
          {"ns_per_router_cycle", ratio(nanoseconds, router_cycles)},
          {"ns_per_flit_hop", ratio(nanoseconds, static_cast<double>(results.flit_hops))},
          {"flit_hops", results.flit_hops},
          {"startup_seconds", results.startup_seconds},
          {"peak_bytes", 0}};
}

Json run_case(const Case& one) {
  ChildResult child = run_in_child([&] { return measure(one); });
  if (!child.problem.empty()) {
    throw std::runtime_error(fmt::format("bench: case {} failed: {}", one.name, child.problem));
  }
  child.json["peak_bytes"] = child.peak_bytes;
  return child.json;
}

void print_table(const Json& rows) {
  std::string text =
      fmt::format("{:<24} {:>12} {:>16} {:>12} {:>12} {:>10} {:>10}\n", "case", "cycles/s",
                  "ns/router cycle", "ns/flit hop", "flit hops", "startup s", "peak MB");
  for (const Json& row : rows) {
    text +=
        fmt::format("{:<24} {:>12.0f} {:>16.2f} {:>12.1f} {:>12} {:>10.3f} {:>10.1f}\n",
                    row["case"].get<std::string>(), row["cycles_per_second"].get<double>(),
                    row["ns_per_router_cycle"].get<double>(), row["ns_per_flit_hop"].get<double>(),
                    row["flit_hops"].get<std::uint64_t>(), row["startup_seconds"].get<double>(),
                    row["peak_bytes"].get<double>() / 1e6);
  }
  print(text);
}

int bench(const Settings& settings) {
  const Options options = merge({}, settings);
  const std::vector<Case> list = chosen_cases(options);
  std::optional<OutputFile> json;
  if (!options.json.empty()) json.emplace(options.json);
  Json rows = Json::array();
  for (const Case& one : list) {
    fmt::print(stderr, "bench {}/{}: {}, {} cycles\n", rows.size() + 1, list.size(), one.name,
               one.cycles);
    rows.push_back(run_case(one));
  }
  if (options.json != "-") print_table(rows);
  if (json) json->commit(json_text(rows));
  return exit_clean;
}

}  // namespace

Command add_bench(CLI::App& program) {
  CLI::App* command = program.add_subcommand("bench", "the speed of the models on this machine");
  command->footer(
      "Messages of 16 flits, buffers of 4, all-port; uniform traffic at 0.05 and 0.2 flits per "
      "node\n"
      "and cycle.\n\n"
      "  allport bench --cases 6-cube --json bench.json");
  const auto settings = std::make_shared<Settings>();
  OptionList options = options_named({"json"});
  options.push_back(&cases_option);
  options.push_back(&cycles_option);
  add_options(*command, options, *settings);
  return {command, [settings] { return bench(*settings); }};
}

}  // namespace allport
