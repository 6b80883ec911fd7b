// SPDX-License-Identifier: Apache-2.0
// These tests check the count on which the claims on stepwise freedom rest.
#include "testbench/studies/reproduce/papers/hou/stepwise.h"

#include <gtest/gtest.h>

#include "traffic/algorithms/algorithms.h"
#include "traffic/algorithms/torus_rounds.h"
#include "traffic/proof/schedule_check.h"

namespace allport::test {
namespace {

// It finds a channel used twice exactly where the checker finds a pair of messages.
TEST(Stepwise, ChannelsUsedTwiceArePairsOfTheChecker) {
  int shared = 0;
  for (const int side : {2, 4, 8, 16}) {
    const Routing routing = square_torus(side);
    const Multicast goal = broadcast(routing.topology(), node_id(1));
    for (const char* algorithm : {"dcf", "zblock", "edn", "far-then-near", "tseng", "utorus"}) {
      for (const bool has_ways : {true, false}) {
        Schedule schedule = plan(find_algorithm(algorithm), {routing, 4, goal});
        // Without their displacements, messages half around all go in the + direction.
        for (Unicast& one : schedule.unicasts) {
          if (!has_ways) one.displacement = {};
        }
        const ScheduleReport report =
            check_schedule(schedule, {routing, 4, {goal.source}, goal.destinations});
        EXPECT_EQ(shared_in_a_step(schedule, routing) == 0, report.stepwise.ok())
            << algorithm << " on " << side;
        if (!report.stepwise.ok()) ++shared;
      }
    }
  }
  EXPECT_GT(shared, 4);
}

TEST(Stepwise, TheoremAndCorollaryHoldAndTsengsPlanIsNoTestOfTseng) {
  const Claims claims = stepwise_claims();
  ASSERT_EQ(claims.size(), 3U);
  EXPECT_EQ(claims[0].outcome, Outcome::holds);
  EXPECT_EQ(claims[1].outcome, Outcome::holds);
  EXPECT_EQ(claims[2].outcome, Outcome::not_tested);
}

}  // namespace
}  // namespace allport::test
