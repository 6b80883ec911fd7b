// SPDX-License-Identifier: Apache-2.0
// `allport man` prints the manual pages that the package installs. They are in roff, and are made
// of the program's own command line so that they cannot drift.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/files/output_file.h"
#include "testbench/plan/option_values.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/options/command.h"
#include "testbench/program/options/help.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/version.h"

namespace allport {

namespace {

// Text in which roff sees no request and no escape, and a minus is the one that shells know.
std::string escaped(std::string_view text) {
  std::string safe;
  if (!text.empty() && (text.front() == '.' || text.front() == '\'')) safe = "\\&";
  for (const char c : text) {
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else if (c == '\'') {
      safe += "\\(aq";
    } else if (c == '`') {
      safe += "\\(ga";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string head(const std::string& name, std::string_view summary) {
  return fmt::format(
      ".TH {} 1 \"\" \"allport {}\" \"allport manual\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
      in_capitals(escaped(name)), program_version, escaped(name), escaped(summary));
}

// Lines that are indented stay as they are; others flow together, up to an empty one.
std::string paragraphs(const std::string& text) {
  std::istringstream lines(text);
  std::string page;
  bool is_code = false;
  bool is_first = true;
  for (std::string line; std::getline(lines, line);) {
    const bool is_indented = line.substr(0, 2) == "  ";
    if (is_code && !is_indented) page += ".fi\n.RE\n";
    if (line.empty() || is_first || is_indented != is_code) page += ".PP\n";
    if (is_indented && !is_code) page += ".RS\n.nf\n";
    if (!line.empty()) page += escaped(is_indented ? line.substr(2) : line) + "\n";
    is_code = is_indented;
    is_first = false;
  }
  return is_code ? page + ".fi\n.RE\n" : page;
}

std::string option_item(const OptionSpec& spec) {
  std::string text = ".TP\n" + bold(option_name(spec.key));
  if (!spec.value.empty()) text += " " + italic(spec.value);
  text += "\n" + escaped(spec.help);
  if (!spec.default_value.empty()) text += " [" + escaped(spec.default_value) + "]";
  return text + "\n";
}

// By the tables that the options have in a scenario, as in the help.
std::string options_page(const Command& command) {
  const std::string help = ".TP\n" + bold("-h") + ", " + bold("--help") + "\nprint a short help\n";
  std::vector<std::string_view> tables{""};
  for (const OptionSpec* spec : command.options) {
    if (std::find(tables.begin(), tables.end(), spec->table) == tables.end()) {
      tables.push_back(spec->table);
    }
  }
  std::string text = ".SH OPTIONS\n";
  for (const std::string_view table : tables) {
    if (!table.empty()) text += fmt::format(".SS [{}]\n", table);
    for (const OptionSpec* spec : command.options) {
      if (spec->table == table) text += option_item(*spec);
    }
    if (table.empty()) text += help;
  }
  return text;
}

std::string examples_page(const Command& command) {
  if (command.examples.empty()) return {};
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const std::string& example : command.examples) {
    std::istringstream lines(example);
    for (std::string line; std::getline(lines, line);) text += escaped(line) + "\n";
  }
  return text + ".fi\n";
}

std::string exit_status() {
  return ".SH EXIT STATUS\n"
         ".TP\n0\nthe command is done, and clean\n"
         ".TP\n1\nthere is a finding: a check that fails, contention under \\-\\-strict, a router\n"
         "that differs or breaks its contract\n"
         ".TP\n2\nwrong use: one sentence on standard error names what is wrong and what is\n"
         "allowed\n"
         ".TP\n3\nthe command could not be completed: a deadlock, an interrupt, failed runs\n";
}

// The page allport(1), which lists `commands`.
std::string program_page(const std::vector<Command>& commands) {
  std::string page = head("allport", "all-port wormhole routers and collective communication");
  page += bold("allport") + " " + italic("COMMAND") + " [" + italic("OPTION") + " ...]\n.br\n" +
          bold("allport --version") + "\n.SH DESCRIPTION\n" + escaped(program_description) +
          "\n.SH COMMANDS\n";
  for (const Command& command : commands) {
    page += ".TP\n" + bold("allport-" + command.name) + "(1)\n" + escaped(command.summary) + "\n";
  }
  page += ".TP\n" + bold("allport help") + " " + italic("COMMAND") + "\nprint a short help\n";
  return page + exit_status();
}

// The page of a command, allport-NAME(1).
std::string command_page(const Command& command) {
  std::string page = head("allport-" + command.name, command.summary);
  page += bold("allport " + command.name);
  if (!command.options.empty()) page += " [" + italic("OPTION") + " ...]";
  const Positional& positional = command.positional;
  if (!positional.name.empty()) {
    page += " [" + italic(positional.name) + (positional.may_repeat ? " ...]" : "]");
  }
  page += "\n";
  if (!positional.name.empty() || !command.words.empty()) page += ".SH DESCRIPTION\n";
  if (!positional.name.empty()) {
    page += italic(positional.name) + ": " + escaped(positional.help) + ".\n";
  }
  return page + paragraphs(command.words) + options_page(command) + examples_page(command) +
         exit_status() + ".SH SEE ALSO\n" + bold("allport") + "(1), docs/" + escaped(command.page) +
         "\n";
}

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const Command& command : commands()) list.push_back(command.name);
  return list;
}

int man(const Invocation& given) {
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
