// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/zblock.h"

#include "traffic/algorithms/torus_block.h"

namespace allport {

const std::vector<Offset>& z_block() {
  static const std::vector<Offset> offsets{{1, 0}, {0, 1}, {-1, 1}};
  return offsets;
}

Schedule plan_zblock(const PlanRequest& request) {
  // A Z_block of four Z_blocks, which each node that has the message carries out.
  static const TorusBlock block = [] {
    TorusBlock members{{{0, 0}, z_block()}};
    for (const Offset one : z_block()) members.push_back({{2 * one.x, 2 * one.y}, z_block()});
    return members;
  }();
  return plan_by_blocks(request, block);
}

}  // namespace allport
