// SPDX-License-Identifier: Apache-2.0
// This is the recursive Z_block broadcast of [Hou98, section 4.1] on a 2^d x 2^d torus in d steps:
// with units N/2, N/4, .. 1 every node that has the message sends by (1,0), (0,1) and (-1,1). It is
// stepwise contention-free, but from N = 4 on not depth contention-free. On 4x4 from source (0,0),
// step 1 reaches (2,0), (0,2), (2,2), step 2 all others.
#include <vector>

#include "traffic/algorithms/rows.h"
#include "traffic/algorithms/torus_block.h"
#include "traffic/algorithms/torus_rounds.h"

namespace allport {

namespace {

Schedule plan_zblock(const PlanRequest& request) {
  // A Z_block of four Z_blocks, which each node that has the message carries out.
  static const TorusBlock block = [] {
    TorusBlock members{{{0, 0}, z_block()}};
    for (const Offset one : z_block()) members.push_back({{2 * one.x, 2 * one.y}, z_block()});
    return members;
  }();
  return plan_by_blocks(request, block);
}

}  // namespace

Rows zblock_rows() {
  return {Row("zblock", "recursive Z_block broadcast in d steps", "Hou98", power_of_two_tori,
              plan_zblock)};
}

}  // namespace allport
