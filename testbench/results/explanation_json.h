// SPDX-License-Identifier: Apache-2.0
// An explanation (docs/explain.md) as JSON.
#pragma once

#include "testbench/results/explanation.h"
#include "testbench/results/json.h"

namespace allport {

/// The value of `explanation` in the JSON of a run.
Json explanation_json(const Explanation& explanation, const Topology& topology);

}  // namespace allport
