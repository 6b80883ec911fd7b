// SPDX-License-Identifier: Apache-2.0
// allport check: proves or refutes a schedule without simulating it.
#include <algorithm>
#include <memory>
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/plan/plan_goal.h"
#include "testbench/plan/resolve.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/options/command_line.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/terminal/exit_status.h"
#include "traffic/proof/schedule_check.h"

namespace allport {

namespace {

struct NamedCheck {
  std::string_view name;
  Finding ScheduleReport::*finding;
};

constexpr std::array checks{NamedCheck{"exactly_once", &ScheduleReport::exactly_once},
                            NamedCheck{"causality", &ScheduleReport::causality},
                            NamedCheck{"port_rule", &ScheduleReport::port_rule},
                            NamedCheck{"routes_valid", &ScheduleReport::routes_valid},
                            NamedCheck{"stepwise", &ScheduleReport::stepwise},
                            NamedCheck{"definition4", &ScheduleReport::definition4},
                            NamedCheck{"theorem1", &ScheduleReport::theorem1},
                            NamedCheck{"collective", &ScheduleReport::collective}};

std::vector<std::string_view> check_names() {
  std::vector<std::string_view> names(checks.size());
  std::transform(checks.begin(), checks.end(), names.begin(),
                 [](const NamedCheck& check) { return check.name; });
  return names;
}

const OptionSpec require_option{
    "",
    "require",
    "CHECK,..",
    "all",
    "the checks that must hold for exit status 0",
    [](Options& options, std::string_view text) {
      options.check.required.clear();
      for (const std::string_view name : parse_list(text)) {
        options.check.required.push_back(parse_word("check", name, check_names()));
      }
    },
    check_names};

PlannedCollective to_be_checked(const Options& options, const Routing& routing) {
  const Topology& topology = routing.topology();
  GoalSource goals(options.run, topology);
  goals.next_trial();
  if (options.run.traffic.algorithm != nullptr) {
    const Multicast goal = goals.goal(single_source(options.run, topology));
    return plan_goal(*options.run.traffic.algorithm, goal,
                     {options.run, routing, internal_ports(options.run, topology)});
  }
  PlannedCollective given;
  given.sources = source_nodes(options.run, topology);
  given.destinations = goals.destinations(given.sources);
  given.schedule = load_schedule(options.run.traffic.schedule, topology);
  given.goal = goal_of_schedule(given.schedule, options.run, given.sources, given.destinations,
                                topology.node_count());
  return given;
}

bool holds(const ScheduleReport& report, const std::vector<std::string>& required) {
  return std::all_of(checks.begin(), checks.end(), [&](const NamedCheck& check) {
    const bool is_required = required.empty() || std::find(required.begin(), required.end(),
                                                           check.name) != required.end();
    return !is_required || (report.*check.finding).ok();
  });
}

void require_judged(const ScheduleReport& report, const std::vector<std::string>& required) {
  if (report.judges_contention) return;
  for (const std::string& name : required) {
    if (name != "stepwise" && name != "definition4" && name != "theorem1") continue;
    throw std::invalid_argument("--require " + name +
                                ": is about unicasts, and the schedule has multidestination worms");
  }
}

int check(const Settings& settings) {
  const Options options = merge({}, settings);
  require_own_files(options);
  const Routing routing = make_routing(options.run);
  if (options.run.traffic.algorithm == nullptr && options.run.traffic.schedule.empty()) {
    throw std::invalid_argument("nothing to check: give a schedule file, - or --algorithm");
  }
  OutputFile output(options.observe.json.empty() ? "-" : options.observe.json);
  const PlannedCollective checked = to_be_checked(options, routing);
  const ScheduleReport report =
      check_schedule(checked.schedule, {routing, internal_ports(options.run, routing.topology()),
                                        checked.sources, checked.destinations, checked.goal.get()});
  require_judged(report, options.check.required);
  output.commit(json_text(check_json(report, checked.schedule)));
  return holds(report, options.check.required) ? exit_clean : exit_finding;
}

}  // namespace

Command add_check(CLI::App& program) {
  CLI::App* command = program.add_subcommand("check", "prove or refute a schedule, statically");
  command->footer(
      "Prints one JSON object with a verdict for each of exactly_once causality port_rule\n"
      "routes_valid stepwise definition4 theorem1 collective, null for what does not apply to\n"
      "multidestination worms. Exit status 1 if any of them, or of those named by --require,\n"
      "fails. The length of the message, --ts, --tr, --link-delay and --switching count for\n"
      "--pieces best only: give those of the run.\n\n"
      "  allport check --topology hypercube:5 plan.jsonl --require theorem1");
  const auto settings = std::make_shared<Settings>();
  OptionList options = options_named(
      {"topology", "routing", "ports",        "algorithm", "steps", "embed", "collective",
       "schedule", "source",  "destinations", "pieces",    "flits", "bytes", "flit_bytes",
       "ts",       "tr",      "link_delay",   "switching", "seed",  "json"});
  options.push_back(&require_option);
  add_options(*command, options, *settings);
  const OptionSpec* schedule = options_named({"schedule"}).front();
  command
      ->add_option_function<std::string>(
          "FILE",
          [settings, schedule](const std::string& path) {
            for (const Setting& setting : *settings) {
              if (setting.spec != schedule) continue;
              throw std::invalid_argument("give FILE or --schedule, not both");
            }
            settings->push_back({schedule, path, ""});
          },
          "a schedule, JSON Lines; - is stdin")
      ->option_text(" ");
  return {command, [settings] { return check(*settings); }};
}

}  // namespace allport
