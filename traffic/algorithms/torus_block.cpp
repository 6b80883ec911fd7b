// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/torus_block.h"

#include <algorithm>

#include "traffic/algorithms/rows.h"

namespace allport {

StepIndex UnitBlock::steps() const {
  StepIndex most = 0;
  for (const BlockSend& send : sends) most = std::max(most, send.step);
  return most;
}

UnitBlock unit_block(const TorusBlock& block) {
  UnitBlock units;
  for (const BlockMember& member : block) {
    const bool is_source = member.place.x == 0 && member.place.y == 0;
    if (!is_source) units.sends.push_back({{0, 0}, member.place, 1});
  }
  for (const BlockMember& member : block) {
    for (const Offset by : member.second_step) units.sends.push_back({member.place, by, 2});
  }
  return units;
}

const std::vector<Offset>& z_block() {
  static const std::vector<Offset> offsets{{1, 0}, {0, 1}, {-1, 1}};
  return offsets;
}

Schedule plan_by_blocks(const PlanRequest& request, const UnitBlock& block) {
  TorusRounds rounds(request.routing, request.goal.source);
  int side = request.routing.topology().sides().front();
  StepIndex step = 0;
  for (; side >= block_side; side /= block_side, step += block.steps()) {
    const int unit = side / block_side;
    // Every node that has the message now is the source of its own block.
    const std::vector<NodeId> sources = rounds.holders();
    for (const NodeId source : sources) {
      for (const BlockSend& send : block.sends) {
        rounds.send(rounds.at(source, send.from, unit), send.by, unit, step + send.step);
      }
    }
  }
  if (side == 2) rounds.send_from_all(z_block(), 1, step + 1);
  return rounds.take();
}

Schedule schedule_of(const UnitBlock& block) {
  const Routing routing = square_torus(block_side);
  const Multicast goal = broadcast(routing.topology(), node_id(0));
  return plan_by_blocks({routing, 4, goal}, block);
}

namespace {

// By the block of `request`.
Schedule plan_given_block(const PlanRequest& request) {
  return request.block == nullptr ? find_algorithm("dcf").plan(request)
                                  : plan_by_blocks(request, *request.block);
}

}  // namespace

Rows torus_block_rows() {
  return {Row("block", "a block of 4 x 4 units, --block FILE, recursed as that of dcf", "Hou98",
              power_of_two_tori, plan_given_block)
              .takes_block()};
}

}  // namespace allport
