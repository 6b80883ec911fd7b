// SPDX-License-Identifier: Apache-2.0
// carry_out() is what `allport run` and `allport cosim` have in common: a run, its report and its
// files.
#pragma once

#include "testbench/program/options/options.h"

namespace allport {

/// Plans and simulates what `options` ask for, prints the report, writes the files and returns the
/// exit status. Throws std::invalid_argument, one sentence, for what cannot be planned or written.
int carry_out(const Options& options);

}  // namespace allport
