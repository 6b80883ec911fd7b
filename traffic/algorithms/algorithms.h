// SPDX-License-Identifier: Apache-2.0
// The collective algorithms: what each is called, supports and plans. The rows are in
// algorithm_table.cpp.
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

/// The fabrics that an algorithm supports.
struct Fabrics {
  std::string_view words;
  bool (*has)(const Topology&);
};

/// The sets of destinations that an algorithm takes: any, one node, or `all`.
enum class Destinations { any, one, all };

/// What determines the steps: a rule of step_assignment.h, either one, or the algorithm's phases.
enum class Steps { by_rule, by_phases };

/// What a reduce or allreduce sums up: the vector whole, or in one block for each node.
enum class Vector { whole, in_blocks };

struct Algorithm {
  std::string_view name;
  std::string_view summary;  ///< one line for `allport list`
  std::string_view paper;    ///< key of docs/papers.md, or baseline
  Fabrics fabrics;
  Destinations destinations;
  Steps steps;
  Schedule (*plan)(const PlanRequest&);
  Operation operation = Operation::bcast;  ///< the collective that it carries out
  /// The kind of its messages: a tree or path carries it out alone, and the schedule then lists the
  /// edges of its tree.
  MessageKind kind = MessageKind::unicast;
  Vector vector = Vector::whole;

  bool is_for(const Topology& topology) const { return fabrics.has(topology); }
  bool takes_step_rule() const { return steps == Steps::by_rule; }
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

/// The same where the message or vector has `flits` flits. If a vector is cut into more blocks than
/// that, the last ones are empty: neither the goal nor the `schedule`, planned by `algorithm`, then
/// has them.
Collective without_empty_blocks(const Algorithm& algorithm, const Topology& topology,
                                const Multicast& goal, std::size_t flits, Schedule& schedule);

/// The relays: nodes that receive in `schedule` and are not destinations of `goal`, ascending.
std::vector<NodeId> relays(const Schedule& schedule, const Multicast& goal);

}  // namespace allport
