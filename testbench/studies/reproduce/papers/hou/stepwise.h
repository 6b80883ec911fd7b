// SPDX-License-Identifier: Apache-2.0
// What [Hou98] says of broadcasts that share no channel in a step: theorem 3, its corollary, and
// section 5 on Tseng's. What it says of EDN is judged by the figure hou-edn.
#pragma once

#include <cstddef>

#include "testbench/studies/reproduce/claim.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// How often a channel is used in a step in which `schedule`, a multicast by unicasts in order of
/// their steps, uses it already.
std::size_t shared_in_a_step(const Schedule& schedule, const Routing& routing);

Claims stepwise_claims();

}  // namespace allport
