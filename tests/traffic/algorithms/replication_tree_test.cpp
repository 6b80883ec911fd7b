// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using Edge = std::pair<NodeId, NodeId>;

TEST(ReplicationTree, IsTheUnionOfTheRoutesFromTheSource) {
  for (const Routing& cube : {routing_on("hypercube:6"), ascending_on("hypercube:6")}) {
    for (const std::size_t source : {0U, 37U}) {
      std::set<Edge> expected;
      for (std::size_t to = 0; to < 64; ++to) {
        for (const Channel channel : cube.path(node_id(source), node_id(to))) {
          expected.emplace(channel.node, *cube.topology().neighbour(channel.node, channel.port));
        }
      }

      const Schedule tree = planned("tree", cube, broadcast(cube.topology(), node_id(source)));

      std::set<Edge> edges;
      for (const Unicast& unicast : tree.unicasts) edges.emplace(unicast.u, unicast.v);
      EXPECT_EQ(edges, expected);
      EXPECT_EQ(tree.unicasts.size(), 63U);
    }
  }
}

TEST(ReplicationTree, TheStepIsTheDepth) {
  const Routing cube = routing_on("hypercube:6");
  const Schedule tree = planned("tree", cube, broadcast(cube.topology(), node_id(9)));
  for (const Unicast& unicast : tree.unicasts) {
    EXPECT_EQ(unicast.step, cube.distance(node_id(9), unicast.v));
  }
  EXPECT_EQ(tree.steps(), 6);
}

TEST(ReplicationTree, BranchesAreCountedByPort) {
  const Routing cube = routing_on("hypercube:3");
  const Routing mirrored = ascending_on("hypercube:3");

  EXPECT_EQ(printed(planned("tree", cube, broadcast(cube.topology(), node_id(0)))),
            "(0,1,1) (0,2,1) (0,4,1) (2,3,2) (4,5,2) (4,6,2) (6,7,3)");
  EXPECT_EQ(printed(planned("tree", mirrored, broadcast(cube.topology(), node_id(0)))),
            "(0,4,1) (0,2,1) (0,1,1) (1,5,2) (1,3,2) (2,6,2) (3,7,3)");
}

// As unicasts its edges are a causal, contention-free schedule as well.
TEST(ReplicationTree, ItsEdgesPassTheCheck) {
  const Routing cube = routing_on("hypercube:7");
  const Multicast goal = broadcast(cube.topology(), node_id(100));

  EXPECT_TRUE(checked(planned("tree", cube, goal), cube, goal).ok());
}

TEST(ReplicationTree, IsABroadcastOnly) {
  const Routing cube = routing_on("hypercube:3");
  const Multicast goal = multicast(cube.topology(), node_id(0), nodes({1, 2}));

  EXPECT_EQ(complaint_of([&] { planned("tree", cube, goal); }),
            "algorithm tree is a broadcast: it takes the destinations 'all' only");
}

}  // namespace
}  // namespace allport
