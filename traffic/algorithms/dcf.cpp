// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/dcf.h"

#include <array>

#include "traffic/algorithms/torus_rounds.h"
#include "traffic/algorithms/zblock.h"

namespace allport {

namespace {

// A message of a block's first step, and the messages that its receiver sends in the second.
struct Member {
  Offset place;  // from the block's source S
  std::vector<Offset> second_step;
};

// [Hou98] fig. 7: A, B, C, D in the order in which S serves them; S itself last.
const std::array<Member, 5>& block() {
  static const std::array<Member, 5> members{{{{2, 1}, {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}},
                                              {{0, 2}, {{1, 0}, {-1, 0}, {0, -1}}},
                                              {{-1, -1}, {{-1, 0}, {0, 1}}},
                                              {{0, -1}, {{1, 0}}},
                                              {{0, 0}, {{1, 0}}}}};
  return members;
}

class DcfPlan {
 public:
  DcfPlan(const Routing& routing, NodeId source) : rounds_(routing, source) {}

  Schedule take(int side) {
    StepIndex step = 0;
    for (; side >= 4; side /= 4, step += 2) {
      // Every node that has the message now is the source of its own block.
      const std::vector<NodeId> sources = rounds_.holders();
      for (const NodeId source : sources) block_steps(source, side / 4, step);
    }
    if (side == 2) rounds_.send_from_all(z_block(), 1, step + 1);
    return rounds_.take();
  }

 private:
  void block_steps(NodeId source, int unit, StepIndex step) {
    for (const Member& member : block()) {
      const bool is_source = member.place.x == 0 && member.place.y == 0;
      const NodeId holder = is_source ? source : rounds_.send(source, member.place, unit, step + 1);
      for (const Offset offset : member.second_step) rounds_.send(holder, offset, unit, step + 2);
    }
  }

  TorusRounds rounds_;
};

}  // namespace

Schedule plan_dcf(const PlanRequest& request) {
  return DcfPlan(request.routing, request.goal.source)
      .take(request.routing.topology().sides().front());
}

}  // namespace allport
