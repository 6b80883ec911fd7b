// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/broken_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "testbench/plan/place_values.h"
#include "testbench/program/terminal/stage.h"

namespace allport {

namespace {

// The fabric alone, which is all that a replay and a run have in common.
std::shared_ptr<const Topology> fabric_of(const Settings& settings) {
  const bool is_replanned = std::any_of(settings.begin(), settings.end(), [](const Setting& one) {
    return one.spec->key == "replan" && parse_flag(one.text);
  });
  Settings own;
  for (const Setting& one : settings) {
    for (const char* key : {"topology", "seed", "missing_nodes", "replan", "source"}) {
      if (one.spec->key == key && (is_replanned || one.spec->key != "source")) own.push_back(one);
    }
  }
  const Options options = merge({}, own);
  if (options.run.fabric.topology == nullptr) {
    throw std::invalid_argument(fmt::format("--topology is missing: give {}", fabrics_in_words));
  }
  return options.run.fabric.topology;
}

FaultReport searched(const Settings& settings, const FaultOptions& options,
                     const std::optional<FaultlessRun>& run, const RunChanges& run_changes,
                     std::string_view option) {
  const std::shared_ptr<const Topology> topology = fabric_of(settings);
  try {
    LinkGraph graph(*topology);
    FaultsFound found = find_faults(graph, options, run, run_changes);
    return {topology, std::move(graph), std::move(found)};
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{} {}: {}", option, options.links, error.what()));
  }
}

// Judges the worst rows that have a number over more seeds.
void judge_worst(FaultReport& report, WhatifRuns& runs, std::uint64_t seed, std::size_t count) {
  FaultsFound& found = report.found;
  std::size_t first = 0;
  while (first < found.rows.size() && !found.rows[first].cost) ++first;
  std::vector<SeedJudgement> worst;
  for (std::size_t i = first; i < found.rows.size() && worst.size() < most_judged; ++i) {
    worst.push_back({found.rows[i].tried.change, -*found.rows[i].cost});
  }
  if (worst.empty()) return;
  const std::size_t wanted = worst.size();
  std::vector<SeedJudgement> judged =
      judge_over_seeds(runs, std::move(worst), seed, count, found.run->goal);
  for (std::size_t i = 0; i < judged.size(); ++i) {
    FaultRow& row = found.rows[first + i];
    row.over_seeds = judged[i].over_seeds;
    row.over_seeds->mean = -row.over_seeds->mean;
    row.failed_seeds = std::move(judged[i].failed_seeds);
  }
  if (judged.size() == wanted) report.seeds = count;
  sort_rows(found);
}

}  // namespace

FaultReport worst_links(const Settings& settings, const BrokenLinks& wanted,
                        std::string_view option) {
  return searched(settings, wanted.search, std::nullopt, nullptr, option);
}

FaultReport worst_links(const WhatifTarget& target, const BrokenLinks& wanted,
                        std::string_view option, StopFlag stop) {
  const Settings settings = all_settings(target);
  WhatifRuns runs(target, wanted.jobs, stop, false);
  const Json first = runs.start();
  FaultlessRun run;
  run.goal = wanted.goal.value_or(usual_goal(first));
  try {
    run.account = account_of(first, run.goal);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("--for: {}", error.what()));
  }
  FaultReport report = searched(
      settings, wanted.search, run,
      [&](const std::vector<Change>& changes) { return runs.run(changes, run.goal); }, option);
  report.command = runs.command_line({});
  for (FaultRow& row : report.found.rows) row.command = runs.command_line(row.tried.change);
  if (wanted.seeds > 1 && is_random(settings) && run.account.value && !stop->load()) {
    judge_worst(report, runs, seed_of(settings), wanted.seeds);
  }
  report.runs = runs.runs();
  report.found.was_stopped = report.found.was_stopped || stop->load();
  return report;
}

}  // namespace allport
