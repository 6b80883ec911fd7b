// SPDX-License-Identifier: Apache-2.0
// These functions know which columns of a sweep's table a picture can show, before anything is
// computed.
#pragma once

#include <string>
#include <vector>

#include "testbench/program/commands/sweep_plan.h"

namespace allport {

/// The columns in which points of `plan` that do not fail may have numbers, point by point; none if
/// no point can be planned.
std::vector<std::string> number_columns(const SweepPlan& plan);

/// Throws std::invalid_argument, one sentence, unless `column` is one of them.
void require_column(const SweepPlan& plan, const std::string& column);

}  // namespace allport
