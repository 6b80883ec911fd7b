// SPDX-License-Identifier: Apache-2.0
// This is the broadcast of [Jeon01, section 4] along the Hamiltonian path of a hypercube that the
// reflected Gray code gives: node i of the path is source xor i xor (i >> 1). It is sent as one
// worm, of which every node on the way takes a copy; the schedule lists the edges of the path, with
// the depth as step. On a 2-cube from source 0 it is 0 -> 1 -> 3 -> 2.
#include <utility>

#include "traffic/algorithms/rows.h"

namespace allport {

namespace {

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

}  // namespace

Rows hamiltonian_rows() {
  return {Row("hamiltonian", "broadcast by one worm along the Gray-code path, a copy at every node",
              "Jeon01", hypercubes, plan_hamiltonian)
              .kind(MessageKind::path)};
}

}  // namespace allport
