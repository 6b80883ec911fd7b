// SPDX-License-Identifier: Apache-2.0
// This function puts the outcome of a run in lockstep into lines for people.
#pragma once

#include <string>

#include "testbench/observe/lockstep/lockstep_results.h"
#include "testbench/program/terminal/style.h"

namespace allport {

std::string lockstep_report(const LockstepResults& lockstep, const Style& style);

}  // namespace allport
