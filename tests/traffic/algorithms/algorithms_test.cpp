// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/algorithms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/planning/pieces.h"

namespace allport {
namespace {

TEST(Algorithms, AreFoundByName) {
  for (const Algorithm& algorithm : algorithms()) {
    EXPECT_EQ(&find_algorithm(algorithm.name), &algorithm);
    EXPECT_FALSE(algorithm.summary.empty() || algorithm.paper.empty() ||
                 algorithm.fabrics.words.empty());
  }
}

TEST(Algorithms, AnUnknownNameIsAnsweredWithTheNearest) {
  EXPECT_EQ(complaint_of([] { find_algorithm("wsrt"); }),
            "unknown algorithm 'wsrt': did you mean 'wsort'?");
}

TEST(Algorithms, OnlyTheTreeTheHamiltonianPathAndJoinsAreWormsOfTheirOwn) {
  for (const Algorithm& algorithm : algorithms()) {
    EXPECT_EQ(algorithm.kind == MessageKind::tree, algorithm.name == "tree");
    EXPECT_EQ(algorithm.kind == MessageKind::path, algorithm.name == "hamiltonian");
    EXPECT_EQ(is_join(algorithm.kind), algorithm.name.substr(0, 5) == "join-");
    EXPECT_EQ(algorithm.is_in_network, has_group(algorithm.kind));
  }
}

TEST(Algorithms, SayWhichFabricsTheyAreFor) {
  const Routing torus = routing_on("torus:4x4");
  const Multicast goal = broadcast(torus.topology(), node_id(0));
  for (const char* name : {"ucube", "maxport", "combine", "wsort", "sbt"}) {
    EXPECT_EQ(
        complaint_of([&] { planned(name, torus, goal); }),
        "algorithm " + std::string(name) +
            " is for hypercubes; torus:4x4 is not one, for which there are separate, utorus, synthesized-bcast");
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

// Fabrics of all kinds; every algorithm is for one of them at least.
std::vector<Routing> fabrics_of(const Algorithm& algorithm) {
  std::vector<Routing> list;
  for (const char* shape : {"hypercube:6", "torus:8x8", "torus:7x12", "mesh:4x5", "ring:12"}) {
    const Routing routing = routing_on(shape);
    if (algorithm.is_synthesized && routing.topology().node_count() > 20)
      continue;  // they take long
    if (algorithm.is_for(routing.topology())) list.push_back(routing);
  }
  EXPECT_FALSE(list.empty()) << algorithm.name;
  return list;
}

TEST(Algorithms, PlanSortedSchedulesWithProgramsCountedFromZero) {
  for (const Algorithm& algorithm : algorithms()) {
    for (const Routing& routing : fabrics_of(algorithm)) {
      const Multicast goal = algorithm.destinations == Destinations::one
                                 ? multicast(routing.topology(), node_id(11), nodes({4}))
                                 : broadcast(routing.topology(), node_id(11));

      const Schedule schedule = planned(algorithm.name, routing, goal);

      Schedule sorted = schedule;
      sorted.sort();
      EXPECT_EQ(printed(schedule), printed(sorted)) << algorithm.name;
      std::vector<std::set<int>> programs(routing.topology().node_count());
      for (const Unicast& unicast : schedule.unicasts) {
        EXPECT_TRUE(programs[index(unicast.u)].insert(unicast.order).second) << algorithm.name;
      }
      for (const std::set<int>& program : programs) {
        EXPECT_TRUE(program.empty() || *program.rbegin() + 1 == static_cast<int>(program.size()));
      }
      const auto is_unicast = [](const Unicast& one) { return one.kind == MessageKind::unicast; };
      if (!std::all_of(schedule.unicasts.begin(), schedule.unicasts.end(), is_unicast)) continue;
      const std::size_t pieces = piece_count(schedule);
      const bool has_blocks = pieces > 0;
      const Collective blocks = has_blocks && algorithm.operation == Operation::bcast
                                    ? Collective(routing.topology().node_count(), goal, pieces)
                                    : collective_of(algorithm, routing.topology(), goal);
      const ScheduleReport report = check_schedule(schedule, {routing,
                                                              all_ports(routing),
                                                              {goal.source},
                                                              goal.destinations,
                                                              has_blocks ? &blocks : nullptr});
      EXPECT_TRUE(report.exactly_once.ok() && report.causality.ok() && report.routes_valid.ok())
          << algorithm.name << " on " << routing.topology().name();
    }
  }
}

}  // namespace
}  // namespace allport
