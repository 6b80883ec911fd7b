// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/theory/timing_model.h"

namespace allport {
namespace {

Schedule plan_from(std::size_t source, const Routing& cube, int ports) {
  return planned("binary-tree", cube, broadcast(cube.topology(), node_id(source)), ports);
}

TEST(BinaryTree, PlansTheThreeCube) {
  const Routing cube = routing_on("hypercube:3");

  EXPECT_EQ(printed(plan_from(0, cube, 3)),
            "(0,6,1) (0,2,1) (0,4,2) (2,1,2) (2,3,2) (6,5,2) (6,7,2)");
}

TEST(BinaryTree, ReachesEverybodyOnceWithoutContentionForAnySourceOrderAndPorts) {
  for (int n = 1; n <= 7; ++n) {
    const std::string shape = "hypercube:" + std::to_string(n);
    for (const Routing& cube : {routing_on(shape), ascending_on(shape)}) {
      for (std::size_t source = 0; source < cube.topology().node_count(); ++source) {
        const Multicast goal = broadcast(cube.topology(), node_id(source));
        for (const int ports : {1, (n + 1) / 2, n}) {
          const ScheduleReport report = checked(plan_from(source, cube, ports), cube, goal, ports);
          EXPECT_TRUE(report.ok()) << shape << " from " << source << ", ports " << ports;
        }
      }
    }
  }
}

TEST(BinaryTree, NeedsItsDepthInSteps) {
  for (int n = 1; n <= 12; ++n) {
    const Routing cube = routing_on("hypercube:" + std::to_string(n));
    EXPECT_EQ(plan_from(1, cube, n).steps(), n <= 2 ? n : n - 1) << n;
  }
}

// A left child is two hops away, a right child one, and no channel serves two edges of the tree;
// the root alone has a third child, over the first channel of its left one.
TEST(BinaryTree, HasDilationTwoAndNoSharedChannel) {
  for (int n = 2; n <= 10; ++n) {
    const Routing cube = routing_on("hypercube:" + std::to_string(n));
    std::set<std::pair<std::size_t, std::size_t>> channels;
    std::size_t hops = 0;
    for (const Unicast& unicast : plan_from(0, cube, n).unicasts) {
      const bool is_third = unicast.order == 2;
      EXPECT_EQ(cube.distance(unicast.u, unicast.v), unicast.order == 0 ? 2 : 1);
      EXPECT_EQ(is_third, index(unicast.v) == std::size_t{1} << (n - 1));
      if (is_third) continue;
      for (const Channel channel : cube.path(unicast.u, unicast.v)) {
        channels.emplace(index(channel.node), index(channel.port));
        ++hops;
      }
    }
    EXPECT_EQ(channels.size(), hops);
    EXPECT_EQ(hops, 3 * ((std::size_t{1} << (n - 1)) - 1));
  }
}

// For n >= 3 the slower child decides at every level: the left one is prepared first, the right one
// is nearer.
TEST(BinaryTree, TakesTheSlowerChildAtEveryLevel) {
  for (int n = 3; n <= 9; ++n) {
    const Routing cube = routing_on("hypercube:" + std::to_string(n));
    for (const Cycle ts : {0, 1, 200}) {
      const auto latency = predicted_latency(plan_from(0, cube, n), cube, nodes({0}), {ts, 5, 64});
      EXPECT_EQ(*std::max_element(latency.begin(), latency.end()),
                (n - 1) * (std::max(ts + 2, 2 * ts + 1) + 64 + 5));
    }
  }
}

}  // namespace
}  // namespace allport
