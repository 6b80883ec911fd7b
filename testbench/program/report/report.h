// SPDX-License-Identifier: Apache-2.0
// These functions put the results of a run into text for people: what ran, what came out, theory
// beside it, verdicts.
#pragma once

#include <string>

#include "testbench/plan/plan_run.h"
#include "testbench/plan/verdict.h"
#include "testbench/program/terminal/style.h"
#include "testbench/results/results.h"

namespace allport {

/// What ran and what came out, before the static check.
std::string report_of_results(const RunPlan& plan, const Results& results, const Style& style);
/// What follows: the verdict, and how the run ended.
std::string report_of_verdict(const RunPlan& plan, const Results& results,
                              const StaticVerdict& verdict, const Style& style);
/// How long the program has been at it; to be told when everything else is done.
std::string report_of_time(const RunPlan& plan, const Results& results,
                           const StaticVerdict& verdict, const Style& style);

}  // namespace allport
