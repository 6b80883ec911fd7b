// SPDX-License-Identifier: Apache-2.0
// This broadcast on a 2^d x 2^d torus in d steps goes in pairs of steps with units N/4, N/16, ..:
// every node that has the message sends it two or three units away by (0,2), (2,1), (-2,-1), then
// to its neighbours by (1,0), (-1,0), (0,1); for odd d a Z_block step comes last. On 4x4 from
// source (0,0), step 1 reaches (0,2), (2,1), (2,3), step 2 all others.
#include "traffic/algorithms/rows.h"
#include "traffic/algorithms/torus_block.h"

namespace allport {

namespace {

Schedule plan_far_then_near(const PlanRequest& request) {
  static const std::vector<Offset> neighbours{{1, 0}, {-1, 0}, {0, 1}};
  static const TorusBlock block{
      {{0, 2}, neighbours}, {{2, 1}, neighbours}, {{-2, -1}, neighbours}, {{0, 0}, neighbours}};
  return plan_by_blocks(request, block);
}

}  // namespace

Rows far_then_near_rows() {
  return {Row("far-then-near", "broadcast in d steps: three far sends, then three to neighbours",
              "baseline", power_of_two_tori, plan_far_then_near)};
}

}  // namespace allport
