// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/program.h"

#include <cstdio>
#include <optional>

#include "testbench/files/standard_streams.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/options/command_line.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

int run_program(int argc, char** argv) {
  return status_of([&]() -> int {
    require_stdout();
    const std::optional<Call> call = read_command_line(commands(), {argv + 1, argv + argc});
    const int status = call ? call->command->run(call->given) : exit_clean;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    say("stdout cannot be written");
    return exit_wrong_use;
  });
}

}  // namespace allport
