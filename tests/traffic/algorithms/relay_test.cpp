// SPDX-License-Identifier: Apache-2.0
// Relays by processors and by routers: figure 3(a) and (b) of [Robinson93], and what holds for all
// sets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/support/draw.h"
#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

Multicast example(const Routing& cube) {
  return multicast(cube.topology(), node_id(0), nodes({1, 3, 5, 7, 11, 12, 14, 15}));
}

TEST(Relay, IsTheTreeOfTheFigure) {
  const Routing cube = routing_on("hypercube:4");
  const Multicast goal = example(cube);
  const Schedule schedule = planned("relay", cube, goal, 1);

  EXPECT_EQ(
      printed(schedule),
      "(0,8,1) (0,4,2) (8,10,2) (0,2,3) (4,6,3) (8,12,3) (10,14,3) (0,1,4) (2,3,4) (4,5,4) (6,7,4) (10,11,4) (14,15,4)");
  EXPECT_THAT(relays(schedule, goal), testing::ElementsAreArray(nodes({2, 4, 6, 8, 10})));
  EXPECT_TRUE(checked(schedule, cube, goal, 1).ok());
}

TEST(Relay, RoutersPassWhatHasOneSuccessor) {
  const Routing cube = routing_on("hypercube:4");
  const Multicast goal = example(cube);
  const Schedule schedule = planned("relay-routers", cube, goal, 1);

  EXPECT_EQ(
      printed(schedule),
      "(0,8,1) (0,4,2) (8,10,2) (0,3,3) (4,7,3) (8,12,3) (10,14,3) (0,1,4) (4,5,4) (10,11,4) (14,15,4)");
  EXPECT_THAT(relays(schedule, goal), testing::ElementsAreArray(nodes({4, 8, 10})));
  EXPECT_TRUE(checked(schedule, cube, goal, 1).ok());
}

TEST(Relay, OfABroadcastIsTheBinomialTree) {
  for (const char* algorithm : {"relay", "relay-routers"}) {
    for (const bool is_ascending : {false, true}) {
      const Routing cube = is_ascending ? ascending_on("hypercube:5") : routing_on("hypercube:5");
      const Multicast goal = broadcast(cube.topology(), node_id(13));
      for (const int ports : {1, 5}) {
        EXPECT_EQ(printed(planned(algorithm, cube, goal, ports)),
                  printed(planned("sbt", cube, goal, ports)));
      }
    }
  }
}

// The tree is the same; only messages that pass relays are longer, over the same channels.
TEST(Relay, UsesTheSameChannelsOnceWhoeverRelays) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    test::Draw draw(seed);
    const std::string shape = "hypercube:" + std::to_string(1 + draw.below(7));
    const Routing cube = draw.below(2) == 0 ? routing_on(shape) : ascending_on(shape);
    const std::size_t count = cube.topology().node_count();
    const auto source = static_cast<std::size_t>(draw.below(static_cast<int>(count)));
    std::vector<NodeId> set;
    for (const std::size_t one : draw.subset(
             count - 1, 1 + static_cast<std::size_t>(draw.below(static_cast<int>(count) - 1)))) {
      set.push_back(node_id((one + 1) ^ source));
    }
    const Multicast goal = multicast(cube.topology(), node_id(source), set);
    std::map<std::string, std::multiset<std::pair<std::size_t, std::size_t>>> used;
    for (const std::string algorithm : {"relay", "relay-routers"}) {
      const Schedule schedule = planned(algorithm, cube, goal);
      for (const Unicast& one : schedule.unicasts) {
        for (const Channel& channel : channels(one, cube)) {
          used[algorithm].emplace(index(channel.node), index(channel.port));
        }
        if (algorithm == "relay") {
          EXPECT_EQ(cube.distance(one.u, one.v), 1);
        }
      }
    }
    EXPECT_EQ(used["relay"], used["relay-routers"]) << "seed " << seed;
    const std::set<std::pair<std::size_t, std::size_t>> once(used["relay"].begin(),
                                                             used["relay"].end());
    EXPECT_EQ(once.size(), used["relay"].size()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace allport
