// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/free_steps.h"

#include <algorithm>
#include <vector>

#include "traffic/schedule/block_flow.h"
#include "traffic/schedule/step_assignment.h"

namespace allport {

namespace {

// The place of the injection port that `unicast` takes, among those of all nodes.
std::size_t port_of(const Unicast& unicast, const Routing& routing, int internal_ports) {
  const PortId first = routing.route(unicast.u, unicast.v, ties_of(unicast, routing))->port;
  return index(unicast.u) * static_cast<std::size_t>(internal_ports) +
         injection_port(first, internal_ports);
}

}  // namespace

bool keeps_port_rule(const Schedule& schedule, const Routing& routing, int internal_ports) {
  std::vector<const Unicast*> sorted;
  for (const Unicast& unicast : schedule.unicasts) sorted.push_back(&unicast);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Unicast* a, const Unicast* b) { return a->step < b->step; });
  std::vector<StepIndex> last_step(routing.topology().node_count() *
                                   static_cast<std::size_t>(internal_ports));
  return std::all_of(sorted.begin(), sorted.end(), [&](const Unicast* unicast) {
    StepIndex& last = last_step[port_of(*unicast, routing, internal_ports)];
    const bool is_free = last < unicast->step;
    last = unicast->step;
    return is_free;
  });
}

void assign_free_steps(Schedule& schedule, const Collective& collective, const Routing& routing,
                       int internal_ports) {
  if (keeps_port_rule(schedule, routing, internal_ports)) return;
  const BlockFlow flow(schedule, collective);
  std::vector<StepIndex> last_step(collective.node_count() *
                                   static_cast<std::size_t>(internal_ports));
  std::vector<StepIndex> steps(schedule.unicasts.size());
  for (const std::uint32_t i : flow.execution_order()) {
    StepIndex& last = last_step[port_of(schedule.unicasts[i], routing, internal_ports)];
    for (const std::uint32_t reception : flow.waits_for(i)) last = std::max(last, steps[reception]);
    steps[i] = ++last;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) schedule.unicasts[i].step = steps[i];
  number_by_step(schedule);
}

}  // namespace allport
