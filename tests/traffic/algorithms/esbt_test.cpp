// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

// The edges of a tree, `step: u>v u>v`, in the order of its steps.
std::string tree_of(const Schedule& schedule, BlockId tree) {
  std::string text;
  StepIndex step = 0;
  for (const Unicast& unicast : schedule.unicasts) {
    if (unicast.blocks.front() != tree) continue;
    if (unicast.step != step) text += (step > 0 ? "; " : "") + std::to_string(unicast.step) + ":";
    step = unicast.step;
    text += " " + std::to_string(index(unicast.u)) + ">" + std::to_string(index(unicast.v));
  }
  return text;
}

// docs/collectives.md, section 2.
TEST(Esbt, HasTheTreesOfTheThreeCube) {
  const Routing cube = routing_on("hypercube:3");
  const Schedule schedule = planned("esbt", cube, broadcast(cube.topology(), node_id(0)));

  EXPECT_EQ(tree_of(schedule, 0), "1: 0>1; 2: 1>3 1>5; 3: 3>7 3>2 5>4; 4: 7>6");
  EXPECT_EQ(tree_of(schedule, 1), "1: 0>2; 2: 2>6 2>3; 3: 3>1 6>7 6>4; 4: 7>5");
  EXPECT_EQ(tree_of(schedule, 2), "1: 0>4; 2: 4>5 4>6; 3: 5>7 5>1 6>2; 4: 7>3");
}

TEST(Esbt, UsesEveryChannelThatDoesNotLeadToTheSourceOnce) {
  for (int n = 1; n <= 8; ++n) {
    const std::string shape = "hypercube:" + std::to_string(n);
    for (const Routing& cube : {routing_on(shape), ascending_on(shape)}) {
      const Topology& topology = cube.topology();
      const NodeId source = node_id(topology.node_count() * 2 / 3);
      const Schedule schedule = planned("esbt", cube, broadcast(topology, source));

      std::set<std::pair<NodeId, NodeId>> used;
      for (const Unicast& unicast : schedule.unicasts) {
        EXPECT_EQ(cube.distance(unicast.u, unicast.v), 1) << shape;
        EXPECT_FALSE(unicast.v == source) << shape;
        EXPECT_TRUE(used.insert({unicast.u, unicast.v}).second) << shape;
      }
      const std::size_t trees = topology.dimension_count();
      EXPECT_EQ(used.size(), trees * (topology.node_count() - 1)) << shape;
      EXPECT_EQ(schedule.steps(), n == 1 ? 1 : n + 1) << shape;
      const Collective goal(topology.node_count(), broadcast(topology, source), trees);
      EXPECT_TRUE(check_schedule(schedule, {cube, n, {}, {}, &goal}).ok()) << shape;
    }
  }
}

}  // namespace
}  // namespace allport
