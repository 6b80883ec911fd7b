// SPDX-License-Identifier: Apache-2.0
// A command of the program is data: command line, help and completion all read it.
#pragma once

#include <string>
#include <vector>

#include "testbench/program/options/settings.h"

namespace allport {

/// What a command line gives to its command.
struct Invocation {
  Settings settings;                   ///< its options, in their order
  std::vector<std::string> arguments;  ///< its words that belong to no option
  std::string command;                 ///< the whole command line, as a shell reads it

  /// The only one; empty: there is none.
  std::string argument() const { return arguments.empty() ? "" : arguments.front(); }
};

/// The words that belong to no option, as help shows them.
struct Positional {
  std::string name;  ///< place holder; empty: the command takes none
  std::string help;
  bool may_repeat = false;  ///< whether there may be several
  /// The words that it may be, for completion; null: it is a file.
  std::vector<std::string> (*words)() = nullptr;
};

struct Command {
  std::string name;
  std::string summary;  ///< a line in the program's help
  std::string group;    ///< the commands beside which the program's help shows it
  /// What it does, at length: paragraphs, one a line, and lines that stay as they are, indented by
  /// two.
  std::string words;
  std::vector<std::string> examples;  ///< command lines
  std::string page;                   ///< of docs/, for more
  OptionList options;
  Positional positional;
  /// Does it; the exit status. Throws std::invalid_argument, one sentence, on wrong use.
  int (*run)(const Invocation&) = nullptr;
};

}  // namespace allport
