// SPDX-License-Identifier: Apache-2.0
// The broadcast of [TsaiMcKinley96] by extended dominating nodes (EDN) is known here only as far as
// [Hou98] describes it, without its messages. It is reconstructed: edn_readings.h has all blocks
// that fit the description, and `edn` is one of them. On 4x4 from source (0,0), step 1 reaches
// (1,1), (3,3) and (0,2), step 2 all others.
#include "traffic/algorithms/edn_readings.h"
#include "traffic/algorithms/rows.h"
#include "traffic/algorithms/torus_block.h"

namespace allport {

namespace {

Schedule plan_edn(const PlanRequest& request) { return plan_by_blocks(request, edn_block()); }

// By the reading whose number is the seed, modulo the number of readings.
Schedule plan_edn_reading(const PlanRequest& request) {
  const std::vector<TorusBlock>& readings = edn_readings();
  return plan_by_blocks(request, readings[request.seed % readings.size()]);
}

}  // namespace

Rows edn_rows() {
  return {Row("edn",
              "broadcast by extended dominating nodes in d steps (this project's reconstruction)",
              "TsaiMcKinley96", power_of_two_tori, plan_edn),
          Row("edn-reading", "the same by reading number --seed of what Hou98 says of it",
              "TsaiMcKinley96", power_of_two_tori, plan_edn_reading)};
}

}  // namespace allport
