// SPDX-License-Identifier: Apache-2.0
// allport bench: the speed of the models on this machine. Each case runs in a process of its own:
// SystemC elaborates once in a process, and so the memory is that case's.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>

#include "testbench/program/bench_case.h"
#include "testbench/program/child_process.h"
#include "testbench/program/command_line.h"
#include "testbench/program/commands.h"
#include "testbench/program/exit_status.h"
#include "testbench/program/output_file.h"
#include "testbench/program/results_json.h"

namespace allport {

namespace {

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

const OptionSpec models_option{
    "",
    "models",
    "MODEL,..",
    "all",
    "of systemc, rtl, rtl-fabric (one Verilated module) and lockstep",
    [](Options& options, std::string_view text) {
      options.bench_models.clear();
      for (const std::string_view item : parse_list(text)) {
        options.bench_models.push_back(parse_word("model", item, bench_models()));
      }
    },
    bench_models};

const OptionSpec cycles_option{"",
                               "cycles",
                               "CYCLES",
                               "by case",
                               "in which messages start",
                               [](Options& options, std::string_view text) {
                                 options.cycles = parse_integer(text, 1, 1'000'000'000'000);
                               }};

std::vector<BenchCase> chosen_cases(const Options& options) {
  std::vector<BenchCase> list;
  for (BenchCase one : bench_cases()) {
    bool is_chosen = options.cases.empty();
    for (const std::string& text : options.cases) {
      is_chosen = is_chosen || std::strstr(one.name, text.c_str()) != nullptr;
    }
    if (options.cycles > 0) one.cycles = options.cycles;
    if (is_chosen) list.push_back(one);
  }
  if (!list.empty()) return list;
  std::string names;
  for (const BenchCase& one : bench_cases())
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", one.name);
  throw std::invalid_argument(fmt::format("--cases: no case has such a name, they are {}", names));
}

// The fabrics of RTL take a minute to build: without Verilator the SystemC model is measured alone.
std::vector<std::string_view> chosen_models(const Options& options) {
  const std::vector<std::string_view> all = bench_models();
  if (!options.bench_models.empty())
    return {options.bench_models.begin(), options.bench_models.end()};
  return all;
}

struct Measurement {
  BenchCase one;
  std::string_view model;
};

std::vector<Measurement> measurements(const Options& options) {
  std::vector<Measurement> list;
  for (const BenchCase& one : chosen_cases(options)) {
    for (const std::string_view model : chosen_models(options)) {
      if (model == "systemc" || one.has_rtl) list.push_back({one, model});
    }
  }
  if (!list.empty()) return list;
  throw std::invalid_argument("--models: none of these is measured in the chosen cases");
}

// The flit hops of a case are the same on every model; a fabric in one module does not count them.
void fill_in_hops(Json& row, const Json& rows) {
  for (const Json& other : rows) {
    if (other["case"] != row["case"]) continue;
    if (other["digest"] != row["digest"]) {
      throw std::runtime_error(fmt::format(
          "bench: case {}: the digest of {} is not that of {}", row["case"].get<std::string>(),
          row["model"].get<std::string>(), other["model"].get<std::string>()));
    }
    if (row["flit_hops"] != 0) continue;
    const double hops = other["flit_hops"].get<double>();
    const double seconds_per_hop =
        row["ns_per_router_cycle"].get<double>() / other["ns_per_router_cycle"].get<double>();
    row["flit_hops"] = other["flit_hops"];
    row["ns_per_flit_hop"] =
        hops > 0 ? seconds_per_hop * other["ns_per_flit_hop"].get<double>() : 0;
  }
}

Json run_case(const Measurement& measurement) {
  const auto library = bench_library(measurement.one, measurement.model);
  ChildResult child =
      run_in_child([&] { return measure(measurement.one, measurement.model, library.get()); });
  if (!child.problem.empty()) {
    throw std::runtime_error(fmt::format("bench: case {} on {} failed: {}", measurement.one.name,
                                         measurement.model, child.problem));
  }
  child.json["peak_bytes"] = child.peak_bytes;
  return child.json;
}

// How many times as fast the SystemC model ran the case; empty where it did not.
std::string times_slower(const Json& row, const Json& rows) {
  for (const Json& other : rows) {
    if (other["case"] != row["case"] || other["model"] != "systemc" || row["model"] == "systemc")
      continue;
    return fmt::format("{:.2f}", other["cycles_per_second"].get<double>() /
                                     row["cycles_per_second"].get<double>());
  }
  return "";
}

void print_table(const Json& rows) {
  std::string text = fmt::format("{:<24} {:<11} {:>11} {:>9} {:>16} {:>12} {:>12} {:>10} {:>8}\n",
                                 "case", "model", "cycles/s", "systemc/", "ns/router cycle",
                                 "ns/flit hop", "flit hops", "startup s", "peak MB");
  for (const Json& row : rows) {
    text +=
        fmt::format("{:<24} {:<11} {:>11.0f} {:>9} {:>16.2f} {:>12.1f} {:>12} {:>10.3f} {:>8.1f}\n",
                    row["case"].get<std::string>(), row["model"].get<std::string>(),
                    row["cycles_per_second"].get<double>(), times_slower(row, rows),
                    row["ns_per_router_cycle"].get<double>(), row["ns_per_flit_hop"].get<double>(),
                    row["flit_hops"].get<std::uint64_t>(), row["startup_seconds"].get<double>(),
                    row["peak_bytes"].get<double>() / 1e6);
  }
  print(text);
}

int bench(const Settings& settings) {
  const Options options = merge({}, settings);
  std::vector<Measurement> list = measurements(options);
  std::optional<OutputFile> json;
  if (!options.json.empty()) json.emplace(options.json);
  if (options.bench_models.empty() && !has_verilator()) {
    fmt::print(stderr, "bench: verilator is not installed, so only systemc is measured\n");
    list.erase(std::remove_if(list.begin(), list.end(),
                              [](const Measurement& one) { return one.model != "systemc"; }),
               list.end());
  }
  Json rows = Json::array();
  for (const Measurement& measurement : list) {
    fmt::print(stderr, "bench {}/{}: {} on {}, {} cycles\n", rows.size() + 1, list.size(),
               measurement.one.name, measurement.model, measurement.one.cycles);
    Json row = run_case(measurement);
    fill_in_hops(row, rows);
    rows.push_back(std::move(row));
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
  options.push_back(&models_option);
  options.push_back(&cycles_option);
  add_options(*command, options, *settings);
  return {command, [settings] { return bench(*settings); }};
}

}  // namespace allport
