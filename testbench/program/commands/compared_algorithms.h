// SPDX-License-Identifier: Apache-2.0
// Which algorithms a comparison runs.
#pragma once

#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/program/options/options.h"

namespace allport {

/// The algorithms that are named, or else all of the collective that suit the fabric of `plan`, the
/// model, the destinations and the step rule. Throws std::invalid_argument, one sentence, if there
/// is none, or if one is named twice or carries out another collective.
std::vector<const Algorithm*> compared_algorithms(const Options& options, const RunPlan& plan);

}  // namespace allport
