// SPDX-License-Identifier: Apache-2.0
// carry_out() is what `allport run` and `allport cosim` have in common: a run, its report and its
// files.
#pragma once

#include <functional>
#include <string>

#include "testbench/program/options/options.h"
#include "testbench/program/report/run_page.h"

namespace allport {

class ModelWatch;

/// What is printed of a run.
enum class Printed {
  verdicts,     ///< the results and the verdict of the static check
  explanation,  ///< the results and why they are what they are, without a static check
};

/// What may help the run of which the JSON is given.
using Adviser = std::function<PageAdvice(const Json& run)>;

/// Plans and simulates what `options` ask for, prints the report, writes the files and returns the
/// exit status. `command`: the command line. `advise`: what a page says of what may help; null:
/// nothing. `watch`: looks after the models of a router of one's own; null: the routers are the
/// project's. Throws std::invalid_argument, one sentence, for what
/// cannot be planned or written.
int carry_out(const Options& options, const std::string& command, const Adviser& advise = nullptr,
              Printed printed = Printed::verdicts, ModelWatch* watch = nullptr);

}  // namespace allport
