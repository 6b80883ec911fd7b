// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

TEST(Hamiltonian, FollowsTheReflectedGrayCode) {
  const Routing cube = routing_on("hypercube:3");

  EXPECT_EQ(printed(planned("hamiltonian", cube, broadcast(cube.topology(), node_id(0)))),
            "(0,1,1) (1,3,2) (3,2,3) (2,6,4) (6,7,5) (7,5,6) (5,4,7)");
}

TEST(Hamiltonian, VisitsEverybodyOnceOverNeighboursFromAnySourceInBothOrders) {
  for (int n = 1; n <= 8; ++n) {
    const std::string shape = "hypercube:" + std::to_string(n);
    for (const Routing& cube : {routing_on(shape), ascending_on(shape)}) {
      for (std::size_t source = 0; source < cube.topology().node_count(); ++source) {
        const Multicast goal = broadcast(cube.topology(), node_id(source));
        const Schedule schedule = planned("hamiltonian", cube, goal);
        EXPECT_TRUE(checked(schedule, cube, goal).ok()) << shape << " from " << source;
        for (std::size_t i = 0; i < schedule.unicasts.size(); ++i) {
          EXPECT_EQ(index(schedule.unicasts[i].u), source ^ i ^ i >> 1);
          EXPECT_EQ(cube.distance(schedule.unicasts[i].u, schedule.unicasts[i].v), 1);
        }
      }
    }
  }
}

TEST(Hamiltonian, IsForHypercubesOnly) {
  const Routing ring = routing_on("ring:8");
  EXPECT_THAT(
      complaint_of([&] { planned("hamiltonian", ring, broadcast(ring.topology(), node_id(0))); }),
      testing::StartsWith(
          "algorithm hamiltonian is for hypercubes; ring:8 is not one, for which there are separate, utorus, tree, "));
}

}  // namespace
}  // namespace allport
