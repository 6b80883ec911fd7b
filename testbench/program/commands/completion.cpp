// SPDX-License-Identifier: Apache-2.0
// allport completion bash: prints a completion for the shell.
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/completion_script.h"
#include "testbench/program/options/option_values.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

namespace {

int completion(const Given& given) {
  if (given.argument().empty()) throw std::invalid_argument("the shell is missing: give bash");
  parse_word("shell", given.argument(), {"bash"});
  print(bash_completion(commands()));
  return exit_clean;
}

}  // namespace

Command completion_command() {
  Command command;
  command.name = "completion";
  command.summary = "print a completion for the shell";
  command.footer = "  eval \"$(allport completion bash)\"";
  command.positional = {"SHELL", "bash"};
  command.run = completion;
  return command;
}

}  // namespace allport
