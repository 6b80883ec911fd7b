// SPDX-License-Identifier: Apache-2.0
// `allport man` prints the manual pages that the package installs.
#include <algorithm>

#include "testbench/files/output_file.h"
#include "testbench/plan/option_values.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/manual_page.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

namespace {

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const Command& command : commands()) list.push_back(command.name);
  return list;
}

int man(const Given& given) {
  if (given.argument().empty()) {
    print(program_page(commands()));
    return exit_clean;
  }
  const std::vector<std::string> words = names();
  const std::string name = parse_word("command", given.argument(), {words.begin(), words.end()});
  print(command_page(*std::find_if(commands().begin(), commands().end(),
                                   [&](const Command& command) { return command.name == name; })));
  return exit_clean;
}

}  // namespace

Command man_command() {
  Command command;
  command.name = "man";
  command.summary = "print a manual page";
  command.words =
      "Prints allport(1), or the page of COMMAND, in the language of man pages. Where the program is installed, `man allport` and `man allport-run` show them.";
  command.examples = {"allport man run | man -l -"};
  command.page = "guide/install.md";
  command.positional = {"COMMAND", "the command whose page is printed"};
  command.positional.words = names;
  command.run = man;
  return command;
}

}  // namespace allport
