// SPDX-License-Identifier: Apache-2.0
// All-to-all takes p - 1 steps here, on every fabric: in each step every node sends one block to
// the node that shall have it, and all receivers are different. The routes of a step may share
// channels.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// In step t node r sends to node (r + t) mod p.
Schedule plan_direct_alltoall(const PlanRequest& request);
/// In step t node r sends to node r xor t; p must be a power of two. Under e-cube routing the
/// routes of a step share no channel, but those of different steps do.
Schedule plan_xor_alltoall(const PlanRequest& request);

}  // namespace allport
