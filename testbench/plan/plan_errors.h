// SPDX-License-Identifier: Apache-2.0
// What goes wrong on the links of a run, found on its fabric.
#pragma once

#include "rtl_model/router/link_errors.h"
#include "testbench/plan/plan_run.h"

namespace allport {

/// The errors that the request of `plan` asks for. Throws std::invalid_argument, one sentence that
/// names option, place and what is possible.
LinkErrors planned_errors(const RunPlan& plan);

/// How a place is told: `5.2@400`, and of a credit `5.2.0@400` or `5.2.0@+400`.
std::string in_words(const FlitError& error, const Topology& topology);
std::string in_words(const LostCredit& credit, const Topology& topology);

}  // namespace allport
