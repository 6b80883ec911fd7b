// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/far_then_near.h"

#include "traffic/algorithms/torus_block.h"

namespace allport {

Schedule plan_far_then_near(const PlanRequest& request) {
  static const std::vector<Offset> neighbours{{1, 0}, {-1, 0}, {0, 1}};
  static const TorusBlock block{
      {{0, 2}, neighbours}, {{2, 1}, neighbours}, {{-2, -1}, neighbours}, {{0, 0}, neighbours}};
  return plan_by_blocks(request, block);
}

}  // namespace allport
