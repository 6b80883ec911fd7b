// SPDX-License-Identifier: Apache-2.0
// The one table of collective algorithms: name, paper, the fabrics and destination sets each is
// for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

/// What an algorithm plans for.
struct PlanRequest {
  const Routing& routing;
  int internal_ports;  ///< k: injection ports of a node, 1 .. external ports
  const Multicast& goal;
  StepRule step_rule = StepRule::naive;
};

struct Algorithm {
  std::string_view name;
  std::string_view summary;  ///< one line for `allport list`
  std::string_view paper;    ///< key of docs/papers.md, or baseline
  std::string_view fabrics;  ///< the fabrics it is for, in words
  bool broadcast_only;       ///< takes the destinations `all` only
  /// Sent as one worm of this kind; the schedule then lists the edges of its tree.
  MessageKind worm;
  /// Whether the algorithm is defined on this topology.
  bool (*is_for)(const Topology&);
  Schedule (*plan)(const PlanRequest&);
  Operation operation = Operation::bcast;  ///< what the schedule achieves
  /// Its steps come from step_assignment.h, by either rule; the others' are fixed by phases.
  bool takes_step_rule = false;
  bool one_destination = false;  ///< takes one destination only
};

/// All algorithms, in the order of the documentation.
const std::vector<Algorithm>& algorithms();

/// The algorithm called `name`; throws std::invalid_argument that offers the nearest name.
const Algorithm& find_algorithm(std::string_view name);

/// Plans `goal`; throws std::invalid_argument naming the algorithm and the fabrics or destination
/// sets it is for when it does not apply, and for the rule aware where phases fix the steps.
Schedule plan(const Algorithm& algorithm, const PlanRequest& request);

/// The goal of `algorithm` over blocks; for Operation::bcast that of the goal's destinations.
Collective collective_of(const Algorithm& algorithm, const Topology& topology,
                         const Multicast& goal);

/// Nodes that receive in `schedule` without being destinations of `goal`, ascending (relays).
std::vector<NodeId> relays(const Schedule& schedule, const Multicast& goal);

}  // namespace allport
