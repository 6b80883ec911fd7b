// SPDX-License-Identifier: Apache-2.0
// This is the broadcast over the complete binary tree embedded in a hypercube [Ranka88, fig. 4]:
// the tree's 2^n - 1 nodes are numbered 1, 2, .. in order, node k is the address k xor 2^(n-1) from
// the source. A right child is then one hop away, a left child two, and no channel serves two
// edges. Address 2^(n-1), which no node of the tree has, is the third child of the root. The steps
// come from step_assignment.h. On a 2-cube source 0 sends 0 -> 3 over 2, 0 -> 1, then 0 -> 2.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_binary_tree(const PlanRequest& request);

}  // namespace allport
