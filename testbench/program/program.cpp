// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/program.h"

#include <cstdio>
#include <new>
#include <optional>
#include <stdexcept>

#include "testbench/files/standard_streams.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/options/command_line.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

namespace {

int complain(const std::string& sentence, int status = exit_wrong_use) {
  say(sentence);
  return status;
}

}  // namespace

int run_program(int argc, char** argv) {
  try {
    require_stdout();
    const std::optional<Call> call = read_command_line(commands(), {argv + 1, argv + argc});
    const int status = call ? call->command->run(call->given) : exit_clean;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    return complain("stdout cannot be written");
  } catch (const Stopped& error) {
    return complain(error.what(), exit_incomplete);
  } catch (const std::bad_alloc&) {
    return complain("the machine does not have enough memory for this", exit_incomplete);
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}

}  // namespace allport
