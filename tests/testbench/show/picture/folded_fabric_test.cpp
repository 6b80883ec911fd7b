// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/picture/folded_fabric.h"

#include <gmock/gmock.h>

#include <numeric>
#include <string>

#include "rtl_model/graphs/graph_file.h"

namespace allport::test {
namespace {

using testing::ElementsAre;

struct Folded {
  Folded(const char* name, std::size_t most) : Folded(parse_topology(name), most) {}
  Folded(std::shared_ptr<const Topology> drawn, std::size_t most)
      : topology(std::move(drawn)),
        channels(config(*topology), *topology),
        fabric(*topology, channels, most) {}

  static RouterConfig config(const Topology& topology) {
    RouterConfig config;
    config.external_ports = static_cast<int>(topology.port_count());
    config.internal_ports = 2;
    config.vcs = 2;
    return config;
  }

  std::shared_ptr<const Topology> topology;
  FabricChannels channels;
  FoldedFabric fabric;
};

TEST(FoldedFabric, OfFewNodesHasACellForEachAndALineForEachChannel) {
  for (const char* name : {"hypercube:4", "torus:4x3", "mesh:3x5", "ring:7", "torus:3x4x2"}) {
    const Folded folded(name, 4096);
    EXPECT_EQ(folded.fabric.cells(), folded.topology->node_count());
    EXPECT_EQ(folded.fabric.lines().size(), folded.topology->channels().size());
    for (std::size_t i = 0; i < folded.fabric.cells(); ++i) {
      EXPECT_EQ(folded.fabric.first_nodes()[i], node_id(i));
    }
  }
}

TEST(FoldedFabric, HalvesTheLongestSides) {
  const Folded torus("torus:9x4", 12);
  EXPECT_THAT(torus.fabric.sides(), ElementsAre(3, 4));
  EXPECT_THAT(torus.fabric.factors(), ElementsAre(4, 1));
  const Folded cube("hypercube:5", 8);
  EXPECT_THAT(cube.fabric.sides(), ElementsAre(1, 1, 2, 2, 2));
}

// Six processors beside three switches in a ring, of which two have two links.
std::shared_ptr<const Topology> ring_of_switches() {
  std::string edges = "u,v,from_port,to_port\n";
  std::string nodes = "node,processor\n";
  for (int i = 0; i < 6; ++i) {
    edges += "n" + std::to_string(i) + ",s" + std::to_string(i / 2) + ",0," +
             std::to_string(i % 2) + "\n";
    nodes += "n" + std::to_string(i) + ",true\n";
  }
  edges += "s0,s1,2,2\ns1,s2,3,3\ns2,s0,2,3\ns0,s1,4,4\n";
  nodes += "s0,false\ns1,false\ns2,false\n";
  return std::make_shared<Graph>(read_graph("ring.csv", edges, &nodes));
}

TEST(FoldedFabric, OfAGraphHasACellForEachRouter) {
  const Folded folded(ring_of_switches(), 4096);
  EXPECT_EQ(folded.fabric.cells(), 9U);
  EXPECT_EQ(folded.fabric.lines().size(), folded.topology->channels().size());
  EXPECT_THAT(folded.fabric.sides(), ElementsAre(9));
  const Folded blocks(ring_of_switches(), 5);
  EXPECT_THAT(blocks.fabric.factors(), ElementsAre(2));
  std::size_t channels = 0;
  for (const FoldedFabric::Line& line : blocks.fabric.lines()) channels += line.channels;
  std::size_t between = 0;
  for (const Channel one : blocks.topology->channels()) {
    const NodeId to = *blocks.topology->neighbour(one.node, one.port);
    between += blocks.fabric.cell_of(one.node) == blocks.fabric.cell_of(to) ? 0 : 1;
  }
  EXPECT_EQ(channels, between);
}

// No channel is lost or counted twice, and each belongs to the line between its cells.
TEST(FoldedFabric, HasEveryChannelOnce) {
  for (const char* name : {"hypercube:6", "torus:9x5", "mesh:8x7", "torus:4x4x4", "ring:30"}) {
    const Folded folded(name, 10);
    const FoldedFabric& fabric = folded.fabric;
    EXPECT_LE(fabric.cells(), 10U);
    std::vector<std::size_t> channels(fabric.line_count(), 0);
    for (const Channel& one : folded.topology->channels()) {
      const auto number = folded.channels.output(one.node, static_cast<int>(index(one.port)), 1);
      const std::size_t line = fabric.line_of(number);
      ++channels[line];
      const NodeId far = *folded.topology->neighbour(one.node, one.port);
      if (line >= fabric.lines().size()) {
        EXPECT_EQ(fabric.cell_of(one.node), fabric.cell_of(far));
        EXPECT_EQ(line, fabric.lines().size() + 2 * fabric.cells() + fabric.cell_of(one.node));
        continue;
      }
      EXPECT_EQ(fabric.lines()[line].from, fabric.cell_of(one.node));
      EXPECT_EQ(fabric.lines()[line].to, fabric.cell_of(far));
    }
    for (std::size_t i = 0; i < fabric.lines().size(); ++i) {
      EXPECT_EQ(fabric.lines()[i].channels, channels[i]);
      EXPECT_GT(channels[i], 0U);
    }
  }
}

TEST(FoldedFabric, KnowsInternalChannelsAndProcessorsByTheirCell) {
  const Folded folded("hypercube:5", 8);
  const FoldedFabric& fabric = folded.fabric;
  const std::size_t cell = fabric.cell_of(node_id(21));
  const std::size_t first = fabric.lines().size();
  EXPECT_EQ(fabric.line_of(folded.channels.injection(node_id(21), 1)), first + cell);
  EXPECT_EQ(fabric.line_of(folded.channels.output(node_id(21), 6, 0)), first + 8 + cell);
  EXPECT_EQ(fabric.line_of(folded.channels.processor(node_id(21))), first + 24 + cell);
  EXPECT_EQ(fabric.line_count(), first + 32);
  EXPECT_EQ(fabric.injection_port_of(folded.channels.injection(node_id(21), 1)), -1);
}

TEST(FoldedFabric, KnowsInjectionPortsOfSingleNodes) {
  const Folded cube("hypercube:3", 8);
  const auto port_of = [&](FabricChannels::Number place) {
    return cube.fabric.injection_port_of(place);
  };
  EXPECT_EQ(port_of(cube.channels.injection(node_id(5), 1)), 1);
  EXPECT_EQ(port_of(cube.channels.injection(node_id(5), 0)), 0);
  EXPECT_EQ(port_of(cube.channels.output(node_id(5), 1, 0)), -1);
  EXPECT_EQ(port_of(cube.channels.output(node_id(5), 3, 0)), -1) << "ejection";
  EXPECT_EQ(port_of(cube.channels.processor(node_id(5))), -1);
}

}  // namespace
}  // namespace allport::test
