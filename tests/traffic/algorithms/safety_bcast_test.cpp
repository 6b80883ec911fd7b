// SPDX-License-Identifier: Apache-2.0
// Every set of up to four missing nodes of a 4-cube is planned by night, and some by day.
// ALLPORT_CASES chooses their number (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "rtl_model/graphs/remaining_graph.h"
#include "rtl_model/tables/make_table.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using testing::HasSubstr;

// What is left of a hypercube, with the routes that it has by default.
Routing left_of(const std::string& shape, const std::vector<NodeId>& missing) {
  const std::shared_ptr<const Topology> left = without_nodes(*parse_topology(shape), missing);
  TableRequest request;
  request.topology = left;
  return {left, make_default_table(request)};
}

ScheduleReport report_of(const Schedule& schedule, const Routing& routing, NodeId source,
                         int ports) {
  const Multicast goal = broadcast(routing.topology(), source);
  return check_schedule(schedule, {routing, ports, {source}, goal.destinations});
}

Schedule planned_from(const Routing& routing, NodeId source, int ports) {
  return planned("safety-bcast", routing, broadcast(routing.topology(), source), ports);
}

TEST(SafetyBcast, IsTheBinomialTreeWhereNoNodeIsMissing) {
  for (const int ports : {1, 2, 5}) {
    const Routing cube = routing_on("hypercube:5");
    const Multicast goal = broadcast(cube.topology(), node_id(9));
    EXPECT_EQ(printed(planned("safety-bcast", cube, goal, ports)),
              printed(planned("sbt", cube, goal, ports)));
  }
}

// Nodes 0, 3 .. 7 are left, as 0 .. 5; 4 is safe, and so is 7.
TEST(SafetyBcast, GoesAroundMissingNodes) {
  const Routing routing = left_of("hypercube:3", nodes({1, 2}));
  EXPECT_EQ(printed(planned_from(routing, node_id(2), 3)),
            "(2,4,1) (2,3,1) (2,0,1) (4,5,2) (5,1,3)");
  EXPECT_EQ(printed(planned_from(routing, node_id(0), 3)),
            "(0,2,1) (2,4,2) (2,3,2) (4,5,3) (5,1,4)");
}

TEST(SafetyBcast, EverySetOfUpToFourMissingNodesOf4DimensionsIsProved) {
  const test::RandomCases cases(60);
  constexpr std::uint64_t sets = 1 + 16 + 120 + 560 + 1820;
  const std::uint64_t every = std::max<std::uint64_t>(1, sets / (cases.end - cases.first));
  std::uint64_t number = 0;
  int cut = 0;
  for (std::uint32_t set = 0; set < 1U << 16; ++set) {
    const int size = __builtin_popcount(set);
    if (size > 4 || number++ % every != 0) continue;
    std::vector<NodeId> missing;
    for (std::size_t i = 0; i < 16; ++i) {
      if ((set >> i & 1U) != 0) missing.push_back(node_id(i));
    }
    if (size > 0 && !is_connected_without(*parse_topology("hypercube:4"), missing)) {
      ++cut;
      continue;
    }
    const Routing routing = size == 0 ? routing_on("hypercube:4") : left_of("hypercube:4", missing);
    for (std::size_t i = 0; i < routing.topology().node_count(); ++i) {
      for (const int ports : {1, 4}) {
        std::string why;
        Schedule schedule;
        try {
          schedule = planned_from(routing, node_id(i), ports);
        } catch (const std::invalid_argument& error) {
          why = error.what();
        }
        if (size == 4 && !why.empty()) {
          EXPECT_THAT(why, HasSubstr("does not reach"));
          continue;
        }
        ASSERT_EQ(why, "") << set;
        const ScheduleReport report = report_of(schedule, routing, node_id(i), ports);
        ASSERT_TRUE(report.ok()) << set << " from " << i << ", ports " << ports;
        if (ports == 4) {
          ASSERT_LE(schedule.steps(), 5) << set << " from " << i;
        }
        for (const Unicast& unicast : schedule.unicasts) {
          ASSERT_EQ(routing.distance(unicast.u, unicast.v), 1) << set;
        }
      }
    }
  }
  if (every == 1) {
    EXPECT_EQ(cut, 16);  // the sets of the neighbours of a node
  }
}

// Node 0 has one neighbour left, and neither of the two is safe or has a safe one.
TEST(SafetyBcast, NamesTheNodesThatItDoesNotReach) {
  const Routing routing = left_of("hypercube:4", nodes({1, 4, 7, 8}));
  EXPECT_EQ(
      complaint_of([&] { planned_from(routing, node_id(0), 4); }),
      "algorithm safety-bcast does not reach node 5 of hypercube:4 without 4 nodes from source 0; it is sure to reach all where at most 3 nodes are missing; another source may reach them, and synthesized-bcast does");
}

TEST(SafetyBcast, IsForHypercubesAndWhatIsLeftOfThem) {
  const Algorithm& algorithm = find_algorithm("safety-bcast");
  EXPECT_TRUE(algorithm.is_for(*parse_topology("hypercube:1")));
  EXPECT_FALSE(algorithm.is_for(*parse_topology("torus:4x4")));
  const auto of_torus = without_nodes(*parse_topology("torus:4x4"), nodes({5}));
  EXPECT_FALSE(algorithm.is_for(*of_torus));
}

}  // namespace
}  // namespace allport
