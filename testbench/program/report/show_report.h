// SPDX-License-Identifier: Apache-2.0
// These functions report what theory says of a fabric and of the trees on it, as text and as JSON:
// routes, chains, Gray codes, trees with what is reached through whom, and the numbers of a shape.
#pragma once

#include <string>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/results/json.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"
#include "traffic/theory/timing_model.h"

namespace allport {

/// Text for the terminal, and the same for scripts.
struct Shown {
  std::string text;
  Json json;
};

/// The route from `from` to `to`, hop by hop.
Shown show_route(const Routing& routing, NodeId from, NodeId to);

/// The chains over which multicasts of a hypercube split `goal` [Robinson93, definitions 2 and 5]:
/// in dimension order, and sorted by weight.
Shown show_chains(const Routing& routing, const Multicast& goal);

/// The node of each rank of a ring by the binary-reflected Gray code of a hypercube.
Shown show_gray(const Topology& topology);

/// Who sends `schedule`, a multicast from `source` by unicasts, to whom, and how many nodes get it
/// through each. It calls itself for each level of the tree. Throws std::invalid_argument if a node
/// receives twice.
Shown show_tree(const Topology& topology, NodeId source, const Schedule& schedule);

/// Links, degree, diameter and bisection of a shape, and the lower bounds of the collectives among
/// all of its nodes, with `root` where there is one. `timing.flits` is the length of a message,
/// vector or block.
Shown show_bounds(const Routing& routing, NodeId root, int internal_ports,
                  const TimingParameters& timing);

}  // namespace allport
