// SPDX-License-Identifier: Apache-2.0
// These functions name words of a command line that belong to nothing, in sentences that offer what
// may have been meant.
#pragma once

#include <string>
#include <vector>

#include "testbench/program/options/command.h"

namespace allport {

/// `'b.toml' is one argument too many for `run``
std::string one_too_many(const std::string& word, const std::string& command);

std::string missing_command(const std::vector<Command>& commands);
std::string unknown_command(const std::string& word, const std::vector<Command>& commands);

/// An option or another word that `command` (null: none was called) does not take.
std::string unknown_argument(const std::string& word, const Command* command,
                             const std::vector<Command>& commands);

}  // namespace allport
