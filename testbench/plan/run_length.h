// SPDX-License-Identifier: Apache-2.0
// require_end() refuses runs that are known to be too long before anything is simulated. What adds
// up while a run goes on is met by its clock (rtl_model/systemc/cycle_clock.h).
#pragma once

#include "testbench/plan/plan_run.h"

namespace allport {

/// Throws std::invalid_argument, one sentence, if `plan` cannot end by the last cycle of a run:
/// because of one message, or because of all that one processor, or rank, has to do.
void require_end(const RunPlan& plan);

}  // namespace allport
