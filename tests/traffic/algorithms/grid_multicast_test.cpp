// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "tests/support/draw.h"
#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using test::Draw;

// docs/algorithms.md: the chain 4 (0, 1), 1 (1, 0), 9 (1, 2), 2 (2, 0), 10 (2, 2), 7 (3, 1).

Multicast example(const Routing& routing) {
  return multicast(routing.topology(), node_id(9), nodes({1, 2, 4, 7, 10}));
}

TEST(GridMulticast, HalvesTheChainFromWhereTheSourceIs) {
  const Routing mesh = routing_on("mesh:4x3");
  EXPECT_EQ(printed(planned("umesh", mesh, example(mesh), 1)),
            "(9,2,1) (2,10,2) (9,1,2) (1,4,3) (10,7,3)");
}

TEST(GridMulticast, OnATorusTheChainBeginsWithTheSource) {
  const Routing torus = routing_on("torus:4x3");
  EXPECT_EQ(printed(planned("utorus", torus, example(torus), 1)),
            "(9,7,1) (7,4,2) (9,2,2) (2,10,3) (4,1,3)");
}

int least_steps(std::size_t destinations) {
  int steps = 0;
  while ((std::size_t{1} << steps) < destinations + 1) ++steps;
  return steps;
}

Multicast draw_goal(const Topology& topology, Draw& draw) {
  const std::size_t count = topology.node_count();
  const auto source = static_cast<std::size_t>(draw.below(static_cast<int>(count)));
  const auto size = 1 + static_cast<std::size_t>(draw.below(static_cast<int>(count) - 1));
  std::vector<NodeId> list;
  for (const std::size_t i : draw.subset(count - 1, size)) {
    list.push_back(topology.absolute(i + 1, node_id(source)));
  }
  return multicast(topology, node_id(source), list);
}

struct Failures {
  int stepwise = 0;
  int stepwise_vc = 0;
  int definition4 = 0;
};

Failures failures_of(std::string_view algorithm, const std::string& shape, bool is_one_port) {
  const Routing routing = routing_on(shape);
  const int ports = is_one_port ? 1 : all_ports(routing);
  Failures failures;
  Draw draw(1);
  for (int set = 0; set < 200; ++set) {
    const Multicast goal = draw_goal(routing.topology(), draw);
    const Schedule schedule = planned(algorithm, routing, goal, ports);
    const ScheduleReport report = checked(schedule, routing, goal, ports);
    EXPECT_TRUE(report.collective.ok() && report.port_rule.ok()) << shape;
    EXPECT_TRUE(relays(schedule, goal).empty()) << shape;
    const int least = least_steps(goal.destinations.size());
    EXPECT_TRUE(is_one_port ? schedule.steps() == least : schedule.steps() <= least) << shape;
    failures.stepwise += report.stepwise.ok() ? 0 : 1;
    failures.stepwise_vc += report.stepwise_vc.ok() ? 0 : 1;
    failures.definition4 += report.definition4.ok() ? 0 : 1;
  }
  return failures;
}

TEST(GridMulticast, OnOnePortAMeshIsFreeOfContentionInTheFewestSteps) {
  for (const char* shape : {"mesh:8x8", "mesh:3x4x5", "mesh:9", "mesh:6x10"}) {
    const Failures failures = failures_of("umesh", shape, true);
    EXPECT_EQ(failures.stepwise + failures.stepwise_vc + failures.definition4, 0) << shape;
  }
}

TEST(GridMulticast, OnOnePortATorusSharesNoVirtualChannelInAStep) {
  for (const char* shape : {"torus:8x8", "torus:7x5", "torus:3x4x5", "torus:6x10", "ring:9"}) {
    EXPECT_EQ(failures_of("utorus", shape, true).stepwise_vc, 0) << shape;
  }
  EXPECT_GT(failures_of("utorus", "torus:8x8", true).stepwise, 0);
}

TEST(GridMulticast, OnAllPortsNeitherIsFreeOfContention) {
  EXPECT_GT(failures_of("umesh", "mesh:8x8", false).stepwise, 0);
  EXPECT_GT(failures_of("utorus", "torus:8x8", false).stepwise_vc, 0);
}

}  // namespace
}  // namespace allport
