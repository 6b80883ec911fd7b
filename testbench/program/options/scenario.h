// SPDX-License-Identifier: Apache-2.0
// A scenario file has the TOML tables [fabric] [router] [message] [node] [traffic] [observe]
// [model], whose keys are the options with underscores for dashes (docs/guide/options.md).
#pragma once

#include <string>

#include "testbench/program/options/settings.h"

namespace allport {

/// What the scenario in the file `path` sets; it may set options among `accepted` only. Throws
/// std::invalid_argument, one sentence naming file, line, column and, for an unknown table or key,
/// the nearest valid word.
Settings read_scenario(const std::string& path, const OptionList& accepted);

/// The same from text; `name` is used in messages.
Settings parse_scenario(const std::string& text, const std::string& name,
                        const OptionList& accepted);

}  // namespace allport
