// SPDX-License-Identifier: Apache-2.0
// `allport check` proves or refutes a schedule without simulating it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/plan/load_schedule.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/plan_goal.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/static_plan.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/stage.h"
#include "testbench/simulation/program_table.h"
#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/joins.h"

namespace allport {

namespace {

struct CheckOptions {
  std::vector<std::string> required;  // checks that must hold; empty: all
};

struct NamedCheck {
  std::string_view name;
  bool (*holds)(const ScheduleReport&);
  bool (*is_judged)(const ScheduleReport&);
};

template <Finding ScheduleReport::*finding>
bool is_ok(const ScheduleReport& report) {
  return (report.*finding).ok();
}
bool always(const ScheduleReport&) { return true; }
bool of_unicasts(const ScheduleReport& report) { return report.judges_unicasts(); }
bool of_worms(const ScheduleReport& report) { return report.worms.has_value(); }
bool has_no_contention(const ScheduleReport& report) {
  return !report.worms || report.worms->contention.ok();
}
bool has_joins_in_order(const ScheduleReport& report) {
  return !report.worms || report.worms->joins.ok();
}
bool has_no_deadlock(const ScheduleReport& report) {
  return !report.worms || (report.worms->circle.empty() && report.worms->joins.ok());
}

constexpr std::array checks{
    NamedCheck{"exactly_once", is_ok<&ScheduleReport::exactly_once>, always},
    NamedCheck{"causality", is_ok<&ScheduleReport::causality>, always},
    NamedCheck{"port_rule", is_ok<&ScheduleReport::port_rule>, always},
    NamedCheck{"routes_valid", is_ok<&ScheduleReport::routes_valid>, always},
    NamedCheck{"stepwise", is_ok<&ScheduleReport::stepwise>, of_unicasts},
    NamedCheck{"stepwise_vc", is_ok<&ScheduleReport::stepwise_vc>, of_unicasts},
    NamedCheck{"definition4", is_ok<&ScheduleReport::definition4>, of_unicasts},
    NamedCheck{"theorem1", is_ok<&ScheduleReport::theorem1>, of_unicasts},
    NamedCheck{"collective", is_ok<&ScheduleReport::collective>, always},
    NamedCheck{"contention", has_no_contention, of_worms},
    NamedCheck{"joins", has_joins_in_order, of_worms},
    NamedCheck{"deadlock", has_no_deadlock, of_worms}};

std::vector<std::string_view> check_names() {
  std::vector<std::string_view> names(checks.size());
  std::transform(checks.begin(), checks.end(), names.begin(),
                 [](const NamedCheck& check) { return check.name; });
  return names;
}

const OptionSpec require_option{"",
                                "require",
                                "CHECK,..",
                                "all",
                                "the checks that must hold for exit status 0",
                                [](Options& options, std::string_view text) {
                                  std::vector<std::string>& required =
                                      options.own<CheckOptions>().required;
                                  required.clear();
                                  for (const std::string_view name : parse_list(text)) {
                                    required.push_back(parse_word("check", name, check_names()));
                                  }
                                },
                                check_names};

using Groups = std::vector<std::shared_ptr<const NodeGroup>>;

// What schedule `number` of a file says of who gets what: its sound lines, and transfers whose way
// is wrong; `both` is where they stand together.
const Schedule& told(const LoadedSchedule& loaded, std::size_t number, Schedule& both) {
  const Schedule& sound = loaded.schedules[number];
  const std::vector<Unicast>& transfers = loaded.left_out[number].transfers;
  if (transfers.empty()) return sound;
  both = sound;
  both.unicasts.insert(both.unicasts.end(), transfers.begin(), transfers.end());
  both.sort();
  return both;
}

// The collective of schedule `number` of a file among the nodes of `group` (null: all), from
// `sources`.
PlannedCollective of_schedule(const LoadedSchedule& loaded, std::size_t number,
                              const RunRequest& request, const Routing& routing,
                              std::vector<NodeId> sources, const NodeGroup* group) {
  PlannedCollective given;
  given.schedule = loaded.schedules[number];
  given.left_out = std::make_shared<LeftOut>(loaded.left_out[number]);
  given.sources = std::move(sources);
  if (given.has_joins()) {
    take_all_senders(given, routing);
  } else {
    GoalSource goals(request, routing.topology(),
                     group == nullptr ? std::vector<NodeId>{} : group->nodes);
    goals.next_trial();
    given.destinations = goals.destinations(given.sources);
    Schedule both;
    given.goal =
        goal_of_schedule(told(loaded, number, both), request, given.sources, given.destinations,
                         routing.shared_topology(), group);
  }
  require_links(given, request.traffic.collective, routing, missing_channels(request, routing));
  return given;
}

// The collective of a schedule file, with all its sources, or one for each of several groups.
std::vector<PlannedCollective> collectives_of_file(const LoadedSchedule& loaded,
                                                   const RunRequest& request,
                                                   const Routing& routing, const Groups& groups) {
  const bool is_partition = request.traffic.group && request.traffic.group->is_partition;
  const std::vector<Party> parties = parties_of(request, routing.topology(), groups);
  std::vector<PlannedCollective> collectives;
  for (std::size_t i = 0; i < loaded.schedules.size(); ++i) {
    const NodeGroup* group = groups.empty() ? nullptr : groups[i].get();
    std::vector<NodeId> sources;
    for (const Party& party : parties) {
      if (!is_partition || party.group.get() == group) sources.push_back(party.source);
    }
    if (request.traffic.sources.empty() && !is_partition && !has_joins(loaded.schedules[i])) {
      Schedule both;
      const auto roots =
          possible_roots(told(loaded, i, both), request.traffic.collective, routing);
      if (roots.size() == 1) sources = roots;
      if (group != nullptr) require_member(sources.front(), request, *group);
    }
    collectives.push_back(of_schedule(loaded, i, request, routing, std::move(sources), group));
  }
  return collectives;
}

// What makes no sense without the lines that are left out is their fault.
std::vector<PlannedCollective> of_file(const LoadedSchedule& loaded, const RunRequest& request,
                                       const Routing& routing, const Groups& groups) {
  try {
    return collectives_of_file(loaded, request, routing, groups);
  } catch (const std::invalid_argument&) {
    require_sound(loaded, request);
    throw;
  }
}

// One collective for each source or group.
std::vector<PlannedCollective> of_algorithm(const Options& options, const Routing& routing,
                                            const Groups& groups) {
  const Topology& topology = routing.topology();
  const std::vector<Channel> missing = missing_channels(options.run, routing);
  PartyGoals goals(options.run, topology, groups);
  std::vector<PlannedCollective> collectives;
  for (const auto& [goal, group] : goals.next_trial()) {
    collectives.push_back(plan_goal(
        *options.run.traffic.algorithm, goal,
        {options.run, routing, internal_ports(options.run, topology), group.get(), &missing}));
  }
  return collectives;
}

bool holds(const ScheduleReport& report, const std::vector<std::string>& required) {
  return std::all_of(checks.begin(), checks.end(), [&](const NamedCheck& check) {
    const bool is_required = required.empty() || std::find(required.begin(), required.end(),
                                                           check.name) != required.end();
    return !is_required || check.holds(report);
  });
}

void require_judged(const ScheduleReport& report, const std::vector<std::string>& required) {
  for (const NamedCheck& check : checks) {
    const bool is_required =
        std::find(required.begin(), required.end(), check.name) != required.end();
    if (!is_required || check.is_judged(report)) continue;
    throw std::invalid_argument(
        fmt::format("--require {}: it judges {}", check.name,
                    report.judges_unicasts()
                        ? "worms of other kinds and several collectives; here theorem1 judges the "
                          "contention of unicasts, which cannot deadlock"
                        : "the unicasts of one collective only; require contention here"));
  }
}

// The file may be given as an option or as a word.
Settings with_schedule(const Given& given) {
  Settings settings = given.settings;
  if (given.arguments.empty()) return settings;
  const OptionSpec* schedule = options_named({"schedule"}).front();
  for (const Setting& setting : settings) {
    if (setting.spec == schedule) {
      throw std::invalid_argument("give FILE or --schedule, not both");
    }
  }
  settings.push_back({schedule, given.argument(), ""});
  return settings;
}

int check(const Given& given) {
  const EndAtOnce nothing_to_report;
  const Stage stage("checking");
  Options options = merge({}, with_schedule(given));
  require_own_files(options);
  const Routing routing = make_routing(options.run);
  if (options.run.traffic.algorithm == nullptr && options.run.traffic.schedule.empty()) {
    throw std::invalid_argument("nothing to check: give a schedule file, - or --algorithm");
  }
  OutputFile output(options.observe.json.empty() ? "-" : options.observe.json);
  std::vector<PlannedCollective> checked;
  LoadedSchedule loaded;
  const Groups groups = node_groups(options.run, routing.shared_topology());
  if (options.run.traffic.algorithm != nullptr) {
    checked = of_algorithm(options, routing, groups);
  } else {
    loaded = load_schedule(options.run, routing, groups);
    if (loaded.tasks != nullptr) {
      throw std::invalid_argument(
          shown_path(options.run.traffic.schedule) +
          ": its messages have flits or at, so it is not a collective, which "
          "is what is checked; `allport run --schedule` carries it out");
    }
    if (!loaded.faults.ok()) {
      output.commit(json_text(program_json(loaded.faults)));
      return exit_finding;
    }
    checked = of_file(loaded, options.run, routing, groups);
  }
  if (routing.is_adaptive()) require_kinds(checked, options.run.router.switching, routing);
  FabricConfig fabric{internal_ports(options.run, routing.topology()), options.run.router.vcs};
  fabric.join_vcs = options.run.router.join_vcs;
  const RouterConfig router = router_config(fabric, routing);
  const StaticPlan plan(checked,
                        {routing,
                         router.internal_ports,
                         router.vcs - router.join_vcs,
                         {options.run.check.max_violations},
                         router.join_vcs},
                        Succession::at_once);
  const ScheduleReport report = plan.check();
  require_judged(report, options.own<CheckOptions>().required);
  // Only what the report names is looked up, and a clean one names nothing.
  Json json = check_json(report, report.ok() ? Schedule() : plan.messages(), plan.begins());
  if (loaded.is_program) json.update(program_json(loaded.faults));
  output.commit(json_text(json));
  return holds(report, options.own<CheckOptions>().required) ? exit_clean : exit_finding;
}

OptionList check_options() {
  OptionList options = options_named(
      {"missing_links", "topology",  "routing",      "ports",  "algorithm", "steps",
       "embed",         "place",     "ranks",        "group",  "groups",    "collective",
       "schedule",      "source",    "destinations", "pieces", "parts",     "blocks",
       "flits",         "bytes",     "flit_bytes",   "ts",     "tr",        "link_delay",
       "link_width",    "switching", "seed",         "json",   "vcs",       "max_violations",
       "ties",          "vc_use",    "join_vcs"});
  options.push_back(&require_option);
  return options;
}

}  // namespace

Command check_command() {
  Command command;
  command.name = "check";
  command.summary = "prove or refute a schedule, statically";
  command.footer =
      "Prints one JSON object with a verdict for each of exactly_once causality port_rule\n"
      "routes_valid stepwise stepwise_vc definition4 theorem1 collective. For worms that are not\n"
      "unicasts, and for several collectives at once (several sources), stepwise, stepwise_vc,\n"
      "definition4 and theorem1 are null, and the routes decide contention and deadlock. The exit\n"
      "status is 1 if any of these checks, or any of those named by --require, fails. The length "
      "of the message\n"
      "decides which blocks and pieces of an algorithm are empty, and so left out; with --pieces "
      "best\n"
      "and synthesized plans it matters too, as --ts, --tr, --link-delay and --switching do: give\n"
      "the values of the run.\n\n"
      "  allport check --topology hypercube:5 plan.jsonl --require theorem1";
  command.options = check_options();
  command.positional = {"FILE", "a schedule, JSON Lines or MSCCL XML; - is stdin"};
  command.run = check;
  return command;
}

}  // namespace allport
