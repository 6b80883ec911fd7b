// SPDX-License-Identifier: Apache-2.0
// The check on schedules that are large, or that nobody would plan.
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

  EXPECT_EQ(report.stepwise.violations, 4950U);
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

// n unicasts over one channel are n(n-1)/2 pairs: counted, not visited.
TEST(ScheduleCheckLimits, CountsHundredsOfMillionsOfPairs) {
  std::vector<Line> lines;
  for (int i = 0; i < 50000; ++i) lines.push_back({0, 1, 1 + i % 5, i});

  const auto report = report_on("hypercube:4", schedule_of(lines), {1});

  EXPECT_EQ(report.stepwise.violations, 5U * (10000U * 9999U / 2));
  EXPECT_EQ(report.theorem1.violations, report.stepwise.violations);
  EXPECT_EQ(report.definition4.violations, report.stepwise.violations);
}

TEST(ScheduleCheckLimits, RefusesRoutesThatItsIndexCannotHold) {
  std::vector<Line> lines;
  for (int i = 0; i < 1025; ++i) lines.push_back({0, 131072, 1 + i, i});

  EXPECT_EQ(complaint_of([&] { report_on("ring:262144", schedule_of(lines), {131072}); }),
            "the routes of the schedule have 134348800 hops in all, the limit of the check is "
            "134217728");
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
      EXPECT_GE(report.theorem1.violations, report.definition4.violations);
      EXPECT_GE(report.definition4.violations, report.stepwise.violations);
    }
  }
}

}  // namespace
}  // namespace allport
