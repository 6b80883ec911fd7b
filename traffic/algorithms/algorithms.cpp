// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/algorithms.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "rtl_model/base/names.h"

namespace allport {

namespace {

std::string not_for(const Algorithm& algorithm, const Topology& topology) {
  return "algorithm " + std::string(algorithm.name) + " is for " +
         std::string(algorithm.fabrics.words) + "; " + topology.name() + " is not one";
}

std::string has_fixed_steps(const Algorithm& algorithm) {
  std::string words = "algorithm " + std::string(algorithm.name) +
                      " has its steps fixed by phases; contention-aware steps are for";
  const char* separator = " ";
  for (const Algorithm& other : algorithms()) {
    if (!other.takes_step_rule()) continue;
    words += separator + std::string(other.name);
    separator = ", ";
  }
  return words;
}

}  // namespace

const Algorithm& find_algorithm(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == name) return algorithm;
    names.push_back(algorithm.name);
  }
  throw std::invalid_argument(unknown_name("algorithm", name, names));
}

Schedule plan(const Algorithm& algorithm, const PlanRequest& request) {
  const Topology& topology = request.routing.topology();
  if (!algorithm.is_for(topology)) throw std::invalid_argument(not_for(algorithm, topology));
  const bool is_broadcast = request.goal.destinations.size() + 1 == topology.node_count();
  if (algorithm.destinations == Destinations::all && !is_broadcast) {
    throw std::invalid_argument(
        "algorithm " + std::string(algorithm.name) +
        (algorithm.operation == Operation::bcast ? " is a broadcast" : " is for all nodes") +
        ": it takes the destinations 'all' only");
  }
  if (algorithm.destinations == Destinations::one && request.goal.destinations.size() != 1) {
    throw std::invalid_argument("algorithm " + std::string(algorithm.name) +
                                " takes one destination, not " +
                                std::to_string(request.goal.destinations.size()));
  }
  if (request.step_rule == StepRule::aware && !algorithm.takes_step_rule()) {
    throw std::invalid_argument(has_fixed_steps(algorithm));
  }
  require_internal_ports(request.internal_ports, topology);
  return algorithm.plan(request);
}

Collective collective_of(const Algorithm& algorithm, const Topology& topology,
                         const Multicast& goal) {
  const std::size_t nodes = topology.node_count();
  if (algorithm.operation == Operation::bcast) return {nodes, goal, 1};
  return {algorithm.operation, nodes, goal.source,
          algorithm.vector == Vector::in_blocks ? nodes : 1};
}

Collective without_empty_blocks(const Algorithm& algorithm, const Topology& topology,
                                const Multicast& goal, std::size_t flits, Schedule& schedule) {
  Collective whole = collective_of(algorithm, topology, goal);
  if (algorithm.vector == Vector::whole || flits >= whole.block_count()) return whole;
  keep_first_blocks(schedule, flits);
  return {algorithm.operation, topology.node_count(), goal.source, flits};
}

std::vector<NodeId> relays(const Schedule& schedule, const Multicast& goal) {
  std::vector<NodeId> receivers;
  for (const Unicast& unicast : schedule.unicasts) receivers.push_back(unicast.v);
  std::sort(receivers.begin(), receivers.end());
  receivers.erase(std::unique(receivers.begin(), receivers.end()), receivers.end());
  std::vector<NodeId> others;
  std::set_difference(receivers.begin(), receivers.end(), goal.destinations.begin(),
                      goal.destinations.end(), std::back_inserter(others));
  return others;
}

}  // namespace allport
