// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/load_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "testbench/results/statistics.h"

namespace allport {

namespace {

const char* saturated_word(const LoadResults& load) {
  if (!load.is_telling()) return "?";
  return load.saturated ? "yes" : "no";
}

std::string known_mean(bool is_known, double mean) {
  return is_known ? fmt::format("{:.2f}", mean) : "-";
}

// They hold `shape` by reference.
std::vector<TableColumn<ComparedRun>> load_columns(const ComparisonShape& shape, bool needs) {
  using Side = TextTable::Side;
  std::vector<TableColumn<ComparedRun>> columns;
  // A cell of the load, of a run that has one.
  const auto add = [&](TextTable::Column look,
                       std::function<std::string(const LoadResults&)> cell) {
    columns.push_back({std::move(look), [cell = std::move(cell)](const ComparedRun& run) {
                         return cell(*run.results.load);
                       }});
  };
  using Load = const LoadResults&;
  columns.push_back({{"algorithm", Side::left},
                     [](const ComparedRun& run) { return std::string(run.algorithm->name); }});
  add({"offered", Side::right, "collectives that start, per source and cycle"},
      [](Load load) { return fmt::format("{:.4g}", load.offered); });
  add({"accepted", Side::right, "those that are completed"},
      [](Load load) { return fmt::format("{:.4g}", load.accepted); });
  add({"under way", Side::right, "collectives at once, in the mean"},
      [](Load load) { return fmt::format("{:.2f}", load.under_way); });
  add({"saturated", Side::right, "whether they pile up; ?: the run is too short to tell"},
      saturated_word);
  add({"latency", Side::right, "the mean over the destinations"},
      [](Load load) { return known_mean(load.has_latency(), load.latency.mean); });
  add({"completion", Side::right, "the mean of the largest latency of each collective"},
      [](Load load) { return known_mean(load.has_completion(), load.completion.mean); });
  add({"p99"},
      [](Load load) { return load.has_completion() ? std::to_string(load.completion.p99) : "-"; });
  columns.push_back(
      {{"events", Side::right, "contention: one message kept another off a channel"},
       [](const ComparedRun& run) { return std::to_string(run.results.contention.events); }});
  if (shape.clock) {
    add({"mean us"}, [&](Load load) {
      return known_mean(load.has_completion(), shape.clock->microseconds(load.completion.mean));
    });
  }
  if (needs) columns.push_back(needs_column());
  return columns;
}

}  // namespace

std::string load_table(const std::vector<ComparedRun>& runs, const ComparisonShape& shape) {
  const bool needs = std::any_of(runs.begin(), runs.end(), has_needs);
  const TextTable table = text_table(load_columns(shape, needs), runs, &ComparedRun::problem);
  return table.text() + "\n" + table.meanings() +
         (shape.is_model_chosen ? fmt::format("model {}\n", shape.model) : "");
}

std::vector<Json> loads_json(const std::vector<ComparedRun>& runs, const ComparisonShape& shape) {
  std::vector<Json> entries;
  for (const ComparedRun& run : runs) {
    Json entry{{"algorithm", run.algorithm->name},
               {"model", shape.model},
               {"load", json_of(*run.results.load, *run.topology)},
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
