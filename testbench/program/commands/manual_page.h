// SPDX-License-Identifier: Apache-2.0
// Manual pages are in roff, and are generated from the program's own command line so that they
// cannot drift.
#pragma once

#include <string>
#include <vector>

#include "testbench/program/options/command.h"

namespace allport {

/// The page allport(1), which lists `commands`.
std::string program_page(const std::vector<Command>& commands);

/// The page of a command, allport-NAME(1).
std::string command_page(const Command& command);

}  // namespace allport
