// SPDX-License-Identifier: Apache-2.0
// These functions read the files that a request names for its plan.
#pragma once

#include <vector>

#include "testbench/plan/run_request.h"

namespace allport {

/// Reads the block that `request` names, once. Does nothing if it names none. Throws
/// std::invalid_argument, one sentence, if it is no block, and as require_block.
void settle_block(RunRequest& request);

/// Throws unless `request` has a block if one of `algorithms` takes one, and none if none does.
void require_block(const RunRequest& request, const std::vector<const Algorithm*>& algorithms);

/// Reads the counts and the block that `request` names, once.
void settle_inputs(RunRequest& request);

}  // namespace allport
