// SPDX-License-Identifier: Apache-2.0
// These functions know the files that are named by the options of one command.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "testbench/files/own_files.h"
#include "testbench/program/options/options.h"

namespace allport {

/// Throws std::invalid_argument, one sentence, when a file of results is one that the command
/// reads, when two results would go into one file, when two inputs are stdin or one pipe, or when a
/// file of somebody's would be lost.
/// `scenario`: its file; empty: no scenario. `own_outputs`, `own_inputs`: the files of options that
/// only this command has.
void require_own_files(const Options& options, const std::string& scenario = "",
                       const std::vector<NamedFile>& own_outputs = {},
                       const std::vector<NamedFile>& own_inputs = {});

/// The same for a sweep that reads `grid` (empty: none) and whose points read files, and that
/// writes into `folder`.
void require_own_files(const SweepOptions& options, const std::string& grid,
                       const std::vector<NamedFile>& of_points, const std::string& folder);

/// Whether the option `key` names a file of traffic.
bool is_traffic_file(std::string_view key);

/// The files that the option `spec` with the value `text` makes a run read. `article`: `the`, or
/// `a` where a command starts runs that read several.
std::vector<NamedFile> inputs_of(const OptionSpec& spec, const std::string& text,
                                 std::string_view article = "the");

/// Where the graph of `--deadlock FILE` goes: the picture's file with the ending .dot.
std::string deadlock_graph_file(const std::string& path);

}  // namespace allport
