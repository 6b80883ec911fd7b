// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

TEST(Sbt, BroadcastsInTheTextbookStepsOnOnePort) {
  for (int n = 1; n <= 8; ++n) {
    const Routing cube = routing_on("hypercube:" + std::to_string(n));
    const Multicast goal = broadcast(cube.topology(), node_id(0));

    const Schedule schedule = planned("sbt", cube, goal, 1);

    EXPECT_EQ(schedule.steps(), n);
    for (const Unicast& unicast : schedule.unicasts) {
      // In step s every informed node sends over dimension n - s.
      EXPECT_EQ(index(unicast.u) ^ index(unicast.v), std::size_t{1} << (n - unicast.step));
    }
    EXPECT_TRUE(checked(schedule, cube, goal, 1).ok());
  }
}

TEST(Sbt, AscendingSendsOverTheLowestDimensionFirst) {
  const Routing cube = ascending_on("hypercube:4");
  const Schedule schedule = planned("sbt", cube, broadcast(cube.topology(), node_id(6)), 1);
  for (const Unicast& unicast : schedule.unicasts) {
    EXPECT_EQ(index(unicast.u) ^ index(unicast.v), std::size_t{1} << (unicast.step - 1));
  }
}

TEST(Sbt, OnAllPortsEverybodyHearsInTheStepOfItsDepth) {
  const Routing cube = routing_on("hypercube:6");
  for (const Unicast& unicast :
       planned("sbt", cube, broadcast(cube.topology(), node_id(21))).unicasts) {
    EXPECT_EQ(unicast.step, cube.distance(node_id(21), unicast.v));
    EXPECT_EQ(cube.distance(unicast.u, unicast.v), 1);
  }
}

TEST(Sbt, KeepsTheAncestorsOfTheDestinationsOnlyAndSaysWhoRelays) {
  const Routing cube = routing_on("hypercube:4");
  const Multicast goal = multicast(cube.topology(), node_id(0), nodes({7, 12}));

  const Schedule schedule = planned("sbt", cube, goal);

  EXPECT_EQ(printed(schedule), "(0,8,1) (0,4,1) (4,6,2) (8,12,2) (6,7,3)");
  EXPECT_THAT(relays(schedule, goal), testing::ElementsAre(node_id(4), node_id(6), node_id(8)));
  EXPECT_TRUE(checked(schedule, cube, goal).ok());
}

}  // namespace
}  // namespace allport
