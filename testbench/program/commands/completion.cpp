// SPDX-License-Identifier: Apache-2.0
// allport completion bash: prints a completion for the shell.
#include <memory>
#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/completion_script.h"
#include "testbench/program/options/option_values.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

Command add_completion(CLI::App& program, const std::vector<Command>& commands) {
  CLI::App* command = program.add_subcommand("completion", "print a completion for the shell");
  command->footer("  eval \"$(allport completion bash)\"");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash")->option_text(" ");
  const auto complete = [&program, &commands, shell] {
    if (shell->empty()) throw std::invalid_argument("the shell is missing: give bash");
    parse_word("shell", *shell, {"bash"});
    print(bash_completion(program, commands));
    return exit_clean;
  };
  return {command, complete, {}};
}

}  // namespace allport
