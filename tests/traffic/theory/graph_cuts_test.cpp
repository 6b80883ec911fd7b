// SPDX-License-Identifier: Apache-2.0
// No cut is less than the one that is found, of all that there are on small graphs.
#include "traffic/theory/graph_cuts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "rtl_model/base/split_mix.h"

namespace allport::test {
namespace {

// Up to nine routers, of which the first two have a processor.
Graph small_graph(SplitMix64& draw) {
  GraphDescription description;
  description.file = "drawn";
  description.is_directed = draw.next() % 2 == 0;
  const std::size_t routers = 3 + draw.next() % 7;
  for (std::size_t i = 0; i < routers; ++i) {
    description.nodes.push_back({std::to_string(i), i < 2 || draw.next() % 2 == 0});
  }
  const auto add = [&](std::size_t u, std::size_t v) {
    const auto is_same = [&](const GraphDescription::Edge& edge) {
      return (edge.u == u && edge.v == v) ||
             (!description.is_directed && edge.u == v && edge.v == u);
    };
    if (u == v) return;
    if (std::any_of(description.edges.begin(), description.edges.end(), is_same)) return;
    description.edges.push_back({u, v});
  };
  for (std::size_t i = 0; i < routers; ++i) add(i, (i + 1) % routers);
  for (std::size_t more = draw.next() % (2 * routers); more > 0; --more) {
    add(draw.next() % routers, draw.next() % routers);
  }
  return Graph(description);
}

std::int64_t capacity_of(const GraphCut& cut, const Graph& graph, const ChannelCapacity& capacity) {
  std::int64_t sum = 0;
  for (const Channel channel : graph.channels()) {
    const NodeId to = *graph.neighbour(channel.node, channel.port);
    if (cut[index(channel.node)] && !cut[index(to)]) sum += capacity(channel);
  }
  return sum;
}

bool divides(const GraphCut& cut, const std::vector<NodeId>& near, const std::vector<NodeId>& far) {
  return std::all_of(near.begin(), near.end(), [&](NodeId node) { return cut[index(node)]; }) &&
         std::none_of(far.begin(), far.end(), [&](NodeId node) { return cut[index(node)]; });
}

TEST(GraphCuts, AreTheLeastOfAll) {
  int with_several = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SplitMix64 draw(seed);
    const Graph graph = small_graph(draw);
    std::vector<NodeId> near{node_id(0)};
    std::vector<NodeId> far{node_id(1)};
    for (std::size_t i = 2; i < graph.node_count(); ++i) {
      const std::uint64_t side = draw.next() % 3;
      if (side < 2) (side == 0 ? near : far).push_back(node_id(i));
    }
    with_several += near.size() > 1 && far.size() > 1 ? 1 : 0;
    const std::uint64_t salt = draw.next();
    const auto capacity = [&](Channel channel) {
      return static_cast<std::int64_t>(
          (salt >> ((index(channel.node) * 5 + index(channel.port)) % 60)) % 8);
    };
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << graph.router_count(); ++bits) {
      GraphCut cut(graph.router_count());
      for (std::size_t i = 0; i < cut.size(); ++i) cut[i] = (bits >> i & 1) != 0;
      if (divides(cut, near, far)) least = std::min(least, capacity_of(cut, graph, capacity));
    }
    const GraphCut found = least_cut(graph, near, far, capacity);
    EXPECT_TRUE(divides(found, near, far)) << "seed " << seed;
    EXPECT_EQ(capacity_of(found, graph, capacity), least) << "seed " << seed;
  }
  EXPECT_GT(with_several, 50);
}

// Two groups of three beside a switch each, and one link between the switches.
TEST(GraphCuts, AreThoseBetweenGroupsHalvesAndLeaves) {
  GraphDescription description;
  description.file = "groups";
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    description.nodes.push_back({name, true});
    description.nodes.back().group = std::string(name) < "e" ? "first" : "second";
  }
  description.nodes.push_back({"s", false});
  description.nodes.push_back({"t", false});
  for (std::size_t i = 0; i < 6; ++i) description.edges.push_back({i, i < 3 ? 6U : 7U});
  description.edges.push_back({6, 7});
  const Graph graph(description);
  std::vector<NodeId> members;
  for (std::size_t i = 0; i < 6; ++i) members.push_back(node_id(i));
  std::vector<std::string> found;
  for (const GraphCut& cut : graph_cuts(graph, members, [](Channel) { return 1; })) {
    std::string near;
    for (std::size_t i = 0; i < cut.size(); ++i) {
      if (cut[i]) near += graph.node_name(node_id(i));
    }
    found.push_back(near);
  }
  const auto has = [&](const char* near) {
    return std::find(found.begin(), found.end(), near) != found.end();
  };
  EXPECT_TRUE(has("abcs")) << "the halves, and those beside a switch";
  EXPECT_TRUE(has("abcds")) << "a group, whose last one is beyond";
  EXPECT_TRUE(has("deft")) << "those beside the other switch: " << testing::PrintToString(found);
}

}  // namespace
}  // namespace allport::test
