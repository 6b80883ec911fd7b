// SPDX-License-Identifier: Apache-2.0
// These functions help the traffic tests: they plan by names, print and judge.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "traffic/algorithms/algorithms.h"
#include "traffic/proof/schedule_check.h"

namespace allport {

inline Routing routing_on(const std::string& shape) {
  const auto topology = parse_topology(shape);
  return Routing(topology, Routing::default_order(*topology));
}

inline Routing ascending_on(const std::string& shape) {
  return Routing(parse_topology(shape), RoutingOrder::ascending);
}

inline std::vector<NodeId> nodes(const std::vector<std::size_t>& ids) {
  std::vector<NodeId> list;
  for (const std::size_t id : ids) list.push_back(node_id(id));
  return list;
}

inline int all_ports(const Routing& routing) {
  return static_cast<int>(routing.topology().port_count());
}

inline Schedule planned(std::string_view algorithm, const Routing& routing, const Multicast& goal,
                        std::optional<int> internal_ports = std::nullopt) {
  return plan(find_algorithm(algorithm),
              {routing, internal_ports.value_or(all_ports(routing)), goal});
}

inline ScheduleReport checked(const Schedule& schedule, const Routing& routing,
                              const Multicast& goal,
                              std::optional<int> internal_ports = std::nullopt) {
  const int ports = internal_ports.value_or(all_ports(routing));
  return check_schedule(schedule, {routing, ports, {goal.source}, goal.destinations});
}

/// A unicast in four numbers.
struct Line {
  std::size_t u;
  std::size_t v;
  StepIndex step;
  int order = 0;
};

inline Schedule schedule_of(const std::vector<Line>& lines) {
  Schedule schedule;
  for (const Line& line : lines) {
    schedule.unicasts.push_back(
        {node_id(line.u), node_id(line.v), line.step, line.order, MessageKind::unicast, {}});
  }
  schedule.sort();
  return schedule;
}

/// The report on `schedule` as a multicast from node 0, on all ports.
inline ScheduleReport report_on(const std::string& shape, const Schedule& schedule,
                                const std::vector<std::size_t>& destinations) {
  const Routing routing = routing_on(shape);
  return check_schedule(schedule, {routing, all_ports(routing), nodes({0}), nodes(destinations)});
}

/// `(u,v,step)` of each unicast, in the order of the schedule.
inline std::string printed(const Schedule& schedule) {
  std::ostringstream text;
  for (const Unicast& unicast : schedule.unicasts) {
    if (text.tellp() > 0) text << ' ';
    text << '(' << index(unicast.u) << ',' << index(unicast.v) << ',' << unicast.step << ')';
  }
  return text.str();
}

/// The text of the std::invalid_argument that `action` throws.
template <typename Action>
std::string complaint_of(Action action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no complaint";
}

}  // namespace allport
