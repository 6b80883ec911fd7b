// SPDX-License-Identifier: Apache-2.0
// A transcript is all that a machine says of a run, as text.
#pragma once

#include <string>

#include "testbench/results/results.h"

namespace allport::test {

/// Deliveries, latencies, contention, counts and the report of a deadlock, a line each.
std::string transcript(const Results& results);

/// The first line of `found` that differs from `expected`; empty: there is none.
std::string first_difference(const std::string& expected, const std::string& found);

}  // namespace allport::test
