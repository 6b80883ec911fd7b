// SPDX-License-Identifier: Apache-2.0
// U-mesh [McKinley94] and U-torus [RobinsonMcKinleyCheng95] are multicasts on meshes and tori by
// halving a chain of nodes, sorted by their coordinates (x, y, ..), x first. The holder of a part
// of the chain keeps the half that it is in, and hands the other one over to the nearest member.
// The steps come from step_assignment.h.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// The source is where its coordinates place it in the chain.
Schedule plan_umesh(const PlanRequest& request);
/// The same chain, turned so that it begins with the source.
Schedule plan_utorus(const PlanRequest& request);

}  // namespace allport
