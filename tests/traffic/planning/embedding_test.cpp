// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/embedding.h"
#include "traffic/planning/pieces.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using testing::HasSubstr;

Embedding embedded(const char* guest, const Routing& host) { return {parse_topology(guest), host}; }

TEST(Embedding, KeepsNeighboursNeighbours) {
  for (const auto& [guest, dimensions] : {std::pair{"ring:4", 2},
                                          {"ring:8", 3},
                                          {"ring:64", 6},
                                          {"torus:4x8", 5},
                                          {"torus:8x4", 5},
                                          {"torus:2x2x4", 4},
                                          {"mesh:4x4", 4},
                                          {"mesh:16x2", 5},
                                          {"torus:32x32", 10}}) {
    const Routing host = routing_on("hypercube:" + std::to_string(dimensions));
    const Embedding embedding = embedded(guest, host);
    std::set<NodeId> taken;
    for (const Channel& channel : embedding.guest().topology().channels()) {
      const NodeId next = *embedding.guest().topology().neighbour(channel.node, channel.port);
      EXPECT_EQ(host.distance(embedding.on_host(channel.node), embedding.on_host(next)), 1)
          << guest << " node " << index(channel.node);
      EXPECT_EQ(embedding.on_guest(embedding.on_host(channel.node)), channel.node);
      taken.insert(embedding.on_host(channel.node));
    }
    EXPECT_EQ(taken.size(), host.topology().node_count()) << guest;
  }
}

// Coordinate i of 4 and j of 8: g_i in the two high bits, g_j in the three low ones.
TEST(Embedding, GivesTheFirstCoordinateTheHighBits) {
  const Routing host = routing_on("hypercube:5");
  const Embedding embedding = embedded("torus:4x8", host);

  EXPECT_EQ(index(embedding.on_host(node_id(2 + 4 * 5))), 0b11'111U);
  EXPECT_EQ(index(embedding.on_host(node_id(3 + 4 * 6))), 0b10'101U);
}

TEST(Embedding, ProgramsOfRingsAndToriAreProvedOnTheCube) {
  const Routing host = routing_on("hypercube:4");
  for (const auto& [guest, name] : {std::pair{"ring:16", "ring-scatter"},
                                    {"ring:16", "ring-gather"},
                                    {"ring:16", "ring-allgather"},
                                    {"ring:16", "ring-alltoall"},
                                    {"ring:16", "ring-reduce-scatter"},
                                    {"ring:16", "ring-allreduce"},
                                    {"torus:4x4", "dims-reduce-scatter"},
                                    {"mesh:4x4", "dims-allreduce"},
                                    {"torus:2x8", "dims-allreduce"},
                                    {"torus:4x4", "dcf"},
                                    {"mesh:4x4", "separate"},
                                    {"torus:16", "ring-allgather"}}) {
    const Embedding embedding = embedded(guest, host);
    const Algorithm& algorithm = find_algorithm(name);
    for (std::size_t source = 0; source < 16; source += 5) {
      for (const int ports : {1, 2, 4}) {
        const Multicast goal = broadcast(host.topology(), node_id(source));
        const Schedule schedule = embedding.plan(algorithm, goal, ports);
        const std::size_t pieces =
            algorithm.operation == Operation::bcast ? piece_count(schedule) : 0;
        const Collective collective =
            pieces > 0 ? Collective(host.topology().node_count(), goal, pieces)
                       : collective_of(algorithm, host.topology(), goal,
                                       part_count(algorithm, embedding.guest().topology(), 0), {},
                                       embedding.neighbours(algorithm.operation));
        const bool has_blocks = algorithm.operation != Operation::bcast || pieces > 0;

        const ScheduleReport report = check_schedule(
            schedule,
            {host, ports, {goal.source}, goal.destinations, has_blocks ? &collective : nullptr});

        EXPECT_TRUE(report.collective.ok()) << guest << " " << name;
        EXPECT_TRUE(report.routes_valid.ok()) << guest << " " << name;
        EXPECT_TRUE(report.port_rule.ok()) << guest << " " << name << " k " << ports;
      }
    }
  }
}

// The mesh has four ports a node, the cube two or three: folded together they would cost steps.
TEST(Embedding, OnAllPortsTakesNoMoreStepsThanTheGuestOnAll) {
  for (const auto& [shape, guest, source, destinations, steps] :
       {std::tuple{"hypercube:2", "mesh:2x2", 0, nodes({3, 1}), 1},
        {"hypercube:3", "mesh:2x4", 1, nodes({6, 2, 7, 0, 5, 4, 3}), 4}}) {
    const Routing host = routing_on(shape);
    const Multicast goal{node_id(static_cast<std::size_t>(source)), destinations};

    const Schedule schedule =
        embedded(guest, host).plan(find_algorithm("separate"), goal, all_ports(host));

    EXPECT_EQ(schedule.steps(), steps) << guest;
    EXPECT_TRUE(checked(schedule, host, goal).port_rule.ok()) << guest;
  }
}

TEST(Embedding, RefusesWhatDoesNotFit) {
  const Routing host = routing_on("hypercube:4");
  EXPECT_EQ(complaint_of([&] { embedded("ring:8", host); }),
            "ring:8 on hypercube:4: it has 8 nodes, but must have 16");
  EXPECT_EQ(complaint_of([&] { embedded("torus:6x4", host); }),
            "torus:6x4 on hypercube:4: its sides must be powers of two");
  EXPECT_THAT(complaint_of([&] { embedded("hypercube:4", host); }),
              HasSubstr("only a ring, a torus or a mesh of ranks is laid along a fabric"));
  EXPECT_THAT(complaint_of([&] { embedded("ring:16", routing_on("mesh:4x4")); }),
              HasSubstr("topologies can be embedded in hypercubes only"));
}

}  // namespace
}  // namespace allport
