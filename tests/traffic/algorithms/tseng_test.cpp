// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/algorithms/interval_cut.h"

namespace allport {
namespace {

std::string shape_of(int width, int height) {
  return "torus:" + std::to_string(width) + "x" + std::to_string(height);
}

// [Tseng97]: n x n in 2 ceil(log5 n) + 1 steps; for shorter a and longer side b
// ceil(log5 a) + ceil(log5(a/2)) + ceil(log5(b/a)) + 2, one more if a is odd.
int published_steps(int width, int height) {
  const int a = std::min(width, height);
  const int b = std::max(width, height);
  if (a == b) return 2 * ceil_logarithm(5, a) + 1;
  return ceil_logarithm(5, a) + ceil_logarithm(5, (a + 1) / 2) +
         ceil_logarithm(5, (b + a - 1) / a) + 2 + a % 2;
}

Schedule plan_from(std::size_t source, const Routing& torus) {
  return planned("tseng", torus, broadcast(torus.topology(), node_id(source)));
}

// Everything but depth contention-freedom, which is not claimed.
void expect_sound(const Schedule& schedule, const Routing& torus, std::size_t source) {
  const ScheduleReport report =
      checked(schedule, torus, broadcast(torus.topology(), node_id(source)));
  const std::string where = torus.topology().name() + " from " + std::to_string(source);
  EXPECT_TRUE(report.exactly_once.ok()) << where;
  EXPECT_TRUE(report.causality.ok()) << where;
  EXPECT_TRUE(report.port_rule.ok()) << where;
  EXPECT_TRUE(report.routes_valid.ok()) << where;
  EXPECT_TRUE(report.stepwise.ok()) << where;
}

TEST(Tseng, HasTheStepsOfTheTable) {
  constexpr std::array sides{4, 5, 8, 10, 16, 25, 32};
  constexpr std::array<std::array<int, 7>, 7> steps{{{3, 4, 4, 5, 4, 5, 5},
                                                     {4, 3, 4, 4, 5, 4, 5},
                                                     {3, 4, 5, 4, 5, 5, 5},
                                                     {4, 3, 4, 5, 5, 5, 5},
                                                     {4, 4, 4, 4, 5, 6, 6},
                                                     {5, 4, 5, 5, 6, 5, 6},
                                                     {4, 5, 5, 5, 5, 6, 7}}};
  for (std::size_t w = 0; w < sides.size(); ++w) {
    for (std::size_t h = 0; h < sides.size(); ++h) {
      const Routing torus = routing_on(shape_of(sides[w], sides[h]));
      EXPECT_EQ(plan_from(0, torus).steps(), steps[w][h]) << torus.topology().name();
    }
  }
}

TEST(Tseng, SquaresNeedExactlyThePublishedSteps) {
  for (int side = 2; side <= 40; ++side) {
    const Routing torus = routing_on(shape_of(side, side));
    const Schedule schedule = plan_from(0, torus);
    EXPECT_EQ(schedule.steps(), published_steps(side, side)) << side;
    expect_sound(schedule, torus, 0);
  }
}

TEST(Tseng, IsSoundAndNotSlowerThanPublishedOnAllShapesUpToTwenty) {
  std::mt19937 generator(7);
  for (int width = 2; width <= 20; ++width) {
    for (int height = 2; height <= 20; ++height) {
      const Routing torus = routing_on(shape_of(width, height));
      const std::size_t source = generator() % torus.topology().node_count();
      const Schedule schedule = plan_from(source, torus);
      EXPECT_LE(schedule.steps(), published_steps(width, height)) << torus.topology().name();
      expect_sound(schedule, torus, source);
    }
  }
}

TEST(Tseng, IsNotSlowerThanPublishedOnAllShapesUpToForty) {
  std::mt19937 generator(8);
  for (int width = 2; width <= 40; ++width) {
    for (int height = 21; height <= 40; ++height) {
      for (const auto& [w, h] : {std::pair(width, height), std::pair(height, width)}) {
        const Routing torus = routing_on(shape_of(w, h));
        const std::size_t source = generator() % torus.topology().node_count();
        const Schedule schedule = plan_from(source, torus);
        EXPECT_LE(schedule.steps(), published_steps(w, h)) << torus.topology().name();
        if (generator() % 8 == 0) expect_sound(schedule, torus, source);
      }
    }
  }
}

TEST(Tseng, IsSoundOnLongAndOnLargeShapes) {
  for (const auto& [width, height] :
       {std::pair(3, 200), std::pair(200, 3), std::pair(500, 4), std::pair(4, 500),
        std::pair(2, 333), std::pair(333, 2), std::pair(64, 63), std::pair(101, 40)}) {
    const Routing torus = routing_on(shape_of(width, height));
    const Schedule schedule = plan_from(7, torus);
    EXPECT_LE(schedule.steps(), published_steps(width, height)) << torus.topology().name();
    expect_sound(schedule, torus, 7);
  }
}

TEST(Tseng, IsNotDepthContentionFreeInGeneral) {
  for (const char* shape : {"torus:9x9", "torus:8x11", "torus:25x25"}) {
    const Routing torus = routing_on(shape);
    const Multicast goal = broadcast(torus.topology(), node_id(0));
    EXPECT_FALSE(checked(plan_from(0, torus), torus, goal).theorem1.ok()) << shape;
  }
}

TEST(Tseng, IsForFlatToriOnly) {
  for (const char* shape : {"torus:8", "torus:4x4x4", "mesh:4x4", "ring:4", "hypercube:4"}) {
    const Routing routing = routing_on(shape);
    EXPECT_EQ(
        complaint_of([&] { planned("tseng", routing, broadcast(routing.topology(), node_id(0))); })
            .find("algorithm tseng is for two-dimensional tori; " + std::string(shape) +
                  " is not one, for which there are "),
        0U);
  }
}

}  // namespace
}  // namespace allport
