// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/pattern.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

std::size_t partner(const char* pattern, const char* topology, std::size_t node) {
  return index(find_pattern(pattern).partner(*parse_topology(topology), node_id(node)));
}

std::string refusal(const char* pattern, const char* topology) {
  return complaint_of([&] { require_defined(find_pattern(pattern), *parse_topology(topology)); });
}

// [DallyTowles04, section 3.2], on numbers of six bits.
TEST(Patterns, OfBitsAreThoseOfTheBook) {
  EXPECT_EQ(partner("bit-complement", "hypercube:6", 0b110100), 0b001011U);
  EXPECT_EQ(partner("bit-reverse", "hypercube:6", 0b110100), 0b001011U);
  EXPECT_EQ(partner("bit-reverse", "hypercube:6", 0b110000), 0b000011U);
  EXPECT_EQ(partner("shuffle", "hypercube:6", 0b110100), 0b101001U);
  EXPECT_EQ(partner("transpose", "hypercube:6", 0b110100), 0b100110U);
  EXPECT_EQ(partner("butterfly", "hypercube:6", 0b110100), 0b010101U);
  EXPECT_EQ(partner("butterfly", "hypercube:6", 0b010101), 0b110100U);
  EXPECT_EQ(partner("butterfly", "hypercube:6", 0b110101), 0b110101U);
  EXPECT_EQ(partner("butterfly", "torus:4x2", 0b011), 0b110U);
}

TEST(Patterns, OfBitsAreForAnyFabricOfAPowerOfTwoOfNodes) {
  EXPECT_EQ(partner("bit-complement", "torus:4x2", 1), 6U);
  EXPECT_EQ(partner("shuffle", "ring:8", 0b101), 0b011U);
  EXPECT_EQ(partner("bit-reverse", "mesh:4x4", 0b0001), 0b1000U);
}

// Node x + 3y of a 3 x 3 grid.
TEST(Patterns, TransposeExchangesTheCoordinatesOfASquare) {
  EXPECT_EQ(partner("transpose", "torus:3x3", 1), 3U);
  EXPECT_EQ(partner("transpose", "mesh:3x3", 5), 7U);
  EXPECT_EQ(partner("transpose", "mesh:3x3", 4), 4U);
}

TEST(Patterns, TransposeIsTheSameByCoordinatesAndByBits) {
  for (std::size_t node = 0; node < 64; ++node) {
    EXPECT_EQ(partner("transpose", "torus:8x8", node), partner("transpose", "hypercube:6", node));
  }
}

// ceil(8/2) - 1 = 3 along x, ceil(5/2) - 1 = 2 along y; (6, 4) goes to (1, 1).
TEST(Patterns, TornadoGoesAlmostHalfWayInEveryDimension) {
  EXPECT_EQ(partner("tornado", "ring:8", 6), 1U);
  EXPECT_EQ(partner("tornado", "torus:8x5", 6 + 8 * 4), 1U + 8 * 1);
  EXPECT_EQ(partner("tornado", "mesh:3x3x3", 0), 1U + 3 + 9);
}

TEST(Patterns, NeighborGoesOneFurtherInEveryDimension) {
  EXPECT_EQ(partner("neighbor", "ring:5", 4), 0U);
  EXPECT_EQ(partner("neighbor", "torus:4x4", 3 + 4 * 1), 0U + 4 * 2);
}

TEST(Patterns, WithPartnersArePermutations) {
  for (const Pattern& pattern : patterns()) {
    if (pattern.partner == nullptr) continue;
    for (const char* name : {"hypercube:1", "hypercube:4", "hypercube:7", "torus:8x8", "torus:5x5",
                             "torus:4x8x2", "mesh:3x4", "mesh:6x6", "ring:9", "ring:16"}) {
      const auto topology = parse_topology(name);
      if (!pattern.is_defined_on(*topology)) continue;
      std::set<NodeId> reached;
      for (std::size_t i = 0; i < topology->node_count(); ++i) {
        const NodeId to = pattern.partner(*topology, node_id(i));
        EXPECT_LT(index(to), topology->node_count()) << pattern.name << " on " << name;
        reached.insert(to);
      }
      EXPECT_EQ(reached.size(), topology->node_count()) << pattern.name << " on " << name;
    }
  }
}

TEST(Patterns, AreRefusedWhereTheyAreNotDefined) {
  EXPECT_EQ(
      refusal("shuffle", "torus:3x4"),
      "pattern shuffle is for fabrics whose number of nodes is a power of two, not for torus:3x4 with its 12 nodes");
  EXPECT_EQ(
      refusal("transpose", "hypercube:5"),
      "pattern transpose is for square tori and meshes of two dimensions, or fabrics of 4^n nodes, not for hypercube:5 with its 32 nodes");
  EXPECT_EQ(refusal("tornado", "hypercube:4"),
            "pattern tornado is for rings, tori and meshes, not for hypercube:4 with its 16 nodes");
  EXPECT_NE(refusal("neighbor", "hypercube:4"), "");
  EXPECT_NE(refusal("transpose", "mesh:3x4"), "");
  EXPECT_NO_THROW(require_defined(find_pattern("transpose"), *parse_topology("mesh:2x8")));
  EXPECT_NO_THROW(require_defined(find_pattern("uniform"), *parse_topology("mesh:3x4")));
}

TEST(Patterns, AreRefusedWhereTheySendNothing) {
  EXPECT_EQ(refusal("tornado", "torus:2x2"),
            "pattern tornado sends nothing on torus:2x2: every node is its own partner there");
  EXPECT_NE(refusal("bit-reverse", "hypercube:1"), "");
}

TEST(Patterns, AreFoundByName) {
  EXPECT_EQ(find_pattern("uniform").name, "uniform");
  EXPECT_EQ(complaint_of([] { find_pattern("unifrom"); }),
            "unknown pattern 'unifrom': did you mean 'uniform'?");
}

}  // namespace
}  // namespace allport
