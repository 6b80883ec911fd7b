// SPDX-License-Identifier: Apache-2.0
// These make the pages of comparisons over lengths of the message and over fabrics: each row of
// theirs is a point.
#pragma once

#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/program/report/comparison_table.h"
#include "testbench/results/json.h"

namespace allport {

/// `result`: as sizes_json() gives it; `plan`: that of the fabric.
std::string sizes_page(const Json& result, const RunPlan& plan, const std::string& command,
                       const std::string& title, const ComparisonShape& shape);

/// `entries`: the objects of the JSON; `table`: as the terminal shows it.
std::string fabrics_page(const std::vector<Json>& entries, const std::string& command,
                         const std::string& title, const std::string& table,
                         const ComparisonShape& shape);

}  // namespace allport
