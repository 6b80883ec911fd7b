// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/hamiltonian.h"

#include <utility>

namespace allport {

Schedule plan_hamiltonian(const PlanRequest& request) {
  const Routing& routing = request.routing;
  Schedule schedule;
  NodeId holder = request.goal.source;
  while (const std::optional<PortId> port = routing.path_branch(holder, request.goal.source)) {
    Unicast unicast;
    unicast.u = holder;
    unicast.v = *routing.topology().neighbour(holder, *port);
    unicast.step = static_cast<StepIndex>(schedule.unicasts.size()) + 1;
    holder = unicast.v;
    schedule.unicasts.push_back(std::move(unicast));
  }
  return schedule;
}

}  // namespace allport
