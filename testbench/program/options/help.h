// SPDX-License-Identifier: Apache-2.0
// The help of the program and of its commands, made from what they say of themselves.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/program/options/command.h"

namespace allport {

/// What the program is, in a sentence.
extern const char* const program_description;

/// The help of the program, in lines of at most `width` columns where words can be broken.
std::string program_help(const std::vector<Command>& commands, std::size_t width);
/// The help of one command: its options by the tables that they have in a scenario, examples, a
/// page.
std::string command_help(const Command& command, std::size_t width);

}  // namespace allport
