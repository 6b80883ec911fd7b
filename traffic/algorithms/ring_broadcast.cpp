// SPDX-License-Identifier: Apache-2.0
// This is the broadcast of [CasanovaSlides] on a unidirectional ring: in step i + 1 the node i
// places after the source forwards the message to the next. On ring:4 from source 2, that is 2 ->
// 3, 3 -> 0, 0 -> 1.
#include <utility>

#include "traffic/algorithms/rows.h"

namespace allport {

namespace {

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

}  // namespace

Rows ring_broadcast_rows() {
  return {Row("ring", "broadcast around a unidirectional ring", "CasanovaSlides", rings,
              plan_ring_broadcast)};
}

}  // namespace allport
