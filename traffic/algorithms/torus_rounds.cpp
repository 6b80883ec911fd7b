// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/torus_rounds.h"

#include <memory>
#include <utility>

#include "rtl_model/base/powers.h"

namespace allport {

bool is_power_of_two_torus(const Topology& topology) {
  if (topology.kind() != TopologyKind::torus || topology.dimension_count() != 2) return false;
  const int side = topology.sides()[0];
  return side == topology.sides()[1] && is_power_of_two(side);
}

Routing square_torus(int side) {
  const std::vector<int> sides{side, side};
  return {std::make_shared<Grid>(TopologyKind::torus, sides), RoutingOrder::dimension_ordered};
}

TorusRounds::TorusRounds(const Routing& routing, NodeId source)
    : routing_(routing),
      torus_(static_cast<const Grid&>(routing.topology())),
      holders_{source},
      orders_(torus_.node_count()) {}

NodeId TorusRounds::at(NodeId node, Offset offset, int unit) const {
  return torus_.shifted(node, {offset.x * unit, offset.y * unit});
}

NodeId TorusRounds::send(NodeId from, Offset offset, int unit, StepIndex step) {
  const std::vector<int> displacement{offset.x * unit, offset.y * unit};
  Unicast unicast;
  unicast.u = from;
  unicast.v = at(from, offset, unit);
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
