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

Command add_completion(CLI::App& program) {
  CLI::App* command = program.add_subcommand("completion", "print a completion for the shell");
  command->footer("  eval \"$(allport completion bash)\"");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash")->option_text(" ");
  return {command, [&program, shell] {
            if (shell->empty()) throw std::invalid_argument("completion of which shell? Give bash");
            parse_word("shell", *shell, {"bash"});
            print(bash_completion(program));
            return exit_clean;
          }};
}

}  // namespace allport
