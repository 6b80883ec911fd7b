// SPDX-License-Identifier: Apache-2.0
// The broadcast of [TsaiMcKinley96] by extended dominating nodes (EDN) is known here only as far as
// [Hou98] describes it, without its messages. It is reconstructed: edn_readings.h has all blocks
// that fit the description, and `edn` is one of them. On 4x4 from source (0,0), step 1 reaches
// (1,1), (3,3) and (0,2), step 2 all others.
#pragma once

#include "traffic/algorithms/algorithms.h"
#include "traffic/algorithms/torus_block.h"

namespace allport {

/// The first reading with one pattern for all nodes, up to mirror images, of which the simulation
/// on 32 x 32 says all that the text says of figure 8 (docs/algorithms.md, section 10).
const TorusBlock& edn_block();

Schedule plan_edn(const PlanRequest& request);
/// By the reading whose number is the seed, modulo the number of readings.
Schedule plan_edn_reading(const PlanRequest& request);

}  // namespace allport
