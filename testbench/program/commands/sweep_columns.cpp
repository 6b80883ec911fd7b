// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/sweep_columns.h"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>

#include "rtl_model/base/names.h"
#include "testbench/program/report/pieces_report.h"
#include "testbench/program/report/results_json.h"
#include "testbench/results/statistics.h"
#include "testbench/studies/sweep/axis_plot.h"
#include "testbench/studies/sweep/tables.h"

namespace allport {

namespace {

// Results without values in which nothing is missing.
Results whole_results(const RunPlan& plan) {
  Results results;
  results.destinations = 1;
  results.latency.max = 1;
  results.trials.resize(plan.request.traffic.trials);
  results.contention.is_truncated = true;
  results.reception.is_truncated = true;
  if (plan.router.retry || plan.simulation.errors.has_any()) results.link_errors.emplace();
  if (plan.tasks() != nullptr) results.tasks.emplace().makespan = 1;
  if (plan.load() != nullptr) results.load.emplace().latency_histogram = {1};
  if (plan.traffic() != nullptr && plan.traffic()->loop) {
    results.closed_loop.emplace().round_trip_histogram = {1};
  }
  if (plan.traffic() != nullptr) results.traffic.emplace().latency_histogram = {1};
  return results;
}

ScheduleReport whole_report(bool judges_unicasts) {
  ScheduleReport report;
  for (Finding ScheduleReport::*finding :
       {&ScheduleReport::exactly_once, &ScheduleReport::causality, &ScheduleReport::port_rule,
        &ScheduleReport::routes_valid, &ScheduleReport::stepwise, &ScheduleReport::stepwise_vc,
        &ScheduleReport::definition4, &ScheduleReport::theorem1, &ScheduleReport::collective}) {
    (report.*finding).is_truncated = true;
  }
  if (judges_unicasts) return report;
  report.worms.emplace();
  report.worms->contention.is_truncated = true;
  return report;
}

Json example(const RunPlan& plan, bool shows_pieces, bool judges_unicasts) {
  StaticVerdict verdict;
  if (plan.is_scheduled() && !plan.request.check.no_static)
    verdict.report = whole_report(judges_unicasts);
  const Results results = whole_results(plan);
  Json json = run_json(plan, results, verdict, "");
  json["latency"].update(json_of(results.latency, Known::everywhere));
  add_window(json, results, plan.routing.topology(), Known::everywhere);
  if (shows_pieces) json["pieces"] = pieces_json({{0, node_id(0), 1}}, plan.routing.topology());
  for (const char* key : {"version", "config", "model"}) json.erase(key);
  return json;
}

// The columns of one point after another, each once, until there is `wanted`.
std::vector<std::string> columns_up_to(const SweepPlan& plan, const std::string& wanted) {
  const std::vector<std::string> varied = plan.varied_keys();
  const bool shows_pieces = std::find(varied.begin(), varied.end(), "pieces") != varied.end();
  std::vector<std::string> columns;
  std::set<std::string> known;
  for (std::uint64_t i = 0; i < plan.size() && known.count(wanted) == 0; ++i) {
    const std::optional<RunPlan> run = plan.run(i);
    if (!run) continue;  // this point will fail
    for (const bool judges_unicasts : {true, false}) {
      const Json json = example(*run, shows_pieces, judges_unicasts);
      visit_cells(json, [&](const std::string& path, const Json&) {
        if (number_in(json, path) && known.insert(path).second) columns.push_back(path);
      });
    }
  }
  return columns;
}

}  // namespace

std::vector<std::string> number_columns(const SweepPlan& plan) { return columns_up_to(plan, ""); }

void require_column(const SweepPlan& plan, const std::string& column) {
  const std::vector<std::string> known = columns_up_to(plan, column);
  if (known.empty() || std::find(known.begin(), known.end(), column) != known.end()) return;
  throw std::invalid_argument(
      "--plot-y: " + unknown_name("column of numbers", column, {known.begin(), known.end()}));
}

}  // namespace allport
