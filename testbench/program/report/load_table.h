// SPDX-License-Identifier: Apache-2.0
// This makes the table of `allport compare --collective-rate`: algorithms beside each other as
// loads.
#pragma once

#include <string>
#include <vector>

#include "testbench/program/report/comparison_table.h"

namespace allport {

/// The runs of `runs`, all of them loads.
std::string load_table(const std::vector<ComparedRun>& runs, const ComparisonShape& shape);
/// An object for each run.
std::vector<Json> loads_json(const std::vector<ComparedRun>& runs, const ComparisonShape& shape);

/// Whether a row of `a` is shown before that of `b`: those that are not saturated first, and then
/// by mean completion; those in which nothing completed last.
bool carries_load_better(const ComparedRun& a, const ComparedRun& b);

}  // namespace allport
