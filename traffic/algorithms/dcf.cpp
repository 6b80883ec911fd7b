// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/dcf.h"

#include "traffic/algorithms/torus_block.h"

namespace allport {

Schedule plan_dcf(const PlanRequest& request) {
  // [Hou98] fig. 7: A, B, C, D in the order in which S serves them; S itself last.
  static const TorusBlock block{{{2, 1}, {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}},
                                {{0, 2}, {{1, 0}, {-1, 0}, {0, -1}}},
                                {{-1, -1}, {{-1, 0}, {0, 1}}},
                                {{0, -1}, {{1, 0}}},
                                {{0, 0}, {{1, 0}}}};
  return plan_by_blocks(request, block);
}

}  // namespace allport
