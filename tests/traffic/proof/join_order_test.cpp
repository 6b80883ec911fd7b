// SPDX-License-Identifier: Apache-2.0
// The rules by which joins never wait for one another (docs/joins.md, order) are tested on the
// smallest plans that break them.
#include "traffic/proof/join_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rtl_model/topology/group_routes.h"
#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using testing::HasSubstr;

// Adds the contributions to a join, or one tree.
void add(Schedule& schedule, MessageKind kind, std::size_t root, DimensionMask free, StepIndex step,
         int order, const Routing& routing) {
  for (const NodeId node : group_nodes(routing.topology(), node_id(root), free)) {
    const bool is_sender = is_join(kind) || node == node_id(root);
    if (!is_sender) continue;
    Unicast line;
    line.u = node;
    line.v = is_join(kind) ? node_id(root) : NodeId{};
    line.kind = kind;
    line.free = free;
    line.step = step;
    line.order = order;
    schedule.unicasts.push_back(line);
  }
}

std::string verdict_on(Schedule schedule, const Routing& routing, int join_vcs = 2) {
  schedule.sort();
  CheckRequest request{routing, all_ports(routing), {}, {}};
  request.join_vcs = join_vcs;
  const ScheduleReport report = check_schedule(schedule, request);
  const Finding& finding = report.worms->joins;
  return finding.ok() ? "ok" : finding.first.front();
}

constexpr MessageKind join = MessageKind::join;
constexpr MessageKind join_tree = MessageKind::join_tree;
constexpr MessageKind tree = MessageKind::tree;

TEST(JoinOrder, OneJoinOfEveryGroupIsProved) {
  const Routing routing = routing_on("torus:3x4");
  for (const MessageKind kind : {join, join_tree}) {
    for (const DimensionMask free : {0U, 1U, 2U}) {
      Schedule schedule;
      add(schedule, kind, 5, free, 1, 0, routing);
      EXPECT_EQ(verdict_on(schedule, routing, 0), "ok");
    }
  }
}

TEST(JoinOrder, ANodeThatDoesNotContributeIsNamed) {
  const Routing routing = routing_on("hypercube:2");
  Schedule schedule;
  add(schedule, join, 0, 0, 1, 0, routing);
  schedule.unicasts.pop_back();
  EXPECT_EQ(verdict_on(schedule, routing),
            "join to 0 (tag 0): node 3 does not contribute, so it waits for ever");
  schedule.unicasts.push_back(schedule.unicasts.front());
  schedule.unicasts.back().order = 1;
  EXPECT_THAT(verdict_on(schedule, routing), HasSubstr("contributes 2 times"));
}

// Four joins of two nodes each in a circle of programs.
TEST(JoinOrder, TwoNodeJoinsInACircleOfProgramsWait) {
  const Routing routing = routing_on("mesh:2x2");
  Schedule schedule;
  const auto contribute = [&](std::size_t node, std::size_t root, DimensionMask free, int order) {
    Unicast line;
    line.u = node_id(node);
    line.v = node_id(root);
    line.kind = join;
    line.free = free;
    line.order = order;
    schedule.unicasts.push_back(line);
  };
  constexpr DimensionMask row = 1;
  constexpr DimensionMask column = 2;
  contribute(0, 0, row, 0);
  contribute(0, 0, column, 1);
  contribute(2, 0, column, 0);
  contribute(2, 2, row, 1);
  contribute(3, 2, row, 0);
  contribute(3, 1, column, 1);
  contribute(1, 1, column, 0);
  contribute(1, 0, row, 1);
  EXPECT_THAT(verdict_on(schedule, routing), HasSubstr("joins wait for one another"));
  std::swap(schedule.unicasts[0].order, schedule.unicasts[1].order);
  EXPECT_EQ(verdict_on(schedule, routing), "ok");
}

TEST(JoinOrder, TwoJoinsInDifferentOrderWait) {
  const Routing routing = routing_on("hypercube:1");
  Schedule schedule;
  add(schedule, join, 0, 0, 1, 0, routing);
  add(schedule, join, 1, 0, 1, 1, routing);
  EXPECT_EQ(verdict_on(schedule, routing), "ok");
  for (Unicast& line : schedule.unicasts) {
    if (line.u == node_id(1)) line.order = 1 - line.order;
  }
  EXPECT_EQ(
      verdict_on(schedule, routing),
      "joins wait for one another, for nodes send join to 0 (tag 0) before join to 1 (tag 0) before join to 0 (tag 0)");
}

TEST(JoinOrder, PipelinedJoinTreesNeedTheReceptionBetweenThem) {
  const Routing routing = routing_on("mesh:3x3");
  Schedule schedule;
  add(schedule, join_tree, 0, 0, 1, 0, routing);
  add(schedule, join_tree, 8, 0, 1, 1, routing);
  EXPECT_THAT(verdict_on(schedule, routing), HasSubstr("are of one step"));
  for (Unicast& line : schedule.unicasts) line.step = line.order + 1;
  EXPECT_EQ(verdict_on(schedule, routing), "ok");
}

TEST(JoinOrder, ATreeBehindAJoinTreeNeedsAJoinBetweenThem) {
  const Routing routing = routing_on("mesh:3x3");
  Schedule schedule;
  add(schedule, join_tree, 0, 0, 1, 0, routing);
  add(schedule, tree, 8, 0, 3, 2, routing);
  EXPECT_THAT(verdict_on(schedule, routing), HasSubstr("a join of them to node 8 must stand"));
  add(schedule, join, 8, 0, 2, 1, routing);
  EXPECT_EQ(verdict_on(schedule, routing), "ok");
}

// With virtual channels of their own joins need not wait for trees; sharing one, they must.
TEST(JoinOrder, JoinsThatShareVcsWithTreesWait) {
  const Routing routing = routing_on("hypercube:2");
  Schedule schedule;
  add(schedule, tree, 0, 0, 1, 0, routing);
  add(schedule, join, 3, 0, 1, 1, routing);
  EXPECT_EQ(verdict_on(schedule, routing, 2), "ok");
  EXPECT_THAT(verdict_on(schedule, routing, 1), HasSubstr("share virtual channels"));
  for (Unicast& line : schedule.unicasts) {
    if (line.kind == join) line.step = 2;
  }
  EXPECT_EQ(verdict_on(schedule, routing, 1), "ok");
}

// Node 2 and 5 send at once and hold the channels through which node 8 is to get the tree first.
TEST(JoinOrder, EachContributionIsJudgedByItsOwnStep) {
  const Routing routing = routing_on("mesh:3x3");
  Schedule schedule;
  add(schedule, tree, 0, 0, 1, 0, routing);
  add(schedule, join, 8, 2, 1, 0, routing);
  schedule.unicasts.back().step = 2;
  EXPECT_THAT(verdict_on(schedule, routing, 0), HasSubstr("share virtual channels"));
  EXPECT_THAT(verdict_on(schedule, routing, 1), HasSubstr("share virtual channels"));
  EXPECT_EQ(verdict_on(schedule, routing, 2), "ok");
  for (Unicast& line : schedule.unicasts) {
    if (line.kind == join) line.step = 2;
  }
  EXPECT_EQ(verdict_on(schedule, routing, 0), "ok");
}

TEST(JoinOrder, EveryNodeOfAJoinTreeWaitsForTheOneBefore) {
  const Routing routing = routing_on("mesh:3x3");
  Schedule schedule;
  add(schedule, join_tree, 0, 0, 1, 0, routing);
  add(schedule, join_tree, 8, 0, 1, 1, routing);
  schedule.unicasts.back().step = 2;
  EXPECT_EQ(
      verdict_on(schedule, routing),
      "node 0 contributes to join-tree to 8 (tag 0) in step 1, but must have received join-tree to 0 (tag 0) of step 1 before");
}

// A join that gathers a tree counts only if its nodes have received what comes before.
TEST(JoinOrder, TheJoinBeforeATreeWaitsForTheOneBefore) {
  const Routing routing = routing_on("mesh:3x3");
  Schedule schedule;
  add(schedule, join_tree, 0, 0, 1, 0, routing);
  add(schedule, join, 8, 0, 1, 1, routing);
  schedule.unicasts.back().step = 2;
  add(schedule, tree, 8, 0, 3, 2, routing);
  EXPECT_THAT(verdict_on(schedule, routing), HasSubstr("a join of them to node 8 must stand"));
}

// The tree of node 2 goes both ways round and meets the join, which waits for node 3 beyond it.
TEST(JoinOrder, ATreeOnTheChannelsOfAJoinWaitsForItsEnd) {
  const Routing routing = routing_on("ring:6");
  Schedule schedule;
  add(schedule, join, 0, 0, 1, 0, routing);
  add(schedule, tree, 2, 0, 2, 1, routing);
  EXPECT_THAT(verdict_on(schedule, routing, 1), HasSubstr("share virtual channels"));
  EXPECT_EQ(verdict_on(schedule, routing, 2), "ok");
  schedule.unicasts.pop_back();
  add(schedule, tree, 0, 0, 2, 1, routing);
  EXPECT_EQ(verdict_on(schedule, routing, 1), "ok");
}

void add_unicast(Schedule& schedule, std::size_t u, std::size_t v, StepIndex step) {
  Unicast line;
  line.u = node_id(u);
  line.v = node_id(v);
  line.step = step;
  schedule.unicasts.push_back(line);
}

// The contribution of node 1 holds the channel by which node 0 is to get its unicast first.
TEST(JoinOrder, AJoinAmongUnicastsWaitsForNoneOfThem) {
  const Routing routing = routing_on("hypercube:2");
  for (const MessageKind kind : {join, join_tree}) {
    Schedule schedule;
    add_unicast(schedule, 3, 0, 1);
    add(schedule, kind, 0, 1, 2, 0, routing);
    EXPECT_THAT(
        verdict_on(schedule, routing, 0),
        HasSubstr(
            "shares virtual channels with other messages, and node 0 contributes only after it has received"));
    EXPECT_EQ(verdict_on(schedule, routing, 1), "ok");
    for (Unicast& line : schedule.unicasts) line.step = 1;
    EXPECT_EQ(verdict_on(schedule, routing, 0), "ok");
    // Node 0 sends in a later step before it contributes.
    add_unicast(schedule, 0, 3, 2);
    schedule.unicasts.back().order = -1;
    EXPECT_NE(verdict_on(schedule, routing, 0), "ok");
  }
}

TEST(JoinOrder, AJoinSharesWithUnicastsOnlyOnMeshesAndAlone) {
  for (const char* fabric : {"mesh:3x3", "hypercube:3", "ring:4"}) {
    const Routing routing = routing_on(fabric);
    Schedule schedule;
    add(schedule, join, 0, 0, 1, 0, routing);
    add_unicast(schedule, 3, 1, 1);
    schedule.unicasts.back().order = 1;
    const bool wraps = routing.topology().wraps();
    EXPECT_EQ(verdict_on(schedule, routing, 0) == "ok", !wraps) << fabric;
    schedule.unicasts.back().kind = MessageKind::deposit;
    EXPECT_THAT(verdict_on(schedule, routing, 0), HasSubstr("only with unicasts")) << fabric;
    schedule.unicasts.back().kind = MessageKind::unicast;
    add(schedule, join, 1, 0, 1, 2, routing);
    EXPECT_THAT(verdict_on(schedule, routing, 0), HasSubstr("only a single one may")) << fabric;
    EXPECT_EQ(verdict_on(schedule, routing, 1), "ok") << fabric;
  }
}

// Nodes leave the barrier one after another, and those that have left it contribute.
TEST(JoinOrder, AJoinBehindABarrierOfMessagesHasChannelsOfItsOwn) {
  const Routing routing = routing_on("hypercube:2");
  Schedule barrier;
  add_unicast(barrier, 3, 0, 1);
  Schedule joins;
  add(joins, join, 0, 0, 1, 0, routing);
  CheckRequest request{routing, all_ports(routing), {node_id(3)}, {node_id(0)}};
  const auto verdict = [&](int join_vcs) {
    request.join_vcs = join_vcs;
    return check_together({{barrier, request, 1}, {joins, request, 2}}).worms->joins;
  };
  EXPECT_EQ(verdict(1).violations, 0U);
  ASSERT_EQ(verdict(0).violations, 1U);
  EXPECT_THAT(verdict(0).first.front(), HasSubstr("follows a barrier of messages"));
}

TEST(JoinOrder, MessagesThatShareAChannelWithAJoinMayMeetIt) {
  const Routing routing = routing_on("hypercube:2");
  Schedule schedule;
  add(schedule, join, 0, 0, 1, 0, routing);
  Unicast other;
  other.u = node_id(3);
  other.v = node_id(1);
  other.order = 1;
  schedule.unicasts.push_back(other);  // 3 -> 1, while the join goes 3 -> 1 -> 0
  schedule.sort();
  CheckRequest request{routing, all_ports(routing), {}, {}};
  const ScheduleReport report = check_schedule(schedule, request);
  EXPECT_EQ(report.worms->contention.violations, 1U);
  EXPECT_FALSE(report.is_contention_free());
}

}  // namespace
}  // namespace allport
