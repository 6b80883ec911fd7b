// SPDX-License-Identifier: Apache-2.0
// What all comparisons have in common, on one fabric or on several: what their tables show, and who
// was left out.
#pragma once

#include <string>

#include "testbench/program/commands/comparison.h"
#include "testbench/program/options/options.h"

namespace allport {

/// What the table shows with these options; its model is that of the plan.
ComparisonShape shape_of(const Options& options, const RunPlan& plan);

/// Whether the fastest row comes first: where a collective is named.
bool is_sorted(const Options& options);

/// A line for a router of one's own, one for the nodes that are cut off, and one for each algorithm
/// that was left out.
std::string left_out(const Comparison& comparison, const Options& options);

/// Throws std::invalid_argument, one sentence, unless `compare` runs with these options.
void require_comparable(const Options& options);

/// Counts are for an alltoall, of which all algorithms are compared or some are named. Throws as
/// require_comparable().
void require_counts(const Options& options);

}  // namespace allport
