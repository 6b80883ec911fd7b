// SPDX-License-Identifier: Apache-2.0
// This is the recursive Z_block broadcast of [Hou98, section 4.1] on a 2^d x 2^d torus in d steps:
// with units N/2, N/4, .. 1 every node that has the message sends by (1,0), (0,1) and (-1,1). It is
// stepwise contention-free, but from N = 4 on not depth contention-free. On 4x4 from source (0,0),
// step 1 reaches (2,0), (0,2), (2,2), step 2 all others.
#pragma once

#include <vector>

#include "traffic/algorithms/algorithms.h"
#include "traffic/algorithms/torus_rounds.h"

namespace allport {

/// The displacements of a Z_block, in the order of the sends. On side 2 the last takes its tie in
/// the - direction, so that all three first channels differ.
const std::vector<Offset>& z_block();

Schedule plan_zblock(const PlanRequest& request);

}  // namespace allport
