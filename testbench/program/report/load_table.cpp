// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/load_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "testbench/program/report/text_table.h"
#include "testbench/results/statistics.h"

namespace allport {

namespace {

const char* saturated_word(const LoadResults& load) {
  if (!load.is_telling()) return "?";
  return load.saturated ? "yes" : "no";
}

std::vector<TextTable::Column> columns_of(const ComparisonShape& shape, bool needs) {
  using Side = TextTable::Side;
  std::vector<TextTable::Column> columns{
      {"algorithm", Side::left},
      {"offered", Side::right, "collectives that start, per source and cycle"},
      {"accepted", Side::right, "those that are completed"},
      {"under way", Side::right, "collectives at once, in the mean"},
      {"saturated", Side::right, "whether they pile up; ?: the run is too short to tell"},
      {"latency", Side::right, "the mean over the destinations"},
      {"completion", Side::right, "the mean of the largest latency of each collective"},
      {"p99"},
      {"events", Side::right, "contention: one message kept another off a channel"}};
  if (shape.clock) columns.push_back({"mean us"});
  if (needs) columns.push_back(needs_column());
  return columns;
}

std::vector<std::string> cells_of(const ComparedRun& run, const ComparisonShape& shape,
                                  bool needs) {
  const LoadResults& load = *run.results.load;
  const auto known = [](bool is_known, double number) {
    return is_known ? fmt::format("{:.2f}", number) : std::string("-");
  };
  std::vector<std::string> cells{std::string(run.algorithm->name),
                                 fmt::format("{:.4g}", load.offered),
                                 fmt::format("{:.4g}", load.accepted),
                                 fmt::format("{:.2f}", load.under_way),
                                 saturated_word(load),
                                 known(run.results.has_latency(), load.latency.mean),
                                 known(load.has_completion(), load.completion.mean),
                                 load.has_completion() ? std::to_string(load.completion.p99) : "-",
                                 std::to_string(run.results.contention.events)};
  if (shape.clock) {
    cells.push_back(known(load.has_completion(), shape.clock->microseconds(load.completion.mean)));
  }
  if (needs) cells.emplace_back(routers_needed(*run.algorithm));
  return cells;
}

}  // namespace

std::string load_table(const std::vector<ComparedRun>& runs, const ComparisonShape& shape) {
  const bool needs = std::any_of(runs.begin(), runs.end(), has_needs);
  TextTable table(columns_of(shape, needs));
  for (const ComparedRun& run : runs) table.add(cells_of(run, shape, needs), run.problem);
  return table.text() + "\n" + table.meanings() +
         (shape.is_model_chosen ? fmt::format("model {}\n", shape.model) : "");
}

std::vector<Json> loads_json(const std::vector<ComparedRun>& runs, const ComparisonShape& shape) {
  std::vector<Json> entries;
  for (const ComparedRun& run : runs) {
    Json entry{{"algorithm", run.algorithm->name},
               {"model", shape.model},
               {"load", json_of(*run.results.load)},
               {"events", run.results.contention.events}};
    if (has_needs(run)) entry["needs"] = routers_needed(*run.algorithm);
    if (!run.problem.empty()) entry["error"] = run.problem;
    entries.push_back(std::move(entry));
  }
  return entries;
}

bool carries_load_better(const ComparedRun& a, const ComparedRun& b) {
  const auto key = [](const ComparedRun& run) {
    const LoadResults& load = *run.results.load;
    return std::tuple(!load.has_completion(), load.saturated, load.completion.mean);
  };
  return key(a) < key(b);
}

}  // namespace allport
