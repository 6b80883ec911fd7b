// SPDX-License-Identifier: Apache-2.0
// Each of the seven checks is seen to fail, on a schedule that is broken only in its way if that is
// possible.
#include "traffic/proof/schedule_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using testing::ElementsAre;

// The names of the checks that failed.
std::vector<std::string> failed(const ScheduleReport& report) {
  std::vector<std::string> names;
  if (!report.exactly_once.ok()) names.emplace_back("exactly_once");
  if (!report.causality.ok()) names.emplace_back("causality");
  if (!report.port_rule.ok()) names.emplace_back("port_rule");
  if (!report.routes_valid.ok()) names.emplace_back("routes_valid");
  if (!report.stepwise.ok()) names.emplace_back("stepwise");
  if (!report.stepwise_vc.ok()) names.emplace_back("stepwise_vc");
  if (!report.definition4.ok()) names.emplace_back("definition4");
  if (!report.theorem1.ok()) names.emplace_back("theorem1");
  EXPECT_EQ(report.ok(), names.empty());
  return names;
}

TEST(ScheduleCheck, AcceptsASoundSchedule) {
  const auto report =
      report_on("hypercube:2", schedule_of({{0, 2, 1}, {0, 1, 1, 1}, {2, 3, 2}}), {1, 2, 3});

  EXPECT_THAT(failed(report), ElementsAre());
}

TEST(ScheduleCheck, RefutesADestinationThatNeverReceives) {
  const auto report = report_on("hypercube:2", schedule_of({{0, 2, 1}, {0, 1, 1, 1}}), {1, 2, 3});

  EXPECT_THAT(failed(report), ElementsAre("exactly_once"));
  EXPECT_THAT(report.exactly_once.first, ElementsAre("node 3, a destination, never receives"));
}

TEST(ScheduleCheck, RefutesANodeThatReceivesTwice) {
  const auto report = report_on(
      "hypercube:2", schedule_of({{0, 2, 1}, {0, 1, 1, 1}, {2, 3, 2}, {1, 3, 2}}), {1, 2, 3});

  EXPECT_THAT(failed(report), ElementsAre("exactly_once"));
  EXPECT_THAT(report.exactly_once.first,
              ElementsAre("node 3 receives 2 times: from 1 in step 2, from 2 in step 2"));
}

TEST(ScheduleCheck, RefutesARelayThatReceivesTwiceAndASourceThatReceives) {
  const auto report = report_on(
      "hypercube:2", schedule_of({{0, 2, 1}, {0, 2, 2, 1}, {2, 3, 3}, {2, 0, 4, 1}}), {3});

  EXPECT_THAT(report.exactly_once.first,
              ElementsAre("node 0, a source, receives 1 time: from 2 in step 4",
                          "node 2 receives 2 times: from 0 in step 1, from 0 in step 2"));
}

TEST(ScheduleCheck, AcceptsRelays) {
  const auto report = report_on("hypercube:2", schedule_of({{0, 2, 1}, {2, 3, 2}}), {3});

  EXPECT_THAT(failed(report), ElementsAre());
}

TEST(ScheduleCheck, RefutesASenderThatHasNotReceivedYet) {
  const auto report =
      report_on("hypercube:2", schedule_of({{0, 2, 1}, {0, 1, 1, 1}, {2, 3, 1}}), {1, 2, 3});

  EXPECT_THAT(failed(report), ElementsAre("causality"));
  EXPECT_THAT(report.causality.first,
              ElementsAre("unicast 2 -> 3 (step 1): node 2 receives only in step 1"));
}

TEST(ScheduleCheck, RefutesASenderThatNeverReceives) {
  const auto report = report_on("hypercube:2", schedule_of({{0, 1, 1}, {2, 3, 2}}), {1, 3});

  EXPECT_THAT(failed(report), ElementsAre("causality"));
  EXPECT_THAT(report.causality.first,
              ElementsAre("unicast 2 -> 3 (step 2): node 2 is not a source and never receives"));
}

TEST(ScheduleCheck, RefutesCyclicCausality) {
  const auto report =
      report_on("hypercube:2", schedule_of({{0, 1, 1}, {2, 3, 2}, {3, 2, 3}}), {1, 2, 3});

  EXPECT_THAT(failed(report), ElementsAre("causality"));
  EXPECT_THAT(report.causality.first,
              ElementsAre("unicast 2 -> 3 (step 2): node 2 receives only in step 3"));
}

TEST(ScheduleCheck, RefutesTwoSendsOnOneInjectionPort) {
  const Routing cube = routing_on("hypercube:3");
  const Schedule schedule = schedule_of({{0, 1, 1}, {0, 2, 1, 1}});
  const CheckRequest all_port{cube, 3, nodes({0}), nodes({1, 2})};
  const CheckRequest one_port{cube, 1, nodes({0}), nodes({1, 2})};

  EXPECT_THAT(failed(check_schedule(schedule, all_port)), ElementsAre());
  const auto report = check_schedule(schedule, one_port);
  EXPECT_THAT(failed(report), ElementsAre("port_rule"));
  EXPECT_THAT(report.port_rule.first,
              ElementsAre("node 0 sends on injection port 0 twice in step 1: to 1 and to 2"));
}

TEST(ScheduleCheck, InjectionPortsAreFirstChannelsModuloTheirNumber) {
  const Routing cube = routing_on("hypercube:3");
  const Schedule schedule = schedule_of({{0, 1, 1}, {0, 2, 1, 1}, {0, 4, 1, 2}});

  const auto report = check_schedule(schedule, {cube, 2, nodes({0}), nodes({1, 2, 4})});

  EXPECT_THAT(report.port_rule.first,
              ElementsAre("node 0 sends on injection port 0 twice in step 1: to 1 and to 4"));
}

TEST(ScheduleCheck, RefutesAMessageToOneself) {
  const auto report = report_on("hypercube:2", schedule_of({{0, 1, 1}, {1, 1, 2}}), {1});

  EXPECT_THAT(failed(report), ElementsAre("routes_valid"));
  EXPECT_THAT(report.routes_valid.first, ElementsAre("unicast 1 -> 1 (step 2): u and v are equal"));
}

TEST(ScheduleCheck, RefutesNodesOutsideTheFabric) {
  const auto report =
      report_on("hypercube:2", schedule_of({{0, 1, 1}, {1, 4, 2}, {4294967295, 3, 3}}), {1});

  EXPECT_THAT(failed(report), ElementsAre("routes_valid"));
  EXPECT_THAT(
      report.routes_valid.first,
      ElementsAre(
          "unicast 1 -> 4 (step 2): node 4 is not one of 0..3 of hypercube:2",
          "unicast 4294967295 -> 3 (step 3): node 4294967295 is not one of 0..3 of hypercube:2"));
}

TEST(ScheduleCheck, RefutesADisplacementThatIsNoMinimalWay) {
  Schedule schedule = schedule_of({{0, 1, 1}, {0, 2, 2, 1}});
  schedule.unicasts[0].displacement = {-3, 0};
  schedule.unicasts[1].displacement = {-2, 0};

  const auto report = report_on("torus:4x4", schedule, {1, 2});

  EXPECT_THAT(failed(report), ElementsAre("routes_valid"));
  EXPECT_THAT(
      report.routes_valid.first,
      ElementsAre(
          "unicast 0 -> 1 (step 1): the displacement (-3, 0) is not a minimal route on torus:4x4"));
}

TEST(ScheduleCheck, RefutesADisplacementOnAHypercube) {
  Schedule schedule = schedule_of({{0, 3, 1}});
  schedule.unicasts[0].displacement = {1, 1};

  EXPECT_THAT(failed(report_on("hypercube:2", schedule, {3})), ElementsAre("routes_valid"));
}

TEST(ScheduleCheck, RefutesTwoUnicastsOfAStepOnOneChannel) {
  // 0 -> 7 and 4 -> 6 both use 4 -> 5 and 5 -> 6.
  const auto report = report_on(
      "mesh:8", schedule_of({{0, 4, 1}, {4, 1, 2}, {0, 7, 2, 1}, {4, 6, 2, 1}}), {1, 4, 6, 7});

  EXPECT_THAT(failed(report), ElementsAre("stepwise", "stepwise_vc", "definition4", "theorem1"));
  ASSERT_EQ(report.stepwise.pairs.size(), 1U);
  EXPECT_EQ(report.stepwise.pairs[0].channel, (Channel{node_id(4), port_id(0)}));
}

// On the ring of eight both pairs share 6 -> 7. 4 -> 7 stays on one side of the wraparound; 6 -> 1
// goes over it and takes the other class of virtual channels before it, as 5 -> 0 does.
TEST(ScheduleCheck, TellsAClassOfVirtualChannelsFromAChannel) {
  const Routing ring = routing_on("ring:8");
  const auto stepwise_on = [&](const Line& other, int vcs) {
    const ScheduleReport report = check_schedule(
        schedule_of({{6, 1, 1}, other}), {ring, 2, nodes({4, 5, 6}), nodes({}), nullptr, {}, vcs});
    EXPECT_EQ(report.stepwise.violations, 1U);
    return report.stepwise_vc;
  };

  EXPECT_TRUE(stepwise_on({4, 7, 1}, 2).ok());
  const Finding same_class = stepwise_on({5, 0, 1}, 2);
  ASSERT_EQ(same_class.pairs.size(), 1U);
  EXPECT_EQ(same_class.pairs[0].channel, (Channel{node_id(6), port_id(0)}));
  EXPECT_EQ(stepwise_on({4, 7, 1}, 1).violations, 1U);
}

// With balanced use 4 -> 7 may take the class p of 6 -> 1, and 0 -> 3 the class h of 7 -> 2.
TEST(ScheduleCheck, ABalancedMessageMayShareTheClassOfEither) {
  const Routing strict = routing_on("ring:8");
  const Routing balanced(strict.shared_topology(), strict.order(), {}, VcUse::balanced);
  const auto shares = [&](const Routing& ring, const Line& one, const Line& other) {
    const ScheduleReport report = check_schedule(
        schedule_of({one, other}), {ring, 2, nodes({0, 4, 5, 6, 7}), nodes({}), nullptr, {}, 2});
    return !report.stepwise_vc.ok();
  };
  EXPECT_FALSE(shares(strict, {6, 1, 1}, {4, 7, 1}));
  EXPECT_TRUE(shares(balanced, {6, 1, 1}, {4, 7, 1}));
  EXPECT_TRUE(shares(balanced, {7, 2, 1}, {0, 3, 1}));
  // On 0 -> 1 the message 5 -> 1 has crossed the wraparound channel, and 0 -> 3 has not.
  EXPECT_TRUE(shares(strict, {5, 1, 1}, {0, 3, 1}));
  EXPECT_TRUE(shares(balanced, {5, 1, 1}, {0, 3, 1}));
}

TEST(ScheduleCheck, RefutesByTheorem1WhatDescendsFromASiblingOfTheSameStep) {
  // 0 -> 11 and 4 -> 10 both use 8 -> 10, and nothing orders the two messages of 0.
  const auto report =
      report_on("hypercube:4", schedule_of({{0, 11, 1}, {0, 4, 1, 1}, {4, 10, 2}}), {4, 10, 11});

  EXPECT_THAT(failed(report), ElementsAre("theorem1"));
  ASSERT_EQ(report.theorem1.pairs.size(), 1U);
  EXPECT_EQ(report.theorem1.pairs[0].channel, (Channel{node_id(8), port_id(1)}));
}

TEST(ScheduleCheck, RefutesByDefinition4WhatDoesNotDescendFromTheSender) {
  const Routing mesh = routing_on("mesh:8");
  const Schedule schedule = schedule_of({{0, 4, 1}, {1, 5, 2}});

  const auto report = check_schedule(schedule, {mesh, 2, nodes({0, 1}), nodes({4, 5})});

  EXPECT_THAT(failed(report), ElementsAre("definition4", "theorem1"));
  ASSERT_EQ(report.definition4.pairs.size(), 1U);
  EXPECT_EQ(report.definition4.pairs[0].a, 0U);
  EXPECT_EQ(report.definition4.pairs[0].b, 1U);
  EXPECT_EQ(report.definition4.pairs[0].channel, (Channel{node_id(1), port_id(0)}));
}

TEST(ScheduleCheck, RefersToUnicastsAsGivenThoughTheyAreNotSorted) {
  Schedule schedule;
  schedule.unicasts = {{node_id(0), node_id(4), 2, 0, MessageKind::unicast, {}},
                       {node_id(1), node_id(5), 1, 0, MessageKind::unicast, {}}};
  const Routing mesh = routing_on("mesh:8");

  const auto report = check_schedule(schedule, {mesh, 2, nodes({0, 1}), nodes({4, 5})});

  ASSERT_EQ(report.theorem1.pairs.size(), 1U);
  EXPECT_EQ(report.theorem1.pairs[0].a, 1U);
  EXPECT_EQ(report.theorem1.pairs[0].b, 0U);
}

TEST(ScheduleCheck, IsForSoundRequestsOnly) {
  const Schedule no_step = schedule_of({{0, 1, 0}});
  const Routing cube = routing_on("hypercube:2");
  const Schedule sound = schedule_of({{0, 1, 1}});

  EXPECT_EQ(complaint_of([&] { report_on("hypercube:2", no_step, {1}); }),
            "unicast 0 -> 1 (step 0): steps are 1, 2, ...");
  EXPECT_EQ(complaint_of([&] {
              check_schedule(sound, {cube, 3, nodes({0}), nodes({1})});
            }),
            "3 internal ports: the number must be 1..2 on hypercube:2");
  EXPECT_EQ(complaint_of([&] {
              check_schedule(sound, {cube, 2, nodes({9}), nodes({1})});
            }),
            "source 9 is not a node of hypercube:2, which has the nodes 0..3");
}

}  // namespace
}  // namespace allport
