// SPDX-License-Identifier: Apache-2.0
// The routers carry out these collectives: every node of an aligned group contributes to one join,
// whose result the root has (reduce), or all nodes (all-reduce, barrier), by one join-tree.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_join_reduce(const PlanRequest& request);
Schedule plan_join_allreduce(const PlanRequest& request);
/// The operation is a bitwise and.
Schedule plan_join_barrier(const PlanRequest& request);

}  // namespace allport
