// SPDX-License-Identifier: Apache-2.0
// `allport steps` says how many steps algorithms need, over random or all destination sets.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/plan/plan_goal.h"
#include "testbench/plan/resolve.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/report/work_report.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/progress.h"
#include "testbench/program/terminal/version.h"
#include "traffic/planning/step_statistics.h"

namespace allport {

namespace {

struct StepsOptions {
  std::vector<std::size_t> sizes;           // numbers of destinations; empty: all
  std::optional<std::size_t> trials = 100;  // destination sets of each size; none: every set
};

const OptionSpec trials_option{
    "",
    "trials",
    "T",
    "100",
    "random sets of each size, or exhaustive for all sets",
    [](Options& options, std::string_view text) {
      options.of_command<StepsOptions>().trials.reset();
      if (text == "exhaustive") return;
      options.of_command<StepsOptions>().trials = parse_count(text, {1, 1'000'000'000});
    },
    [] { return std::vector<std::string_view>{"exhaustive"}; }};

const OptionSpec sizes_option{"",
                              "sizes",
                              "M,..",
                              "all",
                              "numbers of destinations",
                              [](Options& options, std::string_view text) {
                                options.of_command<StepsOptions>().sizes.clear();
                                for (const std::string_view item : parse_list(text)) {
                                  options.of_command<StepsOptions>().sizes.push_back(parse_count(
                                      item, {1, static_cast<std::int64_t>(max_node_count)}));
                                }
                              }};

std::vector<const Algorithm*> default_algorithms(const RunRequest& request,
                                                 const std::shared_ptr<const Topology>& topology,
                                                 const NodeGroup* group) {
  std::vector<const Algorithm*> list;
  for (const Algorithm& algorithm : algorithms()) {
    const bool takes_any =
        algorithm.destinations != Destinations::all && algorithm.destinations != Destinations::one;
    const bool takes_rule =
        algorithm.takes_step_rule() || request.traffic.step_rule == StepRule::naive;
    const bool has_fabric = planned_on(algorithm, request, topology, group) != nullptr;
    if (algorithm.is_synthesized)
      continue;  // its steps are those of the fastest plan, not the fewest
    if (takes_any && takes_rule && has_fabric) list.push_back(&algorithm);
  }
  return list;
}

std::vector<std::size_t> all_sizes(std::size_t population) {
  std::vector<std::size_t> sizes(population);
  std::iota(sizes.begin(), sizes.end(), std::size_t{1});
  return sizes;
}

// Random sets are counted size by size, to show progress; exhaustive ones all at once, because
// their limit is on all sizes together.
std::vector<StepRow> statistics(const StepRequest& request) {
  if (!request.trials) return step_statistics(request);
  ProgressBar progress("steps");
  std::vector<StepRow> rows;
  for (const std::size_t size : request.sizes) {
    StepRequest one = request;
    one.sizes = {size};
    std::vector<StepRow> row = step_statistics(one);
    if (row.empty()) break;  // stopped
    rows.push_back(std::move(row.front()));
    progress.update(static_cast<double>(rows.size()) / static_cast<double>(request.sizes.size()),
                    fmt::format("size {}", size));
  }
  return rows;
}

std::string csv(const StepRequest& request, const std::vector<StepRow>& rows) {
  std::string text = "m";
  for (const Algorithm* algorithm : request.algorithms) text += fmt::format(",{}", algorithm->name);
  text += '\n';
  for (const StepRow& row : rows) {
    text += std::to_string(row.size);
    for (std::size_t i = 0; i < request.algorithms.size(); ++i) {
      text += fmt::format(",{:.6f}", row.mean(i));
    }
    text += '\n';
  }
  return text;
}

Json json_of(const Options& options, const StepRequest& request, const std::vector<StepRow>& rows) {
  Json list = Json::array();
  for (const StepRow& row : rows) {
    Json one{{"m", row.size}, {"sets", row.sets}};
    for (std::size_t i = 0; i < request.algorithms.size(); ++i) {
      one[std::string(request.algorithms[i]->name)] = row.mean(i);
    }
    list.push_back(std::move(one));
  }
  Json config{{"topology", request.routing.topology().name()},
              {"routing", request.routing.name()},
              {"ports", request.internal_ports},
              {"source", node_json(request.source, request.routing.topology())},
              {"steps", options.run.traffic.step_rule == StepRule::aware ? "aware" : "naive"},
              {"trials", request.trials ? Json(*request.trials) : Json("exhaustive")},
              {"seed", options.run.traffic.seed}};
  add_ties(config, request.routing.tie_break());
  add_places(config, options.run, request.routing.topology());
  return {{"version", program_version}, {"config", std::move(config)}, {"rows", std::move(list)}};
}

int steps(const Invocation& given) {
  const Options options = merge({}, given.settings);
  require_own_files(options);
  const Routing routing = make_routing(options.run);
  const Topology& topology = routing.topology();
  const auto groups = node_groups(options.run, routing.shared_topology());
  single_source(options.run, topology);  // or throw
  const Party party = parties_of(options.run, topology, groups).front();
  StepRequest request{routing,
                      internal_ports(options.run, topology),
                      party.source,
                      options.algorithms,
                      options.of_command<StepsOptions>().sizes,
                      options.of_command<StepsOptions>().trials,
                      options.run.traffic.seed,
                      options.run.traffic.step_rule,
                      catch_interrupts()};
  if (party.group != nullptr) request.members = party.group->nodes;
  request.planner = [&](const Algorithm& algorithm, const Multicast& goal) {
    return plan_whole(algorithm, goal,
                      {options.run, routing, request.internal_ports, party.group.get()});
  };
  if (request.algorithms.empty()) {
    request.algorithms =
        default_algorithms(options.run, routing.shared_topology(), party.group.get());
  }
  const std::size_t population =
      (request.members.empty() ? topology.node_count() : request.members.size()) - 1;
  if (request.sizes.empty()) request.sizes = all_sizes(population);
  for (const std::size_t size : request.sizes) {
    if (size <= population) continue;
    throw std::invalid_argument(fmt::format("--sizes {}: {} has 1..{} destinations", size,
                                            party.group == nullptr ? topology.name() : "the group",
                                            population));
  }
  std::optional<OutputFile> json = wanted_file(options.observe.json);
  const std::vector<StepRow> rows = statistics(request);
  Outputs outputs;
  if (options.observe.json != "-") outputs.attempt([&] { print(csv(request, rows)); });
  if (json) outputs.attempt([&] { json->commit(json_text(json_of(options, request, rows))); });
  if (rows.size() == request.sizes.size()) return outputs.status(exit_clean);
  say(fmt::format("interrupted: {} of {} sizes are done", rows.size(), request.sizes.size()));
  return outputs.status(exit_incomplete);
}

OptionList steps_options() {
  OptionList options = options_read_by(use::steps);
  options.push_back(&trials_option);
  options.push_back(&sizes_option);
  return options;
}

}  // namespace

Command steps_command() {
  Command command;
  command.name = "steps";
  command.summary = "step counts over random, or all, destination sets";
  command.words = "Prints CSV: m (the size), and for each algorithm the mean of the largest step.";
  command.examples = {
      "allport steps --topology hypercube:6 --algorithms ucube,wsort --trials 100 --sizes 9,17"};
  command.page = "guide/compare.md";
  command.options = steps_options();
  command.run = steps;
  return command;
}

}  // namespace allport
