// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/commands.h"

namespace allport {

namespace {

// In the order of the program's help.
std::vector<Command> all_commands() {
  const std::vector<std::pair<const char*, std::vector<Command>>> groups{
      {"start here",
       {list_command(), run_command(), compare_command(), explain_command(), whatif_command(),
        diff_command()}},
      {"schedules and theory",
       {show_command(), schedule_command(), check_command(), steps_command(), fit_command()}},
      {"programs and recorded applications", {program_command(), replay_command()}},
      {"many runs", {sweep_command(), reproduce_command(), bench_command()}},
      {"routers in RTL", {cosim_command()}},
      {"other simulators", {network_command()}},
      {"the program itself", {schema_command(), man_command(), completion_command()}}};
  std::vector<Command> all;
  for (const auto& [group, members] : groups) {
    for (const Command& member : members) {
      all.push_back(member);
      all.back().group = group;
    }
  }
  return all;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> all = all_commands();
  return all;
}

}  // namespace allport
