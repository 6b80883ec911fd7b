// SPDX-License-Identifier: Apache-2.0
// The words of a command line are read with CLI11, which nothing else knows: what it could not read
// is said in a sentence of ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/program/options/command.h"

namespace allport {

/// A command that was called, and what it was given.
struct Call {
  const Command* command = nullptr;
  Invocation given;
};

/// The call that the words `given` make of one of `commands`; none: they asked for help or for the
/// version, which has been printed. Throws std::invalid_argument, one sentence, when they cannot be
/// read.
std::optional<Call> read_command_line(const std::vector<Command>& commands,
                                      const std::vector<std::string>& given);

}  // namespace allport
