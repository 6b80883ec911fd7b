// SPDX-License-Identifier: Apache-2.0
// Random joins, join-trees, trees and unicasts together: with virtual channels of their own and in
// an order that the check proves they are all delivered, with the bytes that they must have. The
// smallest cases without them deadlock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/testbench/simulation/group_cases.h"
#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/joins.h"

namespace allport::test {
namespace {

// A schedule whose items come one after another in every program.
class Mixture {
 public:
  Mixture(const Routing& routing, Draw& draw) : routing_(routing), draw_(draw) {
    const int items = 2 + draw.below(5);
    for (int i = 0; i < items; ++i) add_item();
    planned_.schedule.sort();
    std::set<NodeId> senders;
    std::set<NodeId> all;
    for (const Unicast& line : planned_.schedule.unicasts) {
      senders.insert(line.u);
      for (const NodeId node : receivers(line, routing)) all.insert(node);
    }
    planned_.sources.assign(senders.begin(), senders.end());
    planned_.destinations.assign(all.begin(), all.end());
  }

  const PlannedCollective& planned() const { return planned_; }

 private:
  NodeId draw_node() {
    return node_id(
        static_cast<std::size_t>(draw_.below(static_cast<int>(routing_.topology().node_count()))));
  }

  // Joins may stand in one step; what branches has a step of its own, and a tree a join before it.
  void add_item() {
    const Topology& topology = routing_.topology();
    const int all = static_cast<int>(free_dimensions(topology, 0));
    const NodeId root = draw_node();
    const DimensionMask free =
        group_mask(topology, static_cast<DimensionMask>(1 + draw_.below(all)));
    switch (draw_.below(4)) {
      case 0:
        if (draw_.below(2) == 0) ++step_;
        add(MessageKind::join, root, free);
        break;
      case 1:
        ++step_;
        add(MessageKind::join_tree, root, free);
        ++step_;
        break;
      case 2:
        ++step_;
        add(MessageKind::join, root, free);
        ++step_;
        add(MessageKind::tree, root, free);
        ++step_;
        break;
      default:
        for (int i = draw_.below(12); i >= 0; --i) add_unicast();
    }
  }

  void add_unicast() {
    Unicast line;
    line.u = draw_node();
    line.v = draw_node();
    if (line.u == line.v) return;
    push(line);
  }

  void add(MessageKind kind, NodeId root, DimensionMask free) {
    ++tag_;
    for (const NodeId node : group_nodes(routing_.topology(), root, free)) {
      if (!is_join(kind) && node != root) continue;
      Unicast line;
      line.u = node;
      line.v = is_join(kind) ? root : NodeId{};
      line.kind = kind;
      line.free = free;
      if (is_join(kind)) line.join = {tag_, JoinOperation::sum, LaneType::u32};
      push(line);
    }
  }

  void push(Unicast& line) {
    line.step = step_;
    line.order = orders_[line.u]++;
    planned_.schedule.unicasts.push_back(line);
  }

  const Routing& routing_;
  Draw& draw_;
  PlannedCollective planned_;
  std::map<NodeId, int> orders_;
  StepIndex step_ = 1;
  int tag_ = 0;
};

std::string judged(const PlannedCollective& planned, const Routing& routing, int ports, int vcs) {
  CheckRequest request{routing, ports, planned.sources, planned.destinations};
  request.vcs = vcs;
  request.join_vcs = 2;
  const ScheduleReport report = check_schedule(planned.schedule, request);
  return report.worms->joins.ok() ? "" : report.worms->joins.first.front();
}

// What went wrong in case `seed`; `join_vcs`: 2, or 0 where all messages share channels.
std::string outcome(std::uint64_t seed, int join_vcs) {
  Draw draw(seed);
  const Routing routing = routing_on(
      draw.one_of<std::string>({"hypercube:2", "hypercube:3", "mesh:3x3", "mesh:2x4", "ring:4",
                                "ring:5", "torus:3x4", "torus:4x4", "torus:2x2x3"}));
  const int all = all_ports(routing);
  const int ports = draw.below(2) == 0 ? all : 1 + draw.below(all);
  const int own = routing.topology().wraps() ? 2 : 1 + draw.below(2);
  const auto fabric = With()
                          .ports(ports)
                          .vcs(own)
                          .join_vcs(join_vcs)
                          .depth(1 + draw.below(5))
                          .link_delay(draw.below(3))
                          .replication_delay(draw.below(3))
                          .combine_delay(draw.below(3));
  const int flits = 1 + draw.below(12);
  const PlannedCollective planned = Mixture(routing, draw).planned();
  if (!has_joins(planned.schedule)) return "";
  if (const std::string fault = judged(planned, routing, ports, own); !fault.empty()) return fault;
  return forked([&]() -> std::string {
    Simulation simulation(Experiment()
                              .on(fabric)
                              .length(flits)
                              .times(draw.below(4), draw.below(3))
                              .with_jitter(draw.below(2) * 30),
                          routing);
    const Results results = simulation.run({{planned}});
    if (!results.is_complete()) return routing.topology().name() + ": " + fault_of(results);
    return results.missing == 0 ? "" : "somebody received nothing";
  });
}

TEST(JoinMixture, IsDeliveredWhereJoinsAndTreesHaveChannelsOfTheirOwn) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    EXPECT_EQ(outcome(seed, 2), "") << "seed " << seed;
  }
}

TEST(JoinMixture, DeadlocksWhereAllShareTheirChannels) {
  int deadlocks = 0;
  for (std::uint64_t seed = 0; seed < 200 && deadlocks == 0; ++seed) {
    deadlocks += outcome(seed, 0).find("deadlock") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(deadlocks, 0);
}

std::string deadlock_of(PlannedCollective planned, const std::vector<Unicast>& others,
                        const Routing& routing, int join_vcs) {
  std::map<NodeId, int> orders;
  for (const Unicast& line : planned.schedule.unicasts) {
    orders[line.u] = std::max(orders[line.u], line.order + 1);
  }
  for (Unicast line : others) {
    line.order = orders[line.u]++;
    planned.schedule.unicasts.push_back(line);
  }
  planned.schedule.sort();
  return forked([&]() -> std::string {
    Simulation simulation(Experiment().on(With().ports(1).depth(1).join_vcs(join_vcs)).length(8),
                          routing);
    const Results results = simulation.run({{planned}});
    return results.deadlock ? "deadlock" : fault_of(results);
  });
}

TEST(JoinMixture, TwoJoinsInDifferentOrderDeadlockAndTheCheckPredictsIt) {
  const Routing routing = routing_on("hypercube:1");
  PlannedCollective planned = group_collective(MessageKind::join, 0, 0, routing);
  for (Unicast line : group_collective(MessageKind::join, 1, 0, routing).schedule.unicasts) {
    line.order = 1;
    planned.schedule.unicasts.push_back(line);
  }
  EXPECT_EQ(deadlock_of(planned, {}, routing, 2), "");
  for (Unicast& line : planned.schedule.unicasts) {
    if (line.u == node_id(1)) line.order = 1 - line.order;
  }
  EXPECT_NE(judged(planned, routing, 1, 1), "");
  EXPECT_EQ(deadlock_of(planned, {}, routing, 2), "deadlock");
}

}  // namespace
}  // namespace allport::test
