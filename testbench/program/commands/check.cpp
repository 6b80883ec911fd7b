// SPDX-License-Identifier: Apache-2.0
// `allport check` proves or refutes a schedule without simulating it.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "testbench/plan/checked_collectives.h"
#include "testbench/plan/given_block.h"
#include "testbench/plan/load_schedule.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/static_plan.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/broken_links.h"
#include "testbench/program/commands/check_block.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/sized.h"
#include "testbench/program/commands/verdicts.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/options_read.h"
#include "testbench/program/report/check_report.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/stage.h"
#include "testbench/program/terminal/style.h"
#include "traffic/proof/schedule_check.h"

namespace allport {

namespace {

struct CheckOptions {
  std::vector<std::string> required;  // checks that must hold; empty: all
  bool has_symmetry = true;           // whether blocks that are alike are proved by one of them
  BrokenLinks faults;
};

std::vector<std::string_view> check_names() {
  std::vector<std::string_view> names;
  for (const NamedCheck& check : named_checks()) names.push_back(check.name);
  return names;
}

const OptionSpec require_option{"",
                                "require",
                                "CHECK,..",
                                "all",
                                "the checks that must hold for exit status 0",
                                [](Options& options, std::string_view text) {
                                  std::vector<std::string>& required =
                                      options.of_command<CheckOptions>().required;
                                  required.clear();
                                  for (const std::string_view name : parse_list(text)) {
                                    required.push_back(parse_word("check", name, check_names()));
                                  }
                                },
                                check_names};

const OptionSpec no_symmetry_option{
    "",
    "no_symmetry",
    "",
    "off",
    "prove every block, also those that go the way of another one",
    [](Options& o, std::string_view) { o.of_command<CheckOptions>().has_symmetry = false; }};

const std::vector<OptionSpec>& fault_options() {
  static const std::vector<OptionSpec> table{
      {"", "faults", "K", "",
       "find the links whose loss is worst, K at a time: those that cut nodes off, and those that cost the run most",
       [](Options& o, std::string_view t) {
         o.of_command<CheckOptions>().faults.search.links = parse_count(t, broken_links);
       }},
      {"", "budget", "N", "10000", "how many sets of links --faults tries; of more, it draws N",
       [](Options& o, std::string_view t) {
         o.of_command<CheckOptions>().faults.search.budget = parse_count(t, fault_budgets);
       }},
      {"", "jobs", "N", "cores", "runs of --faults at the same time",
       [](Options& o, std::string_view t) {
         o.of_command<CheckOptions>().faults.jobs =
             static_cast<unsigned>(parse_count(t, limits::jobs));
       }}};
  return table;
}

// The file may be given as an option or as a word.
Settings with_schedule(const Invocation& given) {
  Settings settings = given.settings;
  if (given.arguments.empty()) return settings;
  const OptionSpec* schedule = &option_named("schedule");
  for (const Setting& setting : settings) {
    if (setting.spec == schedule) {
      throw std::invalid_argument("give FILE or --schedule, not both");
    }
  }
  settings.push_back({schedule, given.argument(), ""});
  return settings;
}

// What is checked, in a line.
std::string heading(const Options& options, const std::vector<PlannedCollective>& checked,
                    const Routing& routing) {
  const auto& traffic = options.run.traffic;
  std::size_t messages = 0;
  int steps = 0;
  for (const PlannedCollective& one : checked) {
    messages += one.schedule.unicasts.size();
    for (const Unicast& unicast : one.schedule.unicasts) steps = std::max(steps, unicast.step);
  }
  const std::string name = traffic.algorithm != nullptr ? std::string(traffic.algorithm->name)
                           : traffic.schedule == "-"    ? "that of stdin"
                                                        : shown_path(traffic.schedule);
  return fmt::format("{} on {}: {} in {}", name, routing.topology().name(),
                     counted(messages, "message"),
                     counted(static_cast<std::uint64_t>(steps), "step"));
}

// A schedule that leaves nodes out may be meant for the others.
bool lacks_destinations(const Options& options, const std::vector<PlannedCollective>& checked,
                        const ScheduleReport& report) {
  return !options.run.traffic.schedule.empty() && !options.is_given("destinations") &&
         checked.size() == 1 && checked.front().goal == nullptr && !report.exactly_once.ok();
}

// The chain of --chain, and what shows that it is not cube-ordered.
struct GivenChain {
  GivenChain(const RunRequest& request, const Routing& routing)
      : nodes(chain_nodes(request, routing.topology())), broken(chain_break(nodes, routing)) {}

  std::vector<NodeId> nodes;  // empty: none is given
  std::optional<ChainBreak> broken;
};

// A chain without an algorithm, or one that no algorithm splits, is judged alone.
int check_chain(const GivenChain& chain, const Routing& routing, Verdicts& verdicts) {
  const Style& style = verdicts.style();
  verdicts.line("chain", fmt::format("{} of {}, from {}", counted(chain.nodes.size(), "node"),
                                     routing.topology().name(), index(chain.nodes.front())));
  verdicts.add(chain_report(chain.broken, chain.nodes, routing, style));
  verdicts.line("verdict",
                chain.broken ? style.bad("fails: cube_ordered") : style.good("all of them hold"));
  return verdicts.commit({{"cube_ordered", chain_json(chain.broken, chain.nodes, routing)}},
                         chain.broken ? exit_finding : exit_clean);
}

OptionList check_options() {
  OptionList options = options_read_by(use::check);
  options.push_back(&require_option);
  options.push_back(&no_symmetry_option);
  for (const OptionSpec& spec : fault_options()) options.push_back(&spec);
  return options;
}

bool is_of_search(const Setting& setting) {
  const auto& table = fault_options();
  return setting.spec >= table.data() && setting.spec < table.data() + table.size();
}

constexpr std::string_view of_block = "check --block FILE";
constexpr std::string_view of_chain = "check --chain NODE,..";
constexpr std::string_view of_schedule_file = "check FILE";
constexpr std::string_view with_algorithm = "check --algorithm";
constexpr std::string_view of_fabric = "check --faults";
constexpr std::string_view of_run = "check --faults of a run";

// What is read to judge a block or a chain alone, a schedule file and a plan. A file is checked at
// any length and by its routes; it is given what its run is given, so that one line of options
// serves both.
const std::vector<WayOfUse>& ways_to_check() {
  static const std::vector<WayOfUse> ways = [] {
    const OptionList all = check_options();
    return std::vector<WayOfUse>{
        {of_block, {"block", "topology", "ports", "max_violations", "require", "json"}},
        {of_chain, {"chain", "topology", "routing", "json"}},
        {of_schedule_file, keys_without(all, {"algorithm", "faults", "budget", "jobs"})},
        {with_algorithm,
         keys_without(all, {"schedule", "blocks", "collective", "faults", "budget", "jobs"})},
        {of_fabric, {"faults", "budget", "topology", "missing_nodes", "replan", "seed", "json"}},
        {of_run, keys_without(all, {"missing_links", "require", "no_symmetry", "max_violations"})}};
  }();
  return ways;
}

void require_read_by_check(const Options& options) {
  const TrafficTable& traffic = options.run.traffic;
  std::string_view way = of_chain;
  if (options.is_given("faults")) {
    way = traffic.algorithm != nullptr || !traffic.schedule.empty() ? of_run : of_fabric;
  } else if (traffic.algorithm != nullptr) {
    way = with_algorithm;
  } else if (!traffic.schedule.empty()) {
    way = of_schedule_file;
  } else if (!traffic.block.empty()) {
    way = of_block;
  } else if (traffic.chain.empty()) {
    throw std::invalid_argument(
        "nothing to check: give a schedule file, -, --algorithm, --chain, --block or --faults");
  }
  require_read(options, way, ways_to_check());
}

Options options_of(const Settings& settings) {
  Options options = merge({}, settings);
  require_own_files(options);
  require_read_by_check(options);
  return options;
}

// The links whose loss is worst; for the run of an algorithm or of a file, by runs without them.
// An interrupt leaves those that are done.
int check_faults(const Settings& settings) {
  const Options options = options_of(settings);
  WhatifTarget target;
  target.command = "run";
  for (const Setting& one : settings) {
    if (!is_of_search(one) && one.spec->key != "json") target.given.push_back(one);
  }
  require_read_again(target);
  Verdicts verdicts(options);
  BrokenLinks wanted = options.of_command<CheckOptions>().faults;
  wanted.search.seed = options.run.traffic.seed;
  wanted.search.must_draw = options.is_given("seed") && !is_random(settings);
  const auto& traffic = options.run.traffic;
  const bool is_run = traffic.algorithm != nullptr || !traffic.schedule.empty();
  if (!is_run && options.run.fabric.replan && !options.is_given("missing_nodes")) {
    throw std::invalid_argument(
        "--replan: check --faults of a fabric plans nothing, and no node of it is missing; it is for --missing-nodes, and for the runs of an algorithm or a schedule");
  }
  const FaultReport report = is_run ? worst_links(target, wanted, "--faults", catch_interrupts())
                                    : worst_links(target.given, wanted, "--faults");
  verdicts.add(fault_report(report));
  const Json json{{"faults", fault_json(report)}};
  if (!report.found.was_stopped) {
    return verdicts.commit(json, report.found.has_fault() ? exit_finding : exit_clean);
  }
  const int status = verdicts.commit(json, exit_incomplete);
  say("interrupted");
  return status;
}

// Those of an algorithm or of a file.
int check_messages(Options& options, const Routing& routing, const GivenChain& chain) {
  Verdicts verdicts(options);
  std::vector<PlannedCollective> checked;
  LoadedSchedule loaded;
  const auto groups = node_groups(options.run, routing.shared_topology());
  if (options.run.traffic.algorithm != nullptr) {
    checked = checked_of_algorithm(options.run, routing, groups);
  } else {
    loaded = load_schedule(options.run, routing, groups);
    if (loaded.tasks != nullptr) {
      throw std::invalid_argument(
          shown_path(options.run.traffic.schedule) +
          ": its messages have flits, at or class, so it is not a collective, which is what is checked; `allport run --schedule` carries it out");
    }
    if (!loaded.faults.ok()) {
      verdicts.add(program_report(loaded.faults, verdicts.style()));
      return verdicts.commit(program_json(loaded.faults), exit_finding);
    }
    checked = checked_of_file(loaded, options.run, routing, groups);
  }
  if (routing.is_adaptive()) require_kinds(checked, options.run.router.switching, routing);
  const RouterConfig router = router_of(options.run, routing);
  CheckLimits limits{options.run.check.max_violations};
  if (!options.of_command<CheckOptions>().has_symmetry) {
    limits.least_by_symmetry = std::numeric_limits<std::size_t>::max();
  }
  const StaticPlan plan(
      checked,
      {routing, router.internal_ports, router.vcs - router.join_vcs, limits, router.join_vcs},
      Succession::at_once);
  const ScheduleReport report = plan.check();
  const std::vector<std::string> required = options.of_command<CheckOptions>().required;
  require_judged(report, required);
  // Only what the report names is looked up, and a clean one names nothing.
  const Schedule messages = report.ok() ? Schedule() : plan.messages();
  Json json = check_json(report, messages, routing.topology(), plan.begins());
  verdicts.line("schedule", heading(options, checked, routing));
  if (loaded.is_program) {
    json.update(program_json(loaded.faults));
    verdicts.add(program_report(loaded.faults, verdicts.style()));
  }
  if (!chain.nodes.empty()) {
    json["cube_ordered"] = chain_json(chain.broken, chain.nodes, routing);
    verdicts.add(chain_report(chain.broken, chain.nodes, routing, verdicts.style()));
  }
  verdicts.add(check_report(report, messages, routing.topology(), required, verdicts.style()));
  if (lacks_destinations(options, checked, report)) {
    verdicts.line(
        "hint",
        "--destinations is not given, so all other nodes are to receive; give those that the schedule is for");
  }
  return verdicts.commit(json, holds(report, required) ? exit_clean : exit_finding);
}

int check(const Invocation& given) {
  const Settings settings = with_schedule(given);
  const bool has_faults = std::any_of(settings.begin(), settings.end(),
                                      [](const Setting& one) { return one.spec->key == "faults"; });
  if (has_faults) return check_faults(settings);
  const EndAtOnce nothing_to_report;
  const Stage stage("checking");
  Options options = options_of(settings);
  settle_inputs(options.run);
  const bool has_messages =
      options.run.traffic.algorithm != nullptr || !options.run.traffic.schedule.empty();
  if (!has_messages && options.run.traffic.units != nullptr) {
    Verdicts verdicts(options);
    return check_block(options, options.of_command<CheckOptions>().required, verdicts);
  }
  const Routing routing = sized(options.run, [&] { return make_routing(options.run); });
  const GivenChain chain(options.run, routing);
  if (!has_messages || chain.broken) {
    Verdicts verdicts(options);
    return check_chain(chain, routing, verdicts);
  }
  return sized(options.run, [&] { return check_messages(options, routing, chain); });
}

}  // namespace

Command check_command() {
  Command command;
  command.name = "check";
  command.summary = "prove or refute a schedule, statically";
  command.words =
      "Judges each of exactly_once, causality, port_rule, routes_valid, stepwise, stepwise_vc, definition4, theorem1 and collective, in words, or with --json as one object. For worms that are not unicasts, and for several collectives at once (several sources), stepwise, "
      "stepwise_vc, definition4 and theorem1 are not judged, and the routes decide contention and deadlock. With --chain it says besides, or alone without --algorithm, whether the chain is cube-ordered; --block alone is recursed and judged on each torus up to that of --topology, "
      "usually torus:64x64. The exit status is 1 if any of these checks, or any of those named by --require, fails. With --faults it looks instead for the links whose loss is worst, K at a time: those that cut nodes off, and those without which the run of an algorithm or of a file takes longest; the status is 1 if a loss of up to K links cuts nodes off, or if the run does not end without some. The length of the message decides which blocks and pieces of an algorithm are empty, and so left out; with --pieces best and synthesized plans it matters too, as "
      "--ts, --tr, --link-delay and --switching do: give the values of the run.";
  command.examples = {
      "allport check --topology hypercube:4 --algorithm ucube --destinations 1,3,5,7,14",
      "allport check --topology hypercube:5 plan.jsonl --require theorem1",
      "allport check --topology hypercube:4 --chain 0,3,14,12",
      "allport check --block block.jsonl",
      "allport check --topology torus:4x4 --algorithm swing-allreduce --json verdicts.json",
      "allport check --topology mesh:4x4 --algorithm rabenseifner --bytes 4KiB --faults 1"};
  command.page = "guide/check.md";
  command.options = check_options();
  command.positional = {"FILE", "a schedule: JSON Lines, MSCCL XML or an MSCCL++ plan; - is stdin"};
  command.run = check;
  return command;
}

}  // namespace allport
