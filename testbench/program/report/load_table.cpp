// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/load_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "testbench/program/report/results_json.h"

namespace allport {

namespace {

bool completes(const LoadResults& load) { return load.collectives > load.unfinished; }

const char* saturated_word(const LoadResults& load) {
  if (load.telling_cycles > 0) return "?";
  return load.saturated ? "yes" : "no";
}

std::string load_line(const ComparedRun& run, std::size_t width, const ComparisonShape& shape) {
  const LoadResults& load = *run.results.load;
  const auto known = [](bool is_known, double number) {
    return is_known ? fmt::format("{:.2f}", number) : std::string("-");
  };
  std::string text = fmt::format(
      "{:<{}} {:>10.4g} {:>10.4g} {:>10.2f} {:>10} {:>12} {:>12} {:>9} {:>8}", run.algorithm->name,
      width, load.offered, load.accepted, load.under_way, saturated_word(load),
      known(run.results.has_latency(), load.latency.mean),
      known(completes(load), load.completion.mean),
      completes(load) ? std::to_string(load.completion.p99) : "-", run.results.contention.events);
  if (shape.clock) {
    text += fmt::format(" {:>12}",
                        known(completes(load), shape.clock->microseconds(load.completion.mean)));
  }
  return text + (run.problem.empty() ? "" : "  " + run.problem) + "\n";
}

}  // namespace

std::string load_table(const std::vector<ComparedRun>& runs, const ComparisonShape& shape) {
  std::size_t width = 10;
  for (const ComparedRun& run : runs) width = std::max(width, run.algorithm->name.size());
  std::string text = fmt::format("{:<{}} {:>10} {:>10} {:>10} {:>10} {:>12} {:>12} {:>9} {:>8}",
                                 "algorithm", width, "offered", "accepted", "under way",
                                 "saturated", "latency", "completion", "p99", "events");
  if (shape.clock) text += fmt::format(" {:>12}", "mean us");
  text += "\n";
  for (const ComparedRun& run : runs) text += load_line(run, width, shape);
  return text + (shape.is_model_chosen ? fmt::format("model {}\n", shape.model) : "");
}

std::vector<Json> loads_json(const std::vector<ComparedRun>& runs, const ComparisonShape& shape) {
  std::vector<Json> entries;
  for (const ComparedRun& run : runs) {
    Json entry{{"algorithm", run.algorithm->name},
               {"model", shape.model},
               {"load", load_json(*run.results.load)},
               {"events", run.results.contention.events}};
    if (!run.problem.empty()) entry["error"] = run.problem;
    entries.push_back(std::move(entry));
  }
  return entries;
}

bool carries_load_better(const ComparedRun& a, const ComparedRun& b) {
  const auto key = [](const ComparedRun& run) {
    const LoadResults& load = *run.results.load;
    return std::tuple(!completes(load), load.saturated, load.completion.mean);
  };
  return key(a) < key(b);
}

}  // namespace allport
