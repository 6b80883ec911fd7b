// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/traffic/planning.h"

namespace allport {
namespace {

TEST(Algorithms, AreFoundByName) {
  for (const Algorithm& algorithm : algorithms()) {
    EXPECT_EQ(&find_algorithm(algorithm.name), &algorithm);
    EXPECT_FALSE(algorithm.summary.empty() || algorithm.paper.empty() || algorithm.fabrics.empty());
  }
}

TEST(Algorithms, AnUnknownNameIsAnsweredWithTheNearest) {
  EXPECT_EQ(complaint_of([] { find_algorithm("wsrt"); }),
            "unknown algorithm 'wsrt': did you mean 'wsort'?");
}

TEST(Algorithms, OnlyTheTreeIsAWormOfItsOwn) {
  for (const Algorithm& algorithm : algorithms()) {
    EXPECT_EQ(algorithm.worm == MessageKind::tree, algorithm.name == "tree");
  }
}

TEST(Algorithms, SayWhichFabricsTheyAreFor) {
  const Routing torus = routing_on("torus:4x4");
  const Multicast goal = broadcast(torus.topology(), node_id(0));
  for (const char* name : {"ucube", "maxport", "combine", "wsort", "sbt", "tree"}) {
    EXPECT_EQ(complaint_of([&] { planned(name, torus, goal); }),
              "algorithm " + std::string(name) + " is for hypercubes; torus:4x4 is none");
  }
}

TEST(Algorithms, BroadcastsTakeAllDestinationsOnly) {
  const Routing torus = routing_on("torus:4x4");
  const Multicast goal = multicast(torus.topology(), node_id(0), nodes({1, 2}));

  EXPECT_EQ(complaint_of([&] { planned("dcf", torus, goal); }),
            "algorithm dcf is a broadcast: it takes the destinations 'all' only");
}

TEST(Algorithms, RefuseANumberOfPortsOutOfRange) {
  const Routing cube = routing_on("hypercube:4");
  const Multicast goal = broadcast(cube.topology(), node_id(0));

  EXPECT_EQ(complaint_of([&] { planned("ucube", cube, goal, 0); }),
            "0 internal ports: the number must be 1..4 on hypercube:4");
  EXPECT_EQ(complaint_of([&] { planned("ucube", cube, goal, 5); }),
            "5 internal ports: the number must be 1..4 on hypercube:4");
}

TEST(Algorithms, PlanSortedSchedulesWithProgramsCountedFromZero) {
  for (const Algorithm& algorithm : algorithms()) {
    const Routing routing = routing_on(algorithm.name == "dcf" ? "torus:8x8" : "hypercube:6");
    const Multicast goal = broadcast(routing.topology(), node_id(11));

    const Schedule schedule = planned(algorithm.name, routing, goal);

    Schedule sorted = schedule;
    sorted.sort();
    EXPECT_EQ(printed(schedule), printed(sorted)) << algorithm.name;
    std::vector<std::set<int>> programs(64);
    for (const Unicast& unicast : schedule.unicasts) {
      EXPECT_TRUE(programs[index(unicast.u)].insert(unicast.order).second) << algorithm.name;
    }
    for (const std::set<int>& program : programs) {
      EXPECT_TRUE(program.empty() || *program.rbegin() + 1 == static_cast<int>(program.size()));
    }
    EXPECT_TRUE(checked(schedule, routing, goal).ok()) << algorithm.name;
  }
}

}  // namespace
}  // namespace allport
