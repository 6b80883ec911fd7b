// SPDX-License-Identifier: Apache-2.0
// Shell completion, generated from the program's own command line so that it cannot drift.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "testbench/program/commands/commands.h"

namespace allport {

/// A bash script that completes the `commands` and options of `program`, and words where an option
/// of a command takes words.
std::string bash_completion(const CLI::App& program, const std::vector<Command>& commands);

}  // namespace allport
