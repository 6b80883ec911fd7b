// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/separate.h"

#include <algorithm>

#include "traffic/schedule/step_assignment.h"

namespace allport {

Schedule plan_separate(const PlanRequest& request) {
  const Topology& topology = request.routing.topology();
  const NodeId source = request.goal.source;
  std::vector<std::size_t> relative;
  for (const NodeId node : request.goal.destinations) {
    relative.push_back(topology.relative(node, source));
  }
  std::sort(relative.begin(), relative.end());
  StepAssignment programs(request.routing, request.internal_ports, request.step_rule);
  programs.begin(source, 0);
  for (const std::size_t id : relative) programs.send(topology.absolute(id, source));
  return programs.take();
}

}  // namespace allport
