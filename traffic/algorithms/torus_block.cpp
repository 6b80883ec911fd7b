// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/torus_block.h"

#include "traffic/algorithms/zblock.h"

namespace allport {

namespace {

void send_block(TorusRounds& rounds, const TorusBlock& block, NodeId source, int unit,
                StepIndex step) {
  std::vector<NodeId> holders;
  for (const BlockMember& member : block) {
    const bool is_source = member.place.x == 0 && member.place.y == 0;
    holders.push_back(is_source ? source : rounds.send(source, member.place, unit, step + 1));
  }
  for (std::size_t i = 0; i < block.size(); ++i) {
    for (const Offset offset : block[i].second_step) {
      rounds.send(holders[i], offset, unit, step + 2);
    }
  }
}

}  // namespace

Schedule plan_by_blocks(const PlanRequest& request, const TorusBlock& block) {
  TorusRounds rounds(request.routing, request.goal.source);
  int side = request.routing.topology().sides().front();
  StepIndex step = 0;
  for (; side >= 4; side /= 4, step += 2) {
    // Every node that has the message now is the source of its own block.
    const std::vector<NodeId> sources = rounds.holders();
    for (const NodeId source : sources) send_block(rounds, block, source, side / 4, step);
  }
  if (side == 2) rounds.send_from_all(z_block(), 1, step + 1);
  return rounds.take();
}

}  // namespace allport
