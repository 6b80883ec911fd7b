// SPDX-License-Identifier: Apache-2.0
// The command line in terms of the option table: registers the options with CLI11 and says in a
// clear sentence what CLI11 could not read.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "testbench/program/options/settings.h"

namespace allport {

/// The layout of help: one blank line between the groups of options.
std::shared_ptr<CLI::Formatter> help_layout();

/// Adds `options` to `command`. Parsing collects what was given in `settings`, which must live as
/// long as `command`.
void add_options(CLI::App& command, const OptionList& options, Settings& settings);

/// Throws std::invalid_argument, one sentence, when the words of the command line have no command,
/// an unknown command or an empty value. It is called before parsing.
void require_command(const CLI::App& program, const std::vector<std::string>& words);

/// The sentence for an error of CLI11, after parsing.
std::string in_words(const CLI::ParseError& error, const CLI::App& program);

}  // namespace allport
