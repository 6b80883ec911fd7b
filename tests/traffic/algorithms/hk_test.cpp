// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

constexpr std::array steps_of{1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6};
constexpr std::array beta_of{1, 2, 4, 5, 9, 11, 12, 17, 20, 22, 28, 32, 35, 42};
constexpr std::array lower_bound_of{1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4};

// The sum over the steps of the longest route.
int beta(const Schedule& schedule, const Routing& cube) {
  std::vector<int> longest(static_cast<std::size_t>(schedule.steps()) + 1);
  for (const Unicast& unicast : schedule.unicasts) {
    int& hops = longest[static_cast<std::size_t>(unicast.step)];
    hops = std::max(hops, cube.distance(unicast.u, unicast.v));
  }
  int sum = 0;
  for (const int hops : longest) sum += hops;
  return sum;
}

// The half without the source, by the dimension corrected first, gains one message per informed
// node of the source's half and step: (n+1)^t - (n-1)^t >= 2^n.
int fewest_steps(int n) {
  int steps = 0;
  for (long long more = 1, fewer = 1; more - fewer < 1LL << n; ++steps) {
    more *= n + 1;
    fewer *= n - 1;
  }
  return steps;
}

TEST(Hk, PlansThePathAndItsPartsOfTheThreeCube) {
  const Routing cube = routing_on("hypercube:3");

  EXPECT_EQ(printed(planned("hk", cube, broadcast(cube.topology(), node_id(0)))),
            "(0,7,1) (0,3,1) (0,1,1) (0,4,2) (1,5,2) (3,2,2) (7,6,2)");
}

TEST(Hk, PlansTheTwoStepTablesOfTheTwoAndTheFourCube) {
  const Routing two = routing_on("hypercube:2");
  EXPECT_EQ(printed(planned("hk", two, broadcast(two.topology(), node_id(0)))),
            "(0,2,1) (0,1,1) (1,3,2)");

  const Routing four = routing_on("hypercube:4");
  EXPECT_EQ(
      printed(planned("hk", four, broadcast(four.topology(), node_id(0)))),
      "(0,15,1) (0,4,1) (0,2,1) (0,1,1) (0,8,2) (1,9,2) (1,3,2) (2,10,2) (2,6,2) (4,12,2) (4,5,2) (15,7,2) (15,11,2) (15,13,2) (15,14,2)");
}

TEST(Hk, HasTheStepsAndTheHopsOfThePaperFromAnySourceInBothOrders) {
  std::mt19937 generator(5);
  for (int n = 1; n <= 14; ++n) {
    const auto i = static_cast<std::size_t>(n) - 1;
    const std::string shape = "hypercube:" + std::to_string(n);
    for (const Routing& cube : {routing_on(shape), ascending_on(shape)}) {
      const Multicast goal =
          broadcast(cube.topology(), node_id(generator() % cube.topology().node_count()));

      const Schedule schedule = planned("hk", cube, goal);

      EXPECT_EQ(schedule.steps(), steps_of[i]) << shape;
      EXPECT_EQ(beta(schedule, cube), beta_of[i]) << shape;
    }
  }
}

TEST(Hk, ReachesEverybodyOnceWithoutContention) {
  std::mt19937 generator(6);
  for (int n = 1; n <= 14; ++n) {
    const std::string shape = "hypercube:" + std::to_string(n);
    for (const Routing& cube : {routing_on(shape), ascending_on(shape)}) {
      const std::size_t source = generator() % cube.topology().node_count();
      const Multicast goal = broadcast(cube.topology(), node_id(source));
      EXPECT_TRUE(checked(planned("hk", cube, goal), cube, goal).ok()) << shape << " " << source;
    }
  }
}

TEST(Hk, FromEverySourceOfSmallCubes) {
  for (int n = 1; n <= 6; ++n) {
    const std::string shape = "hypercube:" + std::to_string(n);
    for (const Routing& cube : {routing_on(shape), ascending_on(shape)}) {
      for (std::size_t source = 0; source < cube.topology().node_count(); ++source) {
        const Multicast goal = broadcast(cube.topology(), node_id(source));
        EXPECT_TRUE(checked(planned("hk", cube, goal), cube, goal).ok()) << shape << " " << source;
      }
    }
  }
}

TEST(Hk, IsOptimalUpToSevenDimensionsAndForNineAndTen) {
  for (int n = 1; n <= 14; ++n) {
    const auto i = static_cast<std::size_t>(n) - 1;
    EXPECT_EQ(fewest_steps(n), lower_bound_of[i]) << n;
    EXPECT_EQ(steps_of[i] == lower_bound_of[i], n <= 7 || n == 9 || n == 10) << n;
  }
}

// With fewer ports its steps stay the same, and the check says which node sends twice.
TEST(Hk, BreaksThePortRuleWithFewerPorts) {
  const Routing cube = routing_on("hypercube:4");
  const Multicast goal = broadcast(cube.topology(), node_id(0));

  const ScheduleReport report = checked(planned("hk", cube, goal, 2), cube, goal, 2);

  EXPECT_FALSE(report.port_rule.ok());
  EXPECT_TRUE(report.exactly_once.ok() && report.theorem1.ok());
}

TEST(Hk, IsForHypercubesOnly) {
  const Routing torus = routing_on("torus:4x4");
  EXPECT_EQ(
      complaint_of([&] { planned("hk", torus, broadcast(torus.topology(), node_id(0))); }),
      "algorithm hk is for hypercubes; torus:4x4 is not one, for which there are separate, utorus, tree, dcf, zblock, edn, edn-reading, far-then-near, ..");
}

}  // namespace
}  // namespace allport
