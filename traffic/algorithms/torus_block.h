// SPDX-License-Identifier: Apache-2.0
// A TorusBlock is a broadcast to 4 x 4 units of a torus in two steps, as a building block of
// [Hou98, section 5]: on a 2^d x 2^d torus it is carried out with units of N/4, N/16, .. nodes,
// each time by every node that has the message, and for odd d one step by Z_blocks comes last.
#pragma once

#include <vector>

#include "traffic/algorithms/algorithms.h"
#include "traffic/algorithms/torus_rounds.h"

namespace allport {

/// A receiver of a block's first step, or its source S, and what it sends in the second step.
struct BlockMember {
  Offset place;  ///< from S, in units; {0, 0} is S itself
  std::vector<Offset> second_step;
};

/// S serves the receivers of the first step in this order.
using TorusBlock = std::vector<BlockMember>;

Schedule plan_by_blocks(const PlanRequest& request, const TorusBlock& block);

}  // namespace allport
