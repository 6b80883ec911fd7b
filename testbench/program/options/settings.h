// SPDX-License-Identifier: Apache-2.0
// Options as they were given, with the place where: merges a scenario and a command line into the
// options of a run. The command line wins: what it contradicts in the scenario is dropped. What
// makes no sense together is an error, never ignored.
#pragma once

#include <string>
#include <vector>

#include "testbench/program/options/options.h"

namespace allport {

/// One option, given once.
struct Setting {
  const OptionSpec* spec;
  std::string text;
  std::string place;  ///< `run.toml:3:8: `, or empty on the command line

  /// The option as the user wrote it: `--buffer-depth`, or `run.toml:3:8: buffer_depth`.
  std::string name() const;
};

using Settings = std::vector<Setting>;

/// Reads one setting into `options`. Throws std::invalid_argument, one sentence.
void apply(const Setting& setting, Options& options);

/// What is left of `scenario` beside the command line.
Settings remaining(const Settings& scenario, const Settings& command_line);

/// The options of both; throws std::invalid_argument, one sentence, for a bad value and for options
/// that exclude or need each other. Where a preset is chosen, its parameters are the defaults of
/// options that are not given.
Options merge(const Settings& scenario, const Settings& command_line);

}  // namespace allport
