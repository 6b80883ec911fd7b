// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/topology.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <stdexcept>

#include "rtl_model/topology/grid.h"

namespace allport {
namespace {

const char* const all_shapes[] = {"hypercube:1", "hypercube:4",  "hypercube:7", "ring:2",
                                  "ring:3",      "ring:8",       "torus:2x2",   "torus:4x4",
                                  "torus:5x3",   "torus:2x3x4",  "mesh:2",      "mesh:4x4",
                                  "mesh:1024",   "mesh:3x2x5x2", "torus:6"};

std::string error_of(const std::string& text) {
  try {
    parse_topology(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Topology, WhatLeavesByAPortComesBackByItsArrivalPort) {
  for (const char* shape : all_shapes) {
    const auto topology = parse_topology(shape);
    for (const Channel channel : topology->channels()) {
      const NodeId there = *topology->neighbour(channel.node, channel.port);
      const PortId arrival = topology->arrival_port(channel.node, channel.port);

      EXPECT_NE(there, channel.node) << shape;
      EXPECT_EQ(topology->neighbour(there, arrival), channel.node) << shape;
      EXPECT_EQ(topology->dimension_of(arrival), topology->dimension_of(channel.port)) << shape;
    }
  }
}

TEST(Topology, APortMovesOneAlongItsDimensionAndNowhereElse) {
  for (const char* shape : all_shapes) {
    const auto topology = parse_topology(shape);
    for (const Channel channel : topology->channels()) {
      const NodeId there = *topology->neighbour(channel.node, channel.port);
      for (std::size_t i = 0; i < topology->dimension_count(); ++i) {
        const int side = topology->sides()[i];
        const int moved =
            (topology->coordinate(there, i) - topology->coordinate(channel.node, i) + side) % side;
        if (i != topology->dimension_of(channel.port)) {
          EXPECT_EQ(moved, 0) << shape;
        } else if (topology->is_hypercube() || index(channel.port) % 2 == 0) {
          EXPECT_EQ(moved, 1) << shape;
        } else {
          EXPECT_EQ(moved, side - 1) << shape;
        }
      }
    }
  }
}

TEST(Topology, IdsCountDimensionZeroFastest) {
  const auto torus = parse_topology("torus:4x3x2");
  for (std::size_t i = 0; i < torus->node_count(); ++i) {
    const NodeId node = node_id(i);
    EXPECT_EQ(static_cast<std::size_t>(torus->coordinate(node, 0) + 4 * torus->coordinate(node, 1) +
                                       12 * torus->coordinate(node, 2)),
              i);
  }
}

TEST(Topology, HypercubePortCrossesItsDimension) {
  const auto cube = parse_topology("hypercube:5");

  EXPECT_EQ(cube->neighbour(node_id(0b10110), port_id(3)), node_id(0b11110));
  EXPECT_EQ(cube->port_count(), 5U);
}

TEST(Topology, AMeshEndsAtItsEdges) {
  const auto mesh = parse_topology("mesh:4x3");

  EXPECT_EQ(mesh->neighbour(node_id(3), port_id(0)), std::nullopt);
  EXPECT_EQ(mesh->neighbour(node_id(0), port_id(1)), std::nullopt);
  EXPECT_EQ(mesh->neighbour(node_id(9), port_id(2)), std::nullopt);
  EXPECT_EQ(mesh->neighbour(node_id(1), port_id(3)), std::nullopt);
  EXPECT_EQ(mesh->channels().size(), 2U * (3 * 3 + 4 * 2));
}

TEST(Topology, ATorusWrapsAround) {
  const auto torus = parse_topology("torus:4x3");

  EXPECT_EQ(torus->neighbour(node_id(3), port_id(0)), node_id(0));
  EXPECT_EQ(torus->neighbour(node_id(0), port_id(1)), node_id(3));
  EXPECT_EQ(torus->neighbour(node_id(9), port_id(2)), node_id(1));
  EXPECT_EQ(torus->neighbour(node_id(1), port_id(3)), node_id(9));
  EXPECT_EQ(torus->channels().size(), 4U * 12);
}

TEST(Topology, BothPortsOfASideOfTwoLeadToTheSameNeighbour) {
  const auto ring = parse_topology("ring:2");

  EXPECT_EQ(ring->neighbour(node_id(0), port_id(0)), node_id(1));
  EXPECT_EQ(ring->neighbour(node_id(0), port_id(1)), node_id(1));
}

TEST(Topology, DiameterIsTheLongestShortestPath) {
  EXPECT_EQ(parse_topology("hypercube:7")->diameter(), 7);
  EXPECT_EQ(parse_topology("torus:5x4")->diameter(), 4);
  EXPECT_EQ(parse_topology("mesh:5x4")->diameter(), 7);
  EXPECT_EQ(parse_topology("ring:9")->diameter(), 4);
}

TEST(Topology, BisectionCutsTheLongestDimension) {
  EXPECT_EQ(parse_topology("hypercube:4")->bisection_channels(), 16U);
  EXPECT_EQ(parse_topology("torus:8x4")->bisection_channels(), 16U);
  EXPECT_EQ(parse_topology("mesh:8x4")->bisection_channels(), 8U);
  EXPECT_EQ(parse_topology("ring:8")->bisection_channels(), 4U);
}

// The fewest channels between any half of the nodes and the others.
std::size_t fewest_between_halves(const Topology& topology) {
  const std::size_t nodes = topology.node_count();
  const std::vector<Channel> channels = topology.channels();
  std::size_t fewest = channels.size();
  for (std::uint32_t half = 0; half < 1U << nodes; ++half) {
    if (std::bitset<32>(half).count() != nodes / 2) continue;
    std::size_t between = 0;
    for (const Channel& channel : channels) {
      const NodeId to = *topology.neighbour(channel.node, channel.port);
      if ((half >> index(channel.node) & 1U) != (half >> index(to) & 1U)) ++between;
    }
    fewest = std::min(fewest, between);
  }
  return fewest;
}

TEST(Topology, BisectionIsTheFewestChannelsBetweenHalves) {
  for (const char* name :
       {"hypercube:3", "ring:2", "ring:7", "mesh:3x3", "mesh:4x3", "mesh:5x3", "mesh:3x2x2",
        "torus:3x3", "torus:3x2", "torus:5x2", "torus:4x3", "torus:3x2x2"}) {
    const auto topology = parse_topology(name);
    EXPECT_EQ(topology->bisection_channels(), fewest_between_halves(*topology)) << name;
  }
}

TEST(Topology, RelativeIdsAreExclusiveOrOnTheHypercubeAndDifferencesElsewhere) {
  const auto cube = parse_topology("hypercube:4");
  const auto torus = parse_topology("torus:4x4");

  EXPECT_EQ(cube->relative(node_id(5), node_id(12)), 9U);
  EXPECT_EQ(torus->relative(node_id(5), node_id(12)), 9U);
  EXPECT_EQ(torus->relative(node_id(12), node_id(5)), 7U);
  for (const auto& topology : {cube, torus}) {
    for (std::size_t i = 0; i < 16; ++i) {
      const std::size_t relative = topology->relative(node_id(i), node_id(11));
      EXPECT_EQ(topology->absolute(relative, node_id(11)), node_id(i));
    }
  }
}

TEST(Topology, ShiftedMovesModuloTheSides) {
  const Grid torus(TopologyKind::torus, {4, 3});

  EXPECT_EQ(torus.shifted(node_id(0), {-1, -1}), node_id(11));
  EXPECT_EQ(torus.shifted(node_id(11), {5, 4}), node_id(0));
}

TEST(Topology, KeepsItsName) {
  for (const char* shape : all_shapes) EXPECT_EQ(parse_topology(shape)->name(), shape);
}

TEST(Topology, TheLargestFabricsAreAccepted) {
  EXPECT_EQ(parse_topology("hypercube:16")->node_count(), 65536U);
  EXPECT_EQ(parse_topology("torus:1024x1024")->node_count(), max_node_count);
  EXPECT_EQ(parse_topology("torus:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2")->port_count(), 32U);
}

TEST(TopologyErrors, NameTheDimensionAndItsRange) {
  EXPECT_EQ(error_of("hypercube:0"), "topology hypercube:0: the dimension must be 1..20");
  EXPECT_EQ(error_of("hypercube:40"), "topology hypercube:40: the dimension must be 1..20");
  EXPECT_EQ(error_of("hypercube:-1"), "topology hypercube:-1: the dimension must be 1..20");
}

TEST(TopologyErrors, NameTheSideThatIsTooSmall) {
  EXPECT_EQ(error_of("torus:4x1"),
            "topology torus:4x1: side 1 is too small; every side must be at least 2");
  EXPECT_EQ(error_of("ring:1"),
            "topology ring:1: side 1 is too small; every side must be at least 2");
  EXPECT_EQ(error_of("mesh:0x4"),
            "topology mesh:0x4: side 0 is too small; every side must be at least 2");
}

TEST(TopologyErrors, NameTheLimits) {
  EXPECT_THAT(error_of("torus:1024x1025"), testing::HasSubstr("the limit is 1048576"));
  EXPECT_THAT(error_of("torus:2147483647x2147483647x2147483647"),
              testing::HasSubstr("the limit is 1048576"));
  EXPECT_THAT(error_of("mesh:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2"),
              testing::HasSubstr("the number of dimensions must be 1..16"));
  EXPECT_THAT(error_of("torus:99999999999x2"), testing::HasSubstr("99999999999 is too large"));
}

TEST(TopologyErrors, RejectGarbage) {
  for (const char* text :
       {"", "torus", "torus:", "torus:4x", "torus:x4", "torus:4xx4", "torus:4x4 ", " torus:4x4",
        "torus:4,4", "Torus:4x4", "hypercube:4x4", "hypercube:", "hypercube:four", "hypercube:4.0",
        "ring:4x4", "cube:3", "mesh:+4x4", "ring:0x8"}) {
    EXPECT_THAT(error_of(text), testing::HasSubstr("topology")) << '\'' << text << '\'';
  }
}

}  // namespace
}  // namespace allport
