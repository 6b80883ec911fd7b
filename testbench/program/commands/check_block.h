// SPDX-License-Identifier: Apache-2.0
// `allport check --block FILE` judges a block of the user's level by level.
#pragma once

#include <string>
#include <vector>

#include "testbench/program/commands/verdicts.h"
#include "testbench/program/options/options.h"

namespace allport {

/// Judges the block of `options` on each torus up to that of --topology, and gives the exit status.
/// The checks that are `required` must hold on all of them; empty: all checks.
int check_block(const Options& options, const std::vector<std::string>& required,
                Verdicts& verdicts);

}  // namespace allport
