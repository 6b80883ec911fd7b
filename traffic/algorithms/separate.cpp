// SPDX-License-Identifier: Apache-2.0
// Separate addressing is the baseline of [Robinson93]: the source sends each destination its own
// unicast, in ascending order of the id relative to the source. It works on any fabric; the steps
// come from step_assignment.h.
#include <algorithm>

#include "traffic/algorithms/rows.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

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

}  // namespace

Rows separate_rows() {
  return {Row("separate", "one unicast from the source to each destination", "baseline",
              all_fabrics, plan_separate)
              .multicasts()};
}

}  // namespace allport
