// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/planned_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "traffic/algorithms/algorithms.h"

namespace allport {

ScheduleReport PlannedTree::checked() const {
  return check_schedule(schedule, {routing, internal_ports, {goal.source}, goal.destinations});
}

std::string PlannedTree::relays_in_words(int address_bits) const {
  std::string words;
  for (const NodeId node : relays(schedule, goal)) {
    words += fmt::format("{}{:0{}b}", words.empty() ? "" : " ", index(node), address_bits);
  }
  return words.empty() ? "none" : words;
}

bool PlannedTree::has_distinct_first_channels() const {
  std::set<std::pair<NodeId, PortId>> taken;
  return std::all_of(schedule.unicasts.begin(), schedule.unicasts.end(), [&](const Unicast& one) {
    return taken.emplace(one.u, routing.route(one.u, one.v, 0)->port).second;
  });
}

PlannedTree planned_tree(const char* algorithm, int dimensions, int internal_ports,
                         std::size_t source, const std::vector<std::size_t>& destinations) {
  const Routing routing(parse_topology(fmt::format("hypercube:{}", dimensions)),
                        RoutingOrder::descending);
  std::vector<NodeId> nodes;
  nodes.reserve(destinations.size());
  for (const std::size_t one : destinations) nodes.push_back(node_id(one));
  const Multicast goal = multicast(routing.topology(), node_id(source), nodes);
  return {routing, internal_ports, goal,
          plan(find_algorithm(algorithm), {routing, internal_ports, goal})};
}

PlannedTree planned_broadcast(const char* algorithm, const std::string& topology) {
  const auto shape = parse_topology(topology);
  const Routing routing(shape, Routing::default_order(*shape));
  const auto ports = static_cast<int>(shape->port_count());
  const Multicast goal = broadcast(*shape, node_id(0));
  return {routing, ports, goal, plan(find_algorithm(algorithm), {routing, ports, goal})};
}

bool is_moved(const PlannedTree& origin, const PlannedTree& moved, std::size_t by) {
  std::set<std::tuple<std::size_t, std::size_t, StepIndex>> a;
  std::set<std::tuple<std::size_t, std::size_t, StepIndex>> b;
  for (const Unicast& one : origin.schedule.unicasts) {
    a.emplace(index(one.u) ^ by, index(one.v) ^ by, one.step);
  }
  for (const Unicast& one : moved.schedule.unicasts)
    b.emplace(index(one.u), index(one.v), one.step);
  return a == b;
}

}  // namespace allport
