// SPDX-License-Identifier: Apache-2.0
#include "traffic/dcf.h"

#include <array>
#include <utility>

#include "rtl_model/topology/grid.h"

namespace allport {

namespace {

struct Offset {
  int x;
  int y;
};

// A message of a block's first step, and the messages of its receiver in the second.
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

// On side 2 the last one takes its tie in the - direction: all three first channels differ.
constexpr std::array<Offset, 3> z_block{{{1, 0}, {0, 1}, {-1, 1}}};

class DcfPlan {
 public:
  DcfPlan(const Routing& routing, NodeId source)
      : routing_(routing),
        torus_(static_cast<const Grid&>(routing.topology())),
        holders_{source},
        orders_(torus_.node_count()) {}

  Schedule take() {
    int unit = torus_.sides().front();
    for (; unit >= 4; unit /= 4) each_holder(&DcfPlan::block_steps, unit / 4, 2);
    if (unit == 2) each_holder(&DcfPlan::z_block_step, 1, 1);
    schedule_.sort();
    return std::move(schedule_);
  }

 private:
  // Everybody who has the message now is the source of a block of its own.
  void each_holder(void (DcfPlan::*block_of)(NodeId, int), int unit, StepIndex steps) {
    const std::vector<NodeId> sources = holders_;
    for (const NodeId source : sources) (this->*block_of)(source, unit);
    step_ += steps;
  }

  void block_steps(NodeId source, int unit) {
    for (const Member& member : block()) {
      const bool is_source = member.place.x == 0 && member.place.y == 0;
      const NodeId holder = is_source ? source : send(source, member.place, unit, step_ + 1);
      for (const Offset offset : member.second_step) send(holder, offset, unit, step_ + 2);
    }
  }

  void z_block_step(NodeId source, int unit) {
    for (const Offset offset : z_block) send(source, offset, unit, step_ + 1);
  }

  NodeId send(NodeId from, Offset offset, int unit, StepIndex step) {
    const std::vector<int> displacement{offset.x * unit, offset.y * unit};
    Unicast unicast;
    unicast.u = from;
    unicast.v = torus_.shifted(from, displacement);
    unicast.step = step;
    unicast.order = orders_[index(from)]++;
    set_ties(unicast, *routing_.ties_of(from, unicast.v, displacement), routing_);
    schedule_.unicasts.push_back(unicast);
    holders_.push_back(unicast.v);
    return unicast.v;
  }

  const Routing& routing_;
  const Grid& torus_;
  std::vector<NodeId> holders_;
  std::vector<int> orders_;  // messages in each node's program so far
  StepIndex step_ = 0;       // steps planned so far
  Schedule schedule_;
};

}  // namespace

bool is_dcf_torus(const Topology& topology) {
  if (topology.kind() != TopologyKind::torus || topology.dimension_count() != 2) return false;
  const int side = topology.sides()[0];
  return side == topology.sides()[1] && (side & (side - 1)) == 0;
}

Schedule plan_dcf(const PlanRequest& request) {
  return DcfPlan(request.routing, request.goal.source).take();
}

}  // namespace allport
