// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/ring_broadcast.h"

#include <utility>

namespace allport {

Schedule plan_ring_broadcast(const PlanRequest& request) {
  const Topology& ring = request.routing.topology();
  Schedule schedule;
  NodeId holder = request.goal.source;
  for (std::size_t i = 1; i < ring.node_count(); ++i) {
    Unicast unicast;
    unicast.u = holder;
    unicast.v = ring.absolute(i, request.goal.source);
    unicast.step = static_cast<StepIndex>(i);
    holder = unicast.v;
    schedule.unicasts.push_back(std::move(unicast));
  }
  return schedule;
}

}  // namespace allport
