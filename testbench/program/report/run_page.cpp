// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/run_page.h"

#include <fmt/format.h>

#include <utility>

#include "rtl_model/base/quote.h"
#include "testbench/plan/way_to_bound.h"
#include "testbench/program/report/page_names.h"
#include "testbench/program/report/run_page_facts.h"
#include "testbench/program/report/run_page_head.h"
#include "testbench/program/report/run_page_sections.h"
#include "testbench/program/report/stop_report.h"
#include "testbench/program/terminal/version.h"
#include "testbench/show/page/html.h"
#include "testbench/show/page/page.h"
#include "traffic/algorithms/algorithms.h"

namespace allport {

namespace {

std::string run_title(const RunPlan& plan) {
  const TrafficTable& traffic = plan.request.traffic;
  if (traffic.algorithm != nullptr) return std::string(traffic.algorithm->name);
  if (plan.tasks() != nullptr && traffic.schedule.empty()) {
    return traffic.tasks.empty() ? "Tasks" : shown_path(traffic.tasks);
  }
  if (!traffic.flows.empty()) return shown_path(traffic.flows);
  return traffic.pattern.empty() ? shown_path(traffic.schedule) : traffic.pattern;
}

// What no picture shows is left out: lists of thousands of events and messages.
Json take_run_data(RunPageFacts& run) {
  Json& of_run = run.parts.run;
  Json& trial = run.parts.trial;
  of_run["contention"].erase("list");
  of_run["contention"]["reception"].erase("list");
  for (const char* key : {"messages", "unfinished", "roots", "by_channel", "by_source"}) {
    of_run["explanation"].erase(key);
  }
  for (const char* key : {"static", "wait_for"}) of_run.erase(key);
  if (!trial.is_null()) {
    for (const char* key : {"moments", "channels"}) trial.erase(key);
  }
  Json data = {{"kind", "run"},
               {"run", std::move(of_run)},
               {"complete", run.results.is_complete() && run.results.missing == 0},
               {"path_is_shown", is_last_trial(run.plan, run.explanation.path)},
               {"trial", std::move(trial)}};
  if (run.explanation.to_bound) data["transfers"] = transfers_by_step(run.plan, run.results);
  if (run.results.deadlock) data["stop"] = stop_json(run.plan, *run.results.deadlock);
  return data;
}

void add_parameters(const Json& json, const std::string& prefix, HtmlTable& table) {
  for (const auto& [key, value] : json.items()) {
    const std::string name = prefix + key;
    if (value.is_object()) {
      add_parameters(value, name + ".", table);
    } else {
      table.add({name, value.is_string() ? value.get<std::string>() : value.dump()});
    }
  }
}

// The algorithms that the page names: that of the run, and those that may help.
std::vector<std::string> named_algorithms(const RunPageFacts& run) {
  std::vector<std::string> names;
  const Algorithm* const own = run.plan.request.traffic.algorithm;
  if (own != nullptr) names.emplace_back(own->name);
  for (const AdvisedChange& change : run.changes()) {
    if (change.key == "algorithm") {
      names.insert(names.end(), change.values.begin(), change.values.end());
    }
  }
  return names;
}

}  // namespace

bool is_last_trial(const RunPlan& plan, const std::vector<PathMessage>& path) {
  return !path.empty() && path.front().account.trial + 1 == static_cast<int>(plan.trials().size());
}

std::string page_maker() { return std::string("allport ") + program_version; }

std::string parameter_table(const Json& config) {
  HtmlTable table("config", "All parameters", {"parameter", "value"});
  add_parameters(config, "", table);
  return table.take();
}

std::string run_page(const RunPlan& plan, const SessionResults& session,
                     const StaticVerdict& verdict, RunPageParts parts) {
  RunPageFacts run(plan, session, verdict, std::move(parts));
  Page page;
  page.title = fmt::format("{} on {}", run_title(plan), run.topology().name());
  page.command = run.parts.command;
  page.made_by = page_maker();
  page.lead = run_page_head(run);
  page.sections = run_page_sections(run);
  page.names = algorithms_in_words(named_algorithms(run));
  page.data = take_run_data(run);
  return html_page(page);
}

}  // namespace allport
