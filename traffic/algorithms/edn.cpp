// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/edn.h"

#include "traffic/algorithms/edn_readings.h"

namespace allport {

const TorusBlock& edn_block() {
  static const TorusBlock block{{{0, 0}, {{-1, 0}, {0, 1}, {2, 0}}},
                                {{1, 1}, {{1, 0}, {0, -1}, {-2, 0}}},
                                {{-1, -1}, {{-1, 0}, {0, -1}, {2, 0}}},
                                {{0, 2}, {{1, 0}, {0, 1}, {-2, 0}}}};
  return block;
}

Schedule plan_edn(const PlanRequest& request) { return plan_by_blocks(request, edn_block()); }

Schedule plan_edn_reading(const PlanRequest& request) {
  const std::vector<TorusBlock>& readings = edn_readings();
  return plan_by_blocks(request, readings[request.seed % readings.size()]);
}

}  // namespace allport
