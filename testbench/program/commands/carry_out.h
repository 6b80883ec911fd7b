// SPDX-License-Identifier: Apache-2.0
// carry_out() is what `allport run` and `allport cosim` have in common: a run, its report and its
// files.
#pragma once

#include <string>

#include "testbench/program/options/options.h"

namespace allport {

class ModelWatch;

/// What is printed of a run.
enum class Printed {
  verdicts,     ///< the results and the verdict of the static check
  explanation,  ///< the results and why they are what they are, without a static check
};

/// Plans and simulates what `options` ask for, prints the report, writes the files and returns the
/// exit status. `command`: the command line. `whatif`: that tries what would help; empty: none
/// does. `watch`: looks after the models of a router of one's own; null: the routers are the
/// project's. Throws std::invalid_argument, one sentence, for what
/// cannot be planned or written.
int carry_out(const Options& options, const std::string& command, const std::string& whatif = "",
              Printed printed = Printed::verdicts, ModelWatch* watch = nullptr);

}  // namespace allport
