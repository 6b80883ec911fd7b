// SPDX-License-Identifier: Apache-2.0
// `allport completion SHELL` prints a completion for the shell.
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/plan/option_values.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/completion_script.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

namespace {

std::vector<std::string> shells() { return {"bash", "zsh"}; }

int completion(const Given& given) {
  if (given.argument().empty())
    throw std::invalid_argument("the shell is missing: give bash or zsh");
  const std::vector<std::string> words = shells();
  const std::string shell = parse_word("shell", given.argument(), {words.begin(), words.end()});
  print(shell == "zsh" ? zsh_completion(commands()) : bash_completion(commands()));
  return exit_clean;
}

}  // namespace

Command completion_command() {
  Command command;
  command.name = "completion";
  command.summary = "print a completion for the shell";
  command.words =
      "  eval \"$(allport completion bash)\"      in ~/.bashrc\n  eval \"$(allport completion zsh)\"       in ~/.zshrc, after compinit";
  command.page = "guide/install.md";
  command.positional = {"SHELL", "bash or zsh"};
  command.positional.words = shells;
  command.run = completion;
  return command;
}

}  // namespace allport
