// SPDX-License-Identifier: Apache-2.0
// The depth contention-free broadcast (DCF) of [Hou98] takes d steps on a 2^d x 2^d torus: blocks
// of two steps with displacements of N/4, N/16, ..., then for odd d one Z_block step.
// On 4x4 from source (0,0), step 1 reaches (2,1), (0,2), (3,3), (0,3), step 2 all others.
#include "traffic/algorithms/rows.h"
#include "traffic/algorithms/torus_block.h"

namespace allport {

namespace {

Schedule plan_dcf(const PlanRequest& request) {
  // [Hou98] fig. 7: A, B, C, D in the order in which S serves them; S itself last.
  static const TorusBlock block{{{2, 1}, {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}},
                                {{0, 2}, {{1, 0}, {-1, 0}, {0, -1}}},
                                {{-1, -1}, {{-1, 0}, {0, 1}}},
                                {{0, -1}, {{1, 0}}},
                                {{0, 0}, {{1, 0}}}};
  return plan_by_blocks(request, block);
}

}  // namespace

Rows dcf_rows() {
  return {Row("dcf", "depth contention-free broadcast in d steps", "Hou98", power_of_two_tori,
              plan_dcf)};
}

}  // namespace allport
