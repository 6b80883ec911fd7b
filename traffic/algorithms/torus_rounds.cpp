// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/torus_rounds.h"

#include <utility>
#include "rtl_model/base/powers.h"

namespace allport {

bool is_power_of_two_torus(const Topology& topology) {
  if (topology.kind() != TopologyKind::torus || topology.dimension_count() != 2) return false;
  const int side = topology.sides()[0];
  return side == topology.sides()[1] && is_power_of_two(side);
}

TorusRounds::TorusRounds(const Routing& routing, NodeId source)
    : routing_(routing),
      torus_(static_cast<const Grid&>(routing.topology())),
      holders_{source},
      orders_(torus_.node_count()) {}

NodeId TorusRounds::send(NodeId from, Offset offset, int unit, StepIndex step) {
  const std::vector<int> displacement{offset.x * unit, offset.y * unit};
  Unicast unicast;
  unicast.u = from;
  unicast.v = torus_.shifted(from, displacement);
  unicast.step = step;
  unicast.order = orders_[index(from)]++;
  set_ties(unicast, *routing_.ties_of(from, unicast.v, displacement), routing_);
  holders_.push_back(unicast.v);
  schedule_.unicasts.push_back(std::move(unicast));
  return holders_.back();
}

void TorusRounds::send_from_all(const std::vector<Offset>& offsets, int unit, StepIndex step) {
  const std::vector<NodeId> senders = holders_;
  for (const NodeId sender : senders) {
    for (const Offset offset : offsets) send(sender, offset, unit, step);
  }
}

Schedule TorusRounds::take() {
  schedule_.sort();
  return std::move(schedule_);
}

}  // namespace allport
