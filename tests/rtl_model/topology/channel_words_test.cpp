// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/channel_words.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

Channel channel(std::size_t node, std::size_t port) { return {node_id(node), port_id(port)}; }

TEST(ChannelWords, AreItsNodesItsDirectionAndItsVirtualChannel) {
  const auto torus = parse_topology("torus:8x8");
  EXPECT_EQ(output_in_words(*torus, channel(63, 0), 1), "channel 63 -> 56 (+x, VC 1)");
  EXPECT_EQ(output_in_words(*torus, channel(5, 3)), "channel 5 -> 61 (-y)");
  EXPECT_EQ(input_in_words(*torus, channel(56, 1)), "channel 63 -> 56 (+x)");
  const auto cube = parse_topology("hypercube:4");
  EXPECT_EQ(output_in_words(*cube, channel(8, 1)), "channel 8 -> 10 (dimension 1)");
  EXPECT_EQ(input_in_words(*cube, channel(10, 1), 0), "channel 8 -> 10 (dimension 1, VC 0)");
  const auto flat = parse_topology("mesh:2x2x2x2x2");
  EXPECT_EQ(link_in_words(*flat, channel(0, 8)), "0 -> 16 (+dimension 4)");
}

TEST(ChannelWords, NameInjectionAndEjection) {
  const auto mesh = parse_topology("mesh:3x3");
  EXPECT_EQ(output_in_words(*mesh, channel(4, 4)), "ejection channel 0 of node 4");
  EXPECT_EQ(output_in_words(*mesh, channel(4, 6), 2), "ejection channel 2 of node 4, VC 2");
  EXPECT_EQ(input_in_words(*mesh, channel(4, 5)), "injection channel 1 of node 4");
  EXPECT_EQ(output_in_words(*mesh, channel(0, 1)), "channel 0 -> nowhere (-x)");
}

// The channel that ends at an input is the one that an output of the neighbour drives.
TEST(ChannelWords, AreTheSameFromBothEnds) {
  for (const char* shape : {"hypercube:4", "torus:2x3x4", "mesh:4x3", "ring:5"}) {
    const auto topology = parse_topology(shape);
    for (const Channel one : topology->channels()) {
      const NodeId end = *topology->neighbour(one.node, one.port);
      EXPECT_EQ(output_in_words(*topology, one),
                input_in_words(*topology, {end, topology->arrival_port(one.node, one.port)}))
          << shape;
    }
  }
}

}  // namespace
}  // namespace allport
