// SPDX-License-Identifier: Apache-2.0
// The k node-disjoint shortest paths of a hypercube [CasanovaSlides] connect two nodes that differ
// in the bits b_0 < .. < b_(k-1). Path j flips b_j, b_(j-1), .., b_0, b_(k-1), .., b_(j+1): two
// legs of descending e-cube routing with a turn where b_0 .. b_j are flipped. For ascending routing
// they are mirrored.
#pragma once

#include <vector>

#include "rtl_model/topology/routing.h"

namespace allport {

/// The node where path j, 0 .. k - 1, turns; the last path goes straight to `to`.
std::vector<NodeId> turns_of_disjoint_paths(const Routing& routing, NodeId from, NodeId to);

}  // namespace allport
