// SPDX-License-Identifier: Apache-2.0
// The one table of collective algorithms: name, paper, and the fabrics and destination sets that
// each supports.
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
  std::string_view fabrics;  ///< the fabrics that it supports, in words
  bool broadcast_only;       ///< whether it takes the destinations `all` only
  /// The kind of the one worm that carries it out; the schedule then lists the edges of its tree.
  MessageKind worm;
  /// Whether the algorithm is defined on this topology.
  bool (*is_for)(const Topology&);
  Schedule (*plan)(const PlanRequest&);
  Operation operation = Operation::bcast;  ///< the collective that it carries out
  /// Whether step_assignment.h assigns its steps, by either rule; otherwise phases fix them.
  bool takes_step_rule = false;
  bool one_destination = false;  ///< whether it takes one destination only
};

/// All algorithms, in the order of the documentation.
const std::vector<Algorithm>& algorithms();

/// The algorithm called `name`; throws std::invalid_argument that offers the nearest name.
const Algorithm& find_algorithm(std::string_view name);

/// Plans `goal`. Throws std::invalid_argument, naming the algorithm and the fabrics or destination
/// sets that it supports, when it does not apply, and for the rule aware if phases fix the steps.
Schedule plan(const Algorithm& algorithm, const PlanRequest& request);

/// The goal of `algorithm` over blocks; for Operation::bcast that of the goal's destinations.
Collective collective_of(const Algorithm& algorithm, const Topology& topology,
                         const Multicast& goal);

/// The relays: nodes that receive in `schedule` and are not destinations of `goal`, ascending.
std::vector<NodeId> relays(const Schedule& schedule, const Multicast& goal);

}  // namespace allport
