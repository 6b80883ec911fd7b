// SPDX-License-Identifier: Apache-2.0
// This file runs random cases on the models under test.
#pragma once

#include <functional>

#include "testbench/observe/explain/explained_trial.h"
#include "testbench/results/results.h"
#include "tests/properties/reference/drawn_case.h"

namespace allport::test {

/// Simulates the case in this process: on the fabric of routers, or of worms. `show`, where there
/// is one, looks at the last trial; it needs an explanation.
Results simulate(const DrawnCase& drawn, Traffic traffic, bool is_transaction_level = false,
                 const ExplainRequest& explain = {},
                 const std::function<void(const ShownTrial&)>& show = {});

}  // namespace allport::test
