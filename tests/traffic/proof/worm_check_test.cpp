// SPDX-License-Identifier: Apache-2.0
// Contention and deadlock of worms are judged by their routes, on cases that can be judged by hand.
// What is proved is compared with simulations in tests/properties/worm_proof_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Unicast message(MessageKind kind, std::size_t u, std::size_t v = 0) {
  Unicast one;
  one.kind = kind;
  one.u = node_id(u);
  one.v = node_id(v);
  return one;
}

Unicast listed(std::size_t u, const std::vector<std::size_t>& stops) {
  Unicast one = message(MessageKind::multidestination, u, stops.back());
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) one.via.push_back(node_id(stops[i]));
  return one;
}

// The messages as a collective each, all at once; 0 ports or vcs stand for the default.
WormFindings judged(const Routing& routing, const std::vector<Unicast>& messages, int ports = 0,
                    int vcs = 0) {
  std::vector<Schedule> schedules;
  for (const Unicast& one : messages) schedules.push_back({{one}});
  std::vector<CheckedPart> parts;
  for (const Schedule& schedule : schedules) {
    CheckRequest request{
        routing, ports == 0 ? all_ports(routing) : ports, {schedule.unicasts.front().u}, {}};
    request.vcs = vcs;
    parts.push_back({schedule, request, 0});
  }
  return *check_together(parts).worms;
}

std::vector<std::size_t> waiting(const WormFindings& findings) {
  std::vector<std::size_t> messages;
  for (const WormWait& wait : findings.circle) messages.push_back(wait.message);
  std::sort(messages.begin(), messages.end());
  return messages;
}

// All pairs at once. With one class chosen for a whole dimension unicasts cannot deadlock, though
// the channels of both classes together close a circle, as those of one class do.
TEST(WormCheck, UnicastsOfBalancedClassesAreProved) {
  for (const char* shape : {"ring:5", "ring:6", "torus:4x4", "torus:3x5"}) {
    const Routing strict = routing_on(shape);
    const Routing balanced(strict.shared_topology(), strict.order(), {}, VcUse::balanced);
    const std::size_t nodes = strict.topology().node_count();
    std::vector<Unicast> pairs;
    for (std::size_t u = 0; u < nodes; ++u) {
      for (std::size_t v = 0; v < nodes; ++v) {
        if (u != v) pairs.push_back(message(MessageKind::unicast, u, v));
      }
    }
    EXPECT_TRUE(judged(balanced, pairs).circle.empty()) << shape;
    EXPECT_FALSE(judged(strict, pairs, 0, 1).circle.empty()) << shape;
  }
}

// One port. With strict classes one worm is behind the other on 0 -> 1. With balanced ones they may
// pass side by side, and each may then hold an ejection channel, of 1 or 2, for which the other
// waits. A worm whose classes can be chosen in several ways does not wait for itself.
TEST(WormCheck, BalancedWormsThatPassSideBySideMayWaitForEachOther) {
  const Routing strict = routing_on("ring:8");
  const Routing balanced(strict.shared_topology(), strict.order(), {}, VcUse::balanced);
  const std::vector<Unicast> worms{message(MessageKind::deposit, 0, 4),
                                   message(MessageKind::deposit, 6, 2)};
  EXPECT_TRUE(judged(strict, worms, 1).circle.empty());
  EXPECT_THAT(waiting(judged(balanced, worms, 1)), ElementsAre(0, 1));
  for (const Unicast& one : worms) EXPECT_TRUE(judged(balanced, {one}, 1).circle.empty());
}

TEST(WormCheck, OneWormOfAnyKindIsProved) {
  const Routing cube = routing_on("hypercube:4");
  for (const Unicast& one : {message(MessageKind::tree, 5), message(MessageKind::path, 5),
                             message(MessageKind::deposit, 5, 10), listed(5, {0, 15, 3}),
                             message(MessageKind::unicast, 5, 10)}) {
    const WormFindings findings = judged(cube, {one});
    EXPECT_TRUE(findings.contention.ok()) << to_string(one.kind);
    EXPECT_TRUE(findings.circle.empty()) << to_string(one.kind);
  }
}

// docs/guide/deadlock.md: the two circles of its page.
TEST(WormCheck, TwoTreesMayWaitForEachOther) {
  const Routing cube = routing_on("hypercube:3");
  const WormFindings findings =
      judged(cube, {message(MessageKind::tree, 0), message(MessageKind::tree, 6)});

  EXPECT_FALSE(findings.contention.ok());
  EXPECT_THAT(waiting(findings), ElementsAre(0U, 1U));
}

TEST(WormCheck, TwoPathsMayWaitForEachOther) {
  const Routing cube = routing_on("hypercube:3");
  EXPECT_THAT(waiting(judged(cube, {message(MessageKind::path, 0), message(MessageKind::path, 3)})),
              ElementsAre(0U, 1U));
}

TEST(WormCheck, OneTreeAmongUnicastsIsFreeOfDeadlockOnAllPorts) {
  const Routing cube = routing_on("hypercube:4");
  std::vector<Unicast> messages{message(MessageKind::tree, 6)};
  for (std::size_t u = 0; u < 16; ++u) {
    for (std::size_t v = 0; v < 16; ++v) {
      if (u != v) messages.push_back(message(MessageKind::unicast, u, v));
    }
  }
  EXPECT_TRUE(judged(cube, messages).circle.empty());
}

// They share ejection channels, each of which may hold one of them; not with all ports and one
// virtual channel, because then an ejection channel serves one queue.
TEST(WormCheck, DepositsMayDeadlockAtEjectionChannelsOnly) {
  const Routing mesh = routing_on("mesh:5");
  const std::vector<Unicast> both{message(MessageKind::deposit, 0, 3),
                                  message(MessageKind::deposit, 4, 1)};

  EXPECT_TRUE(judged(mesh, both).contention.ok());
  EXPECT_TRUE(judged(mesh, both).circle.empty());
  EXPECT_THAT(waiting(judged(mesh, both, 1)), ElementsAre(0U, 1U));
  EXPECT_GE(index(judged(mesh, both, 1).circle.front().channel.port), 2U);
}

// A worm of several destinations that comes round to a channel it has taken before.
TEST(WormCheck, AWormMayWaitForItself) {
  const Routing line = routing_on("mesh:5");
  const WormFindings back = judged(line, {listed(0, {2, 1, 3})});
  ASSERT_EQ(back.circle.size(), 1U);
  EXPECT_EQ(back.circle.front().message, 0U);
}

TEST(WormCheck, ClassesOfVirtualChannelsBreakTheCircleOfARing) {
  const Routing ring = routing_on("ring:4");
  std::vector<Unicast> round;
  for (std::size_t i = 0; i < 4; ++i)
    round.push_back(message(MessageKind::deposit, i, (i + 2) % 4));

  const auto waits_for_ejection = [](const WormWait& wait) { return index(wait.channel.port) > 1; };
  const std::vector<WormWait> plain = judged(ring, round, 0, 1).circle;
  const std::vector<WormWait> classes = judged(ring, round, 0, 2).circle;

  EXPECT_EQ(plain.size(), 4U);
  EXPECT_TRUE(std::none_of(plain.begin(), plain.end(), waits_for_ejection));
  EXPECT_TRUE(std::any_of(classes.begin(), classes.end(), waits_for_ejection));
}

// A message that a node sends after a reception meets nothing that lies behind the worm on its way
// to the node.
TEST(WormCheck, OrderIsTheWayThatAWormHasLeftBehind) {
  const Routing mesh = routing_on("mesh:8");
  const auto verdict = [&](const std::vector<Unicast>& messages, std::vector<NodeId> sources) {
    Schedule schedule;
    schedule.unicasts = messages;
    return check_schedule(schedule, {mesh, 2, std::move(sources), {}}).worms->contention;
  };
  Unicast relay = message(MessageKind::unicast, 4, 6);
  relay.step = 2;
  EXPECT_TRUE(verdict({message(MessageKind::deposit, 0, 4), relay}, nodes({0})).ok());

  Unicast ahead = message(MessageKind::unicast, 3, 6);  // the worm goes on to 5
  ahead.step = 2;
  const Finding finding = verdict({message(MessageKind::deposit, 0, 5), ahead}, nodes({0}));
  ASSERT_EQ(finding.violations, 1U);
  EXPECT_EQ(finding.pairs.front().channel, (Channel{node_id(3), port_id(0)}));
}

TEST(WormCheck, MessagesOfOneSenderAreAQueueAsFarAsTheyGoTheSameWay) {
  const Routing cube = routing_on("hypercube:3");
  Schedule schedule;
  schedule.unicasts = {message(MessageKind::tree, 0), message(MessageKind::unicast, 0, 7)};
  schedule.unicasts[1].order = 1;
  schedule.unicasts[1].step = 2;
  const CheckRequest request{cube, 3, nodes({0}), {}};
  EXPECT_TRUE(check_schedule(schedule, request).worms->contention.ok());

  schedule.unicasts[0].kind = MessageKind::path;  // 0 1 3 2 6 7 5 4, and 0 4 6 7
  EXPECT_FALSE(check_schedule(schedule, request).worms->contention.ok());
}

TEST(WormCheck, WhatComesTwiceIsSaid) {
  const Routing cube = routing_on("hypercube:3");
  Schedule schedule;
  schedule.unicasts = {message(MessageKind::tree, 0), message(MessageKind::path, 6)};
  const auto report = check_schedule(
      schedule, {cube, 3, nodes({0, 6}), broadcast(cube.topology(), node_id(0)).destinations});

  EXPECT_EQ(report.exactly_once.violations, 8U);
  EXPECT_EQ(report.exactly_once.first.at(0), "node 0, a source, receives 1 time: from 6 in step 1");
  EXPECT_EQ(report.exactly_once.first.at(1),
            "node 1 receives 2 times: from 0 in step 1, from 6 in step 1");
}

TEST(WormCheck, ABarrierKeepsCollectivesApart) {
  const Routing cube = routing_on("hypercube:3");
  const Schedule first{{message(MessageKind::tree, 0)}};
  const Schedule second{{message(MessageKind::tree, 6)}};
  const auto part = [&](const Schedule& schedule, std::size_t root, int phase) {
    const CheckRequest request{cube, 3, nodes({root}),
                               broadcast(cube.topology(), node_id(root)).destinations};
    return CheckedPart{schedule, request, phase};
  };
  EXPECT_FALSE(check_together({part(first, 0, 0), part(second, 6, 0)}).ok());
  EXPECT_TRUE(check_together({part(first, 0, 0), part(second, 6, 2)}).ok());
}

TEST(WormCheck, SaysWhoseProgramIsInAnotherOrder) {
  const auto report = report_on("hypercube:3", schedule_of({{0, 1, 1, 1}, {0, 2, 2, 0}}), {1, 2});

  EXPECT_THAT(
      report.order_note,
      HasSubstr(
          "1 of them is not in the order of the steps: node 0 sends to 2 (step 2) before 1 (step 1)"));
}

}  // namespace
}  // namespace allport
