// SPDX-License-Identifier: Apache-2.0
// This is the broadcast of [JohnssonHo89] down the n edge-disjoint spanning binomial trees of an
// n-cube. Tree j begins with the edge from the source to e_j. From there on it is a binomial tree
// over the dimensions in the order j + 1, .., n - 1, 0, .., j: a node whose address, xor e_j, has
// its last set bit at place m of this order sends over the places m + 1 .. n - 1. The edge into the
// source is left out. Every channel that does not lead to the source is in exactly one tree.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

/// The message in n pieces, piece j down tree j, of n + 1 steps. in_pieces() cuts it into more.
Schedule plan_esbt(const PlanRequest& request);

}  // namespace allport
