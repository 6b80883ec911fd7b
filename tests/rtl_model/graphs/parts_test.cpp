// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/graphs/parts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/draw.h"

namespace allport {
namespace {

using Parts = std::vector<std::size_t>;

TEST(Parts, AreNumberedByTheirFirstRouters) {
  const auto ring = parse_topology("ring:6");
  EXPECT_EQ(parts_of(*ring, {}, {}), Parts(6, 0));
  EXPECT_EQ(parts_of(*ring, {node_id(1), node_id(4)}, {}), (Parts{0, no_part, 1, 1, no_part, 0}));
  EXPECT_TRUE(is_one_part(*ring, {node_id(1)}, {}));
  EXPECT_FALSE(is_one_part(*ring, {node_id(1), node_id(4)}, {}));
}

// One way alone does not make two routers one part.
TEST(Parts, NeedWaysThereAndBack) {
  const auto line = parse_topology("mesh:3");
  EXPECT_EQ(parts_of(*line, {}, {{node_id(1), port_id(0)}}), (Parts{0, 0, 1}));
  EXPECT_EQ(parts_of(*line, {}, {{node_id(1), port_id(1)}}), (Parts{0, 1, 1}));
  const auto ring = parse_topology("ring:3");
  EXPECT_TRUE(is_one_part(*ring, {}, {{node_id(1), port_id(0)}}));
}

TEST(Parts, AreNoneWhereNothingIsLeft) {
  const auto ring = parse_topology("ring:2");
  EXPECT_FALSE(is_one_part(*ring, {node_id(0), node_id(1)}, {}));
}

// A second search: two routers are of one part if each is in the set of those that the other
// reaches, which grows until nothing is added.
TEST(Parts, AreThoseOfAPlainSearch) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    test::Draw draw(seed);
    const auto topology = parse_topology(
        draw.one_of<std::string>({"hypercube:3", "torus:3x4", "mesh:4x3", "ring:7"}));
    const std::size_t nodes = topology->router_count();
    std::vector<Channel> missing;
    for (const Channel channel : topology->channels()) {
      if (draw.below(3) == 0) missing.push_back(channel);
    }
    std::vector<NodeId> gone;
    for (const std::size_t i : draw.subset(nodes, static_cast<std::size_t>(draw.below(3)))) {
      gone.push_back(node_id(i));
    }
    std::sort(gone.begin(), gone.end());
    const auto is_gone = [&](NodeId node) {
      return std::binary_search(gone.begin(), gone.end(), node);
    };
    std::vector<std::vector<bool>> reaches(nodes, std::vector<bool>(nodes));
    for (std::size_t i = 0; i < nodes; ++i) reaches[i][i] = true;
    for (bool grows = true; grows;) {
      grows = false;
      for (const Channel channel : topology->channels()) {
        const NodeId to = *topology->neighbour(channel.node, channel.port);
        const bool is_there = !is_gone(channel.node) && !is_gone(to) &&
                              !std::binary_search(missing.begin(), missing.end(), channel);
        for (std::size_t i = 0; is_there && i < nodes; ++i) {
          if (!reaches[i][index(channel.node)] || reaches[i][index(to)]) continue;
          reaches[i][index(to)] = grows = true;
        }
      }
    }
    const Parts parts = parts_of(*topology, gone, missing);
    for (std::size_t a = 0; a < nodes; ++a) {
      EXPECT_EQ(parts[a] == no_part, is_gone(node_id(a))) << seed;
      for (std::size_t b = 0; b < nodes && parts[a] != no_part; ++b) {
        EXPECT_EQ(parts[a] == parts[b], reaches[a][b] && reaches[b][a]) << seed;
      }
    }
  }
}

}  // namespace
}  // namespace allport
