// SPDX-License-Identifier: Apache-2.0
// `allport whatif` tries what would help a run, and says by how much.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/plan/option_values.h"
#include "testbench/plan/trace_files.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/broken_links.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/commands/whatif_changes.h"
#include "testbench/program/commands/whatif_line.h"
#include "testbench/program/commands/whatif_runs.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/scenario.h"
#include "testbench/program/report/whatif_report.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/version.h"

namespace allport {

namespace {

struct WhatifOptions {
  std::optional<Goal> goal;  // none: the usual one
  SearchOptions search;
  std::optional<std::size_t> broken;  // links that are missing at a time; none: changes are tried
  std::size_t seeds = 5;
  unsigned jobs = 0;
};

constexpr Range budgets{1, 10'000};
constexpr Range seed_counts{1, 1000};

void set_goal(Options& options, std::string_view text) {
  const std::vector<std::string_view> names = goal_names();
  const std::string name = parse_word("goal", text, names);
  const auto at = std::find(names.begin(), names.end(), name);
  options.of_command<WhatifOptions>().goal = static_cast<Goal>(at - names.begin());
}

OptionSpec broken_option() {
  OptionSpec spec{
      "",
      "broken",
      "K",
      "",
      "find the links whose loss costs the run most, K (without a number: 1) at a time, instead of changes that help",
      [](Options& o, std::string_view t) {
        o.of_command<WhatifOptions>().broken = parse_count(t, broken_links);
      }};
  spec.bare = "1";
  return spec;
}

const std::vector<OptionSpec>& own_options() {
  static const std::vector<OptionSpec> table{
      {"", "for", "GOAL", "completion, makespan or p99",
       "the number that counts, and shall become better: completion (of collectives), makespan (of tasks and traces), or of patterns, flows and loads p99, mean, max or accepted",
       set_goal, goal_names},
      broken_option(),
      {"", "budget", "N", "30, with --broken 10000",
       "how many changes are run, where those that are refused do not count; with --broken how many sets of links are tried, of more a draw",
       [](Options& o, std::string_view t) {
         o.of_command<WhatifOptions>().search.budget = parse_count(t, budgets);
       }},
      {"", "pairs", "", "", "try pairs of the best changes, too",
       [](Options& o, std::string_view t) {
         o.of_command<WhatifOptions>().search.pairs = parse_flag(t);
       }},
      {"", "then", "", "", "take the best change as the new start, and go on until none is better",
       [](Options& o, std::string_view t) {
         o.of_command<WhatifOptions>().search.then = parse_flag(t);
       }},
      {"", "seeds", "N", "5",
       "over how many seeds the best changes, or the worst losses, of a random run are judged, the first one included; 1: what is said may be chance",
       [](Options& o, std::string_view t) {
         o.of_command<WhatifOptions>().seeds = parse_count(t, seed_counts);
       }},
      {"", "jobs", "N", "cores", "runs at the same time",
       [](Options& o, std::string_view t) {
         o.of_command<WhatifOptions>().jobs = static_cast<unsigned>(parse_count(t, limits::jobs));
       }},
      {"", "json", "FILE", "", "write what was found as JSON; - is stdout",
       [](Options& o, std::string_view t) { o.observe.json = parse_path(t); }},
      {"", "report", "FILE", "", "write it as an HTML page, FILE.html",
       [](Options& o, std::string_view t) { o.observe.report = page_file(t); }}};
  return table;
}

bool is_own(const Setting& setting) {
  const auto& table = own_options();
  return setting.spec >= table.data() && setting.spec < table.data() + table.size();
}

// Those of runs and replays that determine a result, or how it comes about.
OptionList options_of_runs() {
  OptionList list;
  const auto add = [&list](const OptionSpec* spec) {
    const bool is_known = std::any_of(list.begin(), list.end(), [spec](const OptionSpec* other) {
      return other->key == spec->key;
    });
    if (is_tried(*spec) && !is_known) list.push_back(spec);
  };
  for (const OptionSpec* spec : options_read_by(use::run)) add(spec);
  for (const OptionSpec* spec : replay_command().options) add(spec);
  return list;
}

// A scenario, or traces.
bool is_scenario(const std::vector<std::string>& files) {
  return files.size() == 1 && std::filesystem::path(files.front()).extension() == ".toml";
}

WhatifTarget target_of(const Invocation& given) {
  WhatifTarget target;
  const bool has_jobs = std::any_of(given.settings.begin(), given.settings.end(),
                                    [](const Setting& one) { return one.spec->key == "job"; });
  const bool is_run = !has_jobs && (given.arguments.empty() || is_scenario(given.arguments));
  target.command = is_run ? "run" : "replay";
  target.files = given.arguments;
  if (is_run && !given.arguments.empty()) {
    target.scenario = read_scenario(given.arguments.front(), options_of_runs());
  }
  for (const Setting& one : given.settings) {
    if (!is_own(one)) target.given.push_back(one);
  }
  return target;
}

// Judges the best rows over more seeds.
void judge_best(WhatifFound& found, WhatifRuns& runs, std::uint64_t seed, std::size_t count) {
  std::vector<SeedJudgement> best;
  for (const WhatifRow& row : found.rows) {
    if (best.size() == most_judged || !row.saved) break;
    best.push_back({row.tried.change, *row.saved});
  }
  const std::size_t wanted = best.size();
  std::vector<SeedJudgement> judged =
      judge_over_seeds(runs, std::move(best), seed, count, found.goal);
  for (std::size_t i = 0; i < judged.size(); ++i) {
    found.rows[i].over_seeds = judged[i].over_seeds;
    found.rows[i].failed_seeds = std::move(judged[i].failed_seeds);
  }
  if (judged.size() == wanted) found.seeds = count;
}

WhatifFound find(const WhatifTarget& target, const WhatifOptions& own, StopFlag stop) {
  const Settings all = all_settings(target);
  std::optional<Options> options;
  if (target.command == "run") options = merge(target.scenario, target.given);
  WhatifRuns runs(target, own.jobs, stop);
  const Json first = runs.start();
  WhatifFound found;
  found.goal = own.goal.value_or(usual_goal(first));
  try {
    found.start = account_of(first, found.goal);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("--for: {}", error.what()));
  }
  found.command = runs.command_line({});
  found.search = own.search;
  if (options && !options->is_given("model")) options->run.model = Model::automatic;
  const WhatifChanges changes(all, options ? &*options : nullptr);
  ChangeSearch search(
      own.search, found.goal,
      [&](const Change& change, const Account& account) {
        return changes.suggest(change, account);
      },
      [&](const std::vector<Change>& list) { return runs.run(list, found.goal); });
  for (TriedChange& tried : search.take(found.start)) {
    WhatifRow row;
    row.command = runs.command_line(tried.change);
    row.saved = gain(found.start, tried.account, found.goal);
    row.tried = std::move(tried);
    found.rows.push_back(std::move(row));
  }
  sort_rows(found);
  if (own.seeds > 1 && is_random(all) && found.start.value && !stop->load()) {
    judge_best(found, runs, seed_of(all), own.seeds);
    sort_rows(found);
  }
  found.runs = runs.runs();
  found.left = search.left();
  found.was_stopped = search.was_stopped() || stop->load();
  return found;
}

// Nodes that are drawn are those of the run as it is, whatever the seed of a row.
void fix_missing_nodes(Settings& settings, std::uint64_t seed) {
  for (Setting& one : settings) {
    const bool is_drawn = one.spec->key == "missing_nodes" && one.text.rfind("random", 0) == 0;
    const auto colons = std::count(one.text.begin(), one.text.end(), ':');
    if (is_drawn && colons == 1) one.text += fmt::format(":{}", seed);
  }
}

// --broken: the worst links in place of the best changes.
FaultReport find_broken(WhatifTarget target, const Options& options, StopFlag stop) {
  const auto own = options.of_command<WhatifOptions>();
  const Settings settings = all_settings(target);
  for (const char* key : {"pairs", "then"}) {
    if (options.is_given(key)) {
      throw std::invalid_argument(option_name(key) +
                                  " is about changes, which --broken does not try");
    }
  }
  for (const Setting& one : settings) {
    if (one.spec->key == "missing_links") {
      throw std::invalid_argument(one.name() +
                                  " says which links are missing, and so does --broken");
    }
  }
  BrokenLinks wanted{{*own.broken}, own.goal, own.seeds, own.jobs};
  if (options.is_given("budget")) wanted.search.budget = own.search.budget;
  wanted.search.seed = seed_of(settings);
  fix_missing_nodes(target.scenario, wanted.search.seed);
  fix_missing_nodes(target.given, wanted.search.seed);
  return worst_links(target, wanted, "--broken", stop);
}

int whatif(const Invocation& given) {
  Options own;
  for (const Setting& one : given.settings) {
    if (is_own(one)) apply(one, own);
  }
  const WhatifTarget target = target_of(given);
  require_read_again(target);
  std::vector<NamedFile> inputs;
  const auto add_traces = [&inputs](const std::vector<std::string>& names) {
    for (const std::string& file : trace_inputs(names)) inputs.push_back({"a trace", file});
  };
  for (const Settings* settings : {&target.scenario, &target.given}) {
    for (const Setting& one : *settings) {
      for (const NamedFile& file : inputs_of(*one.spec, one.text)) {
        if (one.spec->key == "job") {
          add_traces({file.path});
        } else {
          inputs.push_back(file);
        }
      }
    }
  }
  const bool has_scenario = target.command == "run" && !target.files.empty();
  if (!has_scenario) add_traces(target.files);
  require_own_files(own, has_scenario ? target.files.front() : "", {}, inputs);
  std::optional<OutputFile> json = wanted_file(own.observe.json);
  std::optional<OutputFile> page = wanted_file(own.observe.report);
  const StopFlag stop = catch_interrupts();
  bool was_stopped = false;
  Outputs outputs;
  const auto tell = [&](const std::string& text, const Json& object, const auto& make_page) {
    if (own.observe.json != "-") outputs.attempt([&] { print(text); });
    if (json) outputs.attempt([&] { json->commit(json_text(object)); });
    if (page) outputs.attempt([&] { page->commit(make_page()); });
  };
  if (own.of_command<WhatifOptions>().broken) {
    const FaultReport report = find_broken(target, own, stop);
    was_stopped = report.found.was_stopped;
    tell(fault_report(report), {{"version", program_version}, {"faults", fault_json(report)}},
         [&] { return fault_page(report, given.command); });
  } else {
    const WhatifFound found = find(target, own.of_command<WhatifOptions>(), stop);
    was_stopped = found.was_stopped;
    tell(whatif_report(found), whatif_json(found),
         [&] { return whatif_page(found, given.command); });
  }
  if (!was_stopped) return outputs.status(exit_clean);
  say("interrupted");
  return outputs.status(exit_incomplete);
}

}  // namespace

Command whatif_command() {
  Command command;
  command.name = "whatif";
  command.summary = "try what would help a run, and say by how much";
  command.words =
      "It runs what `allport run` or `allport replay` would, takes the causes of its latency, and tries the changes that they suggest, one at a time: other options of the routers, the nodes and the collective. Each is a whole simulation; the table says what it gives, which cause went, what it costs, and the command line that runs it. docs/guide/whatif.md says which changes there are. With --broken it tries the loss of links instead, and says which costs most.";
  command.examples = {
      "allport whatif --topology torus:8x8 --pattern uniform --rate 0.3 --cycles 20000 --warmup 2000 --for p99",
      "allport whatif --topology torus:8x8 --algorithm swing-allreduce --bytes 64KiB --ts 200 --pairs",
      "allport whatif trace.goal --topology torus:4x4 --budget 10 --report what.html",
      "allport whatif --topology mesh:4x4 --pattern uniform --rate 0.2 --cycles 4000 --broken 1"};
  command.page = "guide/whatif.md";
  for (const OptionSpec& spec : own_options()) command.options.push_back(&spec);
  const OptionList runs = options_of_runs();
  command.options.insert(command.options.end(), runs.begin(), runs.end());
  command.positional = {"FILE", "a scenario, TOML, or a trace to replay", true};
  command.run = whatif;
  return command;
}

}  // namespace allport
