// SPDX-License-Identifier: Apache-2.0
// This is the broadcast of [Jeon01, section 4] along the Hamiltonian path of a hypercube that the
// reflected Gray code gives: node i of the path is source xor i xor (i >> 1). It is sent as one
// worm, of which every node on the way takes a copy; the schedule lists the edges of the path, with
// the depth as step. On a 2-cube from source 0 it is 0 -> 1 -> 3 -> 2.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_hamiltonian(const PlanRequest& request);

}  // namespace allport
