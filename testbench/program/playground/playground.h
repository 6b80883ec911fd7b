// SPDX-License-Identifier: Apache-2.0
// What a page in a browser carries out of the program (docs/guide/playground.md): the commands that
// plan, prove, simulate and explain. A page has no files, no other processes and no Verilator, so
// what needs these is refused.
#pragma once

#include <string>
#include <vector>

#include "testbench/program/options/command.h"
#include "testbench/results/json.h"

namespace allport {

/// The commands of a page, in the order of the program's help.
const std::vector<Command>& page_commands();

/// Them and their options as data, of which a page makes its controls. Options that need what a
/// page has not are left out.
Json page_controls();

/// What a page shows of a command besides its text.
enum class PagePart {
  timeline,  ///< timeline.csv, report.html and results.json
  report,    ///< the two others
  results,   ///< the last one
};

/// Carries out the command line `words`, and writes into `folder` what the command has of `part`;
/// the exit status. Throws std::invalid_argument, one sentence, for what cannot be read or what a
/// page has not.
int run_in_page(const std::vector<std::string>& words, const std::string& folder, PagePart part);

}  // namespace allport
