// SPDX-License-Identifier: Apache-2.0
// Shell completion is generated from the program's own command line so that it cannot drift.
#pragma once

#include <string>
#include <vector>

#include "testbench/program/options/command.h"

namespace allport {

/// A bash script that completes `commands`, their options, and words where an option of a command
/// takes words.
std::string bash_completion(const std::vector<Command>& commands);

/// The same for zsh: a file `_allport` of its `fpath`, or text to be evaluated after compinit.
std::string zsh_completion(const std::vector<Command>& commands);

}  // namespace allport
