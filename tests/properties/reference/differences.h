// SPDX-License-Identifier: Apache-2.0
// What a model and the reference model say of a run, compared; empty: they say the same.
#pragma once

#include <string>
#include <vector>

#include "testbench/results/results.h"
#include "tests/properties/reference/fabric.h"

namespace allport::test {

/// The first delivery that differs.
std::string compare_deliveries(const Results& mine, const reference::Results& theirs);

/// The events of `trial`, called `what`, that only one of them has. Where the run ends in a
/// deadlock, their cycles are not compared.
std::string compare_events(const char* what, const Contention& mine, int trial,
                           std::vector<reference::ContentionEvent> theirs, bool is_deadlocked);

}  // namespace allport::test
