// SPDX-License-Identifier: Apache-2.0
// This function measures a network that is driven (docs/guide/embed.md) beside the models of runs.
#pragma once

#include "testbench/plan/plan_run.h"
#include "testbench/results/results.h"

namespace allport {

/// The pattern of `plan`, whose messages are sent one by one, each in the cycle in which it starts,
/// on a network that records nothing. Of the results there are times, cycles and digest.
Results run_network(const RunPlan& plan);

}  // namespace allport
