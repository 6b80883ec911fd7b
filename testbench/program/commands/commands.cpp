// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/commands.h"

namespace allport {

const std::vector<Command>& commands() {
  static const std::vector<Command> all{
      list_command(),  show_command(),      schedule_command(), check_command(),
      run_command(),   program_command(),   explain_command(),  replay_command(),
      cosim_command(), steps_command(),     compare_command(),  sweep_command(),
      fit_command(),   reproduce_command(), bench_command(),    schema_command(),
      man_command(),   completion_command()};
  return all;
}

}  // namespace allport
