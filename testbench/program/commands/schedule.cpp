// SPDX-License-Identifier: Apache-2.0
// allport schedule: prints the schedule of a collective.
#include <memory>
#include <sstream>
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/plan/plan_goal.h"
#include "testbench/plan/resolve.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/terminal/exit_status.h"
#include "traffic/schedule/schedule_file.h"

namespace allport {

namespace {

int schedule(const Given& given) {
  const Options options = merge({}, given.settings);
  const Routing routing = make_routing(options.run);
  if (options.run.traffic.algorithm == nullptr)
    throw std::invalid_argument("--algorithm is missing");
  const Topology& topology = routing.topology();
  single_source(options.run, topology);  // or throw
  const auto groups = node_groups(options.run, routing.shared_topology());
  const auto [goal, group] = PartyGoals(options.run, topology, groups).next_trial().front();
  const PlannedCollective planned =
      plan_goal(*options.run.traffic.algorithm, goal,
                {options.run, routing, internal_ports(options.run, topology), group.get()});
  std::ostringstream lines;
  write_schedule(lines, planned.schedule, topology);
  print(lines.str());
  return exit_clean;
}

OptionList schedule_options() {
  return options_named({"topology",   "routing",   "ports", "algorithm",  "steps",        "embed",
                        "place",      "ranks",     "group", "source",     "destinations", "pieces",
                        "parts",      "flits",     "bytes", "flit_bytes", "ts",           "tr",
                        "link_delay", "switching", "seed"});
}

}  // namespace

Command schedule_command() {
  Command command;
  command.name = "schedule";
  command.summary = "print the schedule of a collective";
  command.footer =
      "Prints JSON Lines, one unicast per line: u, v, step and order (in the program of u), "
      "sorted\n"
      "by step, u and order; a displacement where an exact tie is taken in the - direction; "
      "kind,\n"
      "via and first_dimension of worms; blocks and adds where parts of a collective are sent. "
      "The\n"
      "length of the message, --ts, --tr, --link-delay and --switching matter for --pieces best "
      "only:\n"
      "give the values of the run.\n\n"
      "  allport schedule --topology hypercube:4 --algorithm wsort --destinations 1,3,5,7,14";
  command.options = schedule_options();
  command.run = schedule;
  return command;
}

}  // namespace allport
