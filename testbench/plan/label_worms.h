// SPDX-License-Identifier: Apache-2.0
// Label worms among one another never deadlock if nothing but the channels can hold them up
// (docs/router.md, section 7). A run that cannot be seen to keep to that is refused, unless the
// static check proves that its messages cannot wait for one another in a circle.
#pragma once

#include "testbench/plan/plan_run.h"

namespace allport {

/// Whether no copy of a worm ever waits for an ejection channel: each serves one input VC only.
bool has_private_ejection(const RouterConfig& router);

/// Whether label worms are sent.
bool has_label_worms(const RunPlan& plan);

/// Throws std::invalid_argument, one sentence with the condition that does not hold, if label worms
/// of `plan` could deadlock.
void require_label_freedom(const RunPlan& plan);

}  // namespace allport
