// SPDX-License-Identifier: Apache-2.0
// These functions report what theory says of a fabric and of the trees on it, as text and as JSON:
// routes, chains, Gray codes, trees with what is reached through whom, and the numbers of a shape.
#pragma once

#include <string>
#include <vector>

#include "rtl_model/router/router_config.h"
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

/// The route from `from` to `to`, hop by hop, with the virtual channels of `router`.
Shown show_route(const Routing& routing, const RouterConfig& router, NodeId from, NodeId to);

/// The same of each message of `schedule`. Throws std::invalid_argument for one that goes to
/// several nodes, and with its route_fault.
Shown show_routes(const Routing& routing, const RouterConfig& router, const Schedule& schedule);

/// The chains over which multicasts of a hypercube split `goal` [Robinson93, definitions 2 and 5]:
/// in dimension order, the `given` one of the user, if it is not empty, and whether it is
/// cube-ordered, and the last of these sorted by weight.
Shown show_chains(const Routing& routing, const Multicast& goal, const std::vector<NodeId>& given);

/// The node of each rank of a ring by the binary-reflected Gray code of a hypercube.
Shown show_gray(const Topology& topology);

/// Who sends `schedule`, a multicast from `source` by unicasts, to whom, and how many nodes get it
/// through each. It calls itself for each level of the tree. Throws std::invalid_argument, naming
/// the message, if a node receives twice, or sends what it never gets.
Shown show_tree(const Topology& topology, NodeId source, const Schedule& schedule);

/// The reachable sets of `source` on a hypercube, and in each of them those of its leader, down to
/// single nodes [Jeon01, sec. 2].
Shown show_sets(const Routing& routing, NodeId source);

/// Links, degree, diameter and bisection of a shape, and the lower bounds of the collectives among
/// all of its nodes, with `root` where there is one. `timing.flits` is the length of a message,
/// vector or block.
Shown show_bounds(const Routing& routing, NodeId root, int internal_ports,
                  const TimingParameters& timing);

}  // namespace allport
