// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/sweep_columns.h"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>

#include "rtl_model/base/names.h"
#include "testbench/program/report/pieces_report.h"
#include "testbench/program/report/results_json.h"
#include "testbench/sweep/axis_plot.h"
#include "testbench/sweep/tables.h"

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
  if (plan.tasks) results.tasks = TaskResults{};
  if (plan.load) {
    results.load = LoadResults{};
    results.load->latency_histogram = {1};
    results.load->collectives = 1;
  }
  if (!plan.traffic) return results;
  results.traffic = TrafficResults{};
  results.traffic->latency_histogram = {1};
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
  const bool is_checked = !plan.traffic && !plan.load && !plan.request.check.no_static;
  if (is_checked) verdict.report = whole_report(judges_unicasts);
  Json json = run_json(plan, whole_results(plan), verdict, "");
  if (shows_pieces) json["pieces"] = pieces_json({{0, node_id(0), 1}});
  for (const char* key : {"version", "config", "model"}) json.erase(key);
  return json;
}

// Calls `use` with the columns of one point after another, until it answers true.
void for_each_column(const SweepPlan& plan, const std::function<bool(const std::string&)>& use) {
  const std::vector<std::string> varied = plan.varied_keys();
  const bool shows_pieces = std::find(varied.begin(), varied.end(), "pieces") != varied.end();
  bool is_over = false;
  for (std::uint64_t i = 0; i < plan.size() && !is_over; ++i) {
    const std::optional<RunPlan> run = plan.run(i);
    if (!run) continue;  // this point will fail
    for (const bool judges_unicasts : {true, false}) {
      const Json json = example(*run, shows_pieces, judges_unicasts);
      visit_cells(json, [&](const std::string& path, const Json&) {
        if (!is_over && number_in(json, path)) is_over = use(path);
      });
    }
  }
}

}  // namespace

std::vector<std::string> number_columns(const SweepPlan& plan) {
  std::vector<std::string> columns;
  std::set<std::string> known;
  for_each_column(plan, [&](const std::string& path) {
    if (known.insert(path).second) columns.push_back(path);
    return false;
  });
  return columns;
}

void require_column(const SweepPlan& plan, const std::string& column) {
  std::set<std::string> known;
  bool is_known = false;
  for_each_column(plan, [&](const std::string& path) {
    known.insert(path);
    return is_known = path == column;
  });
  if (known.empty() || is_known) return;
  throw std::invalid_argument(
      "--plot-y: " + unknown_name("column of numbers", column, {known.begin(), known.end()}));
}

}  // namespace allport
