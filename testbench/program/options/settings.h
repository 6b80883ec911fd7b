// SPDX-License-Identifier: Apache-2.0
// Settings are options as they were given, with the place of each: those of a scenario and a
// command line are merged into the options of a run. The command line wins: what it contradicts in
// the scenario is dropped. Options that make no sense together are an error and never ignored.
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

/// The settings of `scenario` that the command line does not overrule.
Settings remaining(const Settings& scenario, const Settings& command_line);

/// The options of both. Throws std::invalid_argument, one sentence, for a bad value, for options
/// that exclude each other and for an option whose companion is missing. Where a preset is chosen,
/// its parameters are the defaults of options that are not given. `has_ranks`: whether the command
/// runs ranks whatever the options say, beside which a pattern may send messages.
Options merge(const Settings& scenario, const Settings& command_line, bool has_ranks = false);

}  // namespace allport
