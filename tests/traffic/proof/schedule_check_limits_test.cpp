// SPDX-License-Identifier: Apache-2.0
// The check is tested on schedules that are large, or that nobody would plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rtl_model/base/split_mix.h"
#include "tests/traffic/algorithms/planning.h"
#include "tests/traffic/proof/literal_contention.h"

namespace allport {
namespace {

using testing::HasSubstr;

TEST(ScheduleCheckLimits, ListsTenOfMany) {
  std::vector<Line> lines;
  for (int i = 0; i < 100; ++i) lines.push_back({0, 1, 1, i});

  const auto report = report_on("hypercube:2", schedule_of(lines), {1, 2});

  EXPECT_EQ(report.stepwise.violations, 1000U);  // of 4950
  EXPECT_TRUE(report.stepwise.is_truncated);
  EXPECT_EQ(report.stepwise.pairs.size(), 10U);
  EXPECT_EQ(report.stepwise.pairs[9].b, 10U);
  EXPECT_EQ(report.port_rule.violations, 99U);
  EXPECT_EQ(report.port_rule.first.size(), 10U);
  EXPECT_THAT(report.exactly_once.first.at(0), HasSubstr("node 1 receives 100 times: from 0"));
}

TEST(ScheduleCheckLimits, ATwelveCubeTakesNoTime) {
  const Routing cube = routing_on("hypercube:12");
  const Multicast goal = broadcast(cube.topology(), node_id(0));
  for (const char* algorithm : {"separate", "ucube", "sbt", "wsort", "maxport", "combine"}) {
    EXPECT_TRUE(checked(planned(algorithm, cube, goal), cube, goal).ok()) << algorithm;
  }
}

// n unicasts over one channel form n(n-1)/2 pairs: the check looks only at as many as it counts.
TEST(ScheduleCheckLimits, StopsCountingAtTheLimit) {
  std::vector<Line> lines;
  for (int i = 0; i < 50000; ++i) lines.push_back({0, 1, 1 + i % 5, i});
  const Routing cube = routing_on("hypercube:4");
  CheckRequest request{cube, 4, nodes({0}), nodes({1})};

  for (const std::size_t limit : {std::size_t{7}, std::size_t{1000}, std::size_t{100000}}) {
    request.limits.max_violations = limit;
    const auto report = check_schedule(schedule_of(lines), request);
    for (const Finding* finding : {&report.stepwise, &report.definition4, &report.theorem1}) {
      EXPECT_EQ(finding->violations, limit);
      EXPECT_TRUE(finding->is_truncated);
      EXPECT_EQ(finding->pairs.size(), std::min<std::size_t>(limit, 10));
    }
  }
}

TEST(ScheduleCheckLimits, CountsAllWhereTheyAreNoMoreThanTheLimit) {
  std::vector<Line> lines;
  for (int i = 0; i < 45; ++i) lines.push_back({0, 1, 1, i});
  const Routing cube = routing_on("hypercube:4");
  CheckRequest request{cube, 4, nodes({0}), nodes({1})};

  request.limits.max_violations = 990;
  EXPECT_EQ(check_schedule(schedule_of(lines), request).theorem1.violations, 990U);
  EXPECT_FALSE(check_schedule(schedule_of(lines), request).theorem1.is_truncated);
  request.limits.max_violations = 989;
  EXPECT_EQ(check_schedule(schedule_of(lines), request).theorem1.violations, 989U);
  EXPECT_TRUE(check_schedule(schedule_of(lines), request).theorem1.is_truncated);
}

// A million messages of two senders over common channels, all in order: proved, not pair by pair.
TEST(ScheduleCheckLimits, ProvesLongQueuesInNoTime) {
  const Routing ring = routing_on("ring:8");
  const int rounds = 250000;
  Schedule schedule;
  for (int i = 0; i < rounds; ++i) {
    Unicast sum{node_id(0), node_id(3), 1 + i, i};
    schedule.unicasts.push_back(sum);
  }
  schedule.unicasts.push_back({node_id(3), node_id(4), 2 + rounds, 0});
  const auto report = check_schedule(schedule, {ring, 2, nodes({0}), nodes({3, 4})});

  EXPECT_TRUE(report.theorem1.ok());
  EXPECT_TRUE(report.stepwise.ok());
}

TEST(ScheduleCheckLimits, GivesUpWhenItIsAskedTo) {
  const Routing cube = routing_on("hypercube:6");
  const Multicast goal = broadcast(cube.topology(), node_id(0));
  const Schedule schedule = planned("separate", cube, goal);
  const std::atomic<bool> stop{true};
  CheckRequest request{cube, 6, {goal.source}, goal.destinations};
  request.limits.stop = &stop;

  EXPECT_THROW(check_schedule(schedule, request), Stopped);
}

TEST(ScheduleCheckLimits, RefusesRoutesThatItsIndexCannotHold) {
  std::vector<Line> lines;
  for (int i = 0; i < 1025; ++i) lines.push_back({0, 131072, 1 + i, i});

  EXPECT_EQ(
      complaint_of([&] { report_on("ring:262144", schedule_of(lines), {131072}); }),
      "the routes of the schedule have 134348800 hops in all, but the limit of the check is 134217728");
}

Schedule hostile_schedule(std::uint64_t seed, std::size_t size, std::size_t node_count) {
  SplitMix64 dice(seed);
  Schedule schedule;
  for (std::size_t i = 0; i < size; ++i) {
    Unicast unicast;
    unicast.u = node_id(dice.next() % (node_count + 2));
    unicast.v = node_id(dice.next() % (node_count + 2));
    unicast.step = dice.next() % 9 == 0 ? 2147483647 : static_cast<StepIndex>(1 + dice.next() % 6);
    unicast.order = static_cast<int>(dice.next() % 4);
    if (dice.next() % 8 == 0) unicast.displacement = {-2, 1};
    schedule.unicasts.push_back(unicast);
  }
  schedule.sort();
  return schedule;
}

// Whatever the causality of a schedule, its channels are shared or not.
TEST(ScheduleCheckLimits, SurvivesHostileSchedules) {
  for (const char* shape : {"hypercube:3", "torus:4x4", "ring:6"}) {
    const Routing routing = routing_on(shape);
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      SCOPED_TRACE(std::string(shape) + " seed " + std::to_string(seed));
      const Schedule schedule =
          hostile_schedule(seed, 1 + seed % 60, routing.topology().node_count());
      Schedule valid;
      for (const Unicast& unicast : schedule.unicasts) {
        if (route_fault(unicast, routing).empty()) valid.unicasts.push_back(unicast);
      }

      const auto report = report_on(shape, schedule, {1, 2, 3});

      EXPECT_EQ(report.routes_valid.violations, schedule.unicasts.size() - valid.unicasts.size());
      EXPECT_EQ(report.stepwise.violations, literal_contention(valid, routing).stepwise.size());
      EXPECT_GE(report.theorem1.violations, report.stepwise.violations);
      EXPECT_GE(report.definition4.violations, report.stepwise.violations);
    }
  }
}

}  // namespace
}  // namespace allport
