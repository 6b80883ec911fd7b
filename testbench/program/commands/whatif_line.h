// SPDX-License-Identifier: Apache-2.0
// whatif_line() leads from a run to what would help it.
#pragma once

#include <string>

#include "testbench/program/options/command.h"

namespace allport {

/// Whether an option of a run or a replay says what is tried: it determines a result, or how it
/// comes about.
bool is_tried(const OptionSpec& spec);

/// The command line of `allport whatif` for the run, or the replay, that is given: without what
/// only shows it.
std::string whatif_line(const Invocation& given);

}  // namespace allport
