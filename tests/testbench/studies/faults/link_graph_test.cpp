// SPDX-License-Identifier: Apache-2.0
// Cuts are compared with brute force: sets of links, smallest first, and a search of all nodes.
#include "testbench/studies/faults/link_graph.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "rtl_model/graphs/graph.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

// Which nodes reach which, by Warshall's closure.
std::vector<std::vector<bool>> reach(const Topology& topology, const Pairs& missing) {
  const std::size_t count = topology.router_count();
  std::vector<std::vector<bool>> to(count, std::vector<bool>(count));
  for (std::size_t u = 0; u < count; ++u) to[u][u] = true;
  for (const Channel channel : topology.channels()) {
    const std::size_t u = index(channel.node);
    const std::size_t v = index(*topology.neighbour(channel.node, channel.port));
    if (missing.count({std::min(u, v), std::max(u, v)}) == 0) to[u][v] = true;
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t u = 0; u < count; ++u) {
      for (std::size_t v = 0; to[u][k] && v < count; ++v) to[u][v] = to[u][v] || to[k][v];
    }
  }
  return to;
}

// The nodes outside the largest part, the first of equals.
std::vector<NodeId> apart(const Topology& topology, const Pairs& missing) {
  const auto to = reach(topology, missing);
  const std::size_t count = topology.node_count();
  std::size_t keep = 0, most = 0;
  for (std::size_t u = 0; u < count; ++u) {
    std::size_t size = 0;
    for (std::size_t v = 0; v < count; ++v) size += to[u][v] && to[v][u] ? 1 : 0;
    if (size > most) {
      most = size;
      keep = u;
    }
  }
  std::vector<NodeId> list;
  for (std::size_t v = 0; v < count; ++v) {
    if (!to[keep][v] || !to[v][keep]) list.push_back(node_id(v));
  }
  return list;
}

Pairs pairs_of(const LinkGraph& graph, const LinkSet& links) {
  Pairs pairs;
  for (const std::size_t link : links) {
    pairs.insert({index(graph.links()[link].u), index(graph.links()[link].v)});
  }
  return pairs;
}

// All that the graph says is what brute force says, for sets of up to three links.
void expect_as_by_force(const Topology& topology) {
  const LinkGraph graph(topology);
  const std::size_t links = graph.links().size();
  std::optional<std::size_t> least;
  std::set<LinkSet> cutting;  // minimal, of one or two
  for (std::size_t size = 1; size <= std::min<std::size_t>(3, links); ++size) {
    for (const LinkSet& set : link_sets(links, size, 1'000'000, 1).sets) {
      const std::vector<NodeId> nodes = apart(topology, pairs_of(graph, set));
      EXPECT_EQ(graph.cut_off(set), nodes) << topology.name() << " " << graph.in_words(set);
      if (nodes.empty()) continue;
      if (!least) least = size;
      const bool has_smaller = size == 2 && (cutting.count({set[0]}) + cutting.count({set[1]})) > 0;
      if (size < 3 && !has_smaller) cutting.insert(set);
    }
  }
  const LinkCut smallest = graph.smallest_cut();
  EXPECT_EQ(apart(topology, pairs_of(graph, smallest.links)), smallest.cut_off);
  EXPECT_THAT(smallest.cut_off, testing::Not(IsEmpty())) << topology.name();
  if (least) {
    EXPECT_EQ(smallest.links.size(), *least) << topology.name();
  } else {
    EXPECT_GT(smallest.links.size(), 3) << topology.name();
  }
  const LinkCuts cuts = graph.cuts(2, 1'000'000);
  EXPECT_EQ(cuts.count, cutting.size()) << topology.name();
  std::set<LinkSet> told;
  std::pair<std::size_t, std::size_t> last{0, topology.node_count()};
  for (const LinkCut& cut : cuts.list) {
    told.insert(cut.links);
    EXPECT_EQ(cut.cut_off, apart(topology, pairs_of(graph, cut.links)));
    const std::pair<std::size_t, std::size_t> now{cut.links.size(), cut.cut_off.size()};
    EXPECT_TRUE(now.first > last.first || now.second <= last.second) << "the worst stand first";
    last = now;
  }
  EXPECT_EQ(told, cutting) << topology.name();
}

TEST(LinkGraph, CutsShapesAsBruteForceDoes) {
  for (const char* shape : {"ring:3", "ring:7", "mesh:2x3", "mesh:3x3", "torus:3x3", "torus:2x4",
                            "hypercube:1", "hypercube:2", "hypercube:3", "mesh:5"}) {
    expect_as_by_force(*parse_topology(shape));
  }
}

// Random graphs with switches, trees and rings hung on them, one way or both.
Graph drawn_graph(std::uint64_t seed, bool is_directed) {
  SplitMix64 generator(seed);
  GraphDescription description;
  description.file = "drawn.dot";
  description.is_directed = is_directed;
  const std::size_t count = 4 + generator.next() % 5;
  for (std::size_t i = 0; i < count; ++i) {
    description.nodes.push_back(
        {std::string(1, static_cast<char>('a' + i)), i < 2 || generator.next() % 3 != 0});
  }
  std::set<std::pair<std::size_t, std::size_t>> taken;
  const auto add = [&](std::size_t u, std::size_t v) {
    if (u == v || !taken.insert({u, v}).second) return;
    if (!is_directed && !taken.insert({v, u}).second) return;
    description.edges.push_back({u, v});
  };
  for (std::size_t i = 1; i < count; ++i) {  // in one piece
    const std::size_t to = generator.next() % i;
    add(i, to);
    if (is_directed) add(to, i);
  }
  if (is_directed) {  // a ring that leads one way
    for (std::size_t i = 0; i < count; i += 1) add(i, (i + 1) % count);
  }
  for (std::size_t i = generator.next() % 12; i > 0; --i) {
    add(generator.next() % count, generator.next() % count);
  }
  return Graph(description);
}

TEST(LinkGraph, CutsDrawnGraphsAsBruteForceDoes) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    expect_as_by_force(drawn_graph(seed, false));
    expect_as_by_force(drawn_graph(seed, true));
  }
}

TEST(LinkGraph, NamesWhatIsBehindABridge) {
  // Two triangles, a-b-c and d-e-f, joined by c-d.
  GraphDescription description;
  description.file = "two.dot";
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) description.nodes.push_back({name});
  description.edges = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 3}};
  const Graph topology(description);
  const LinkGraph graph(topology);
  const LinkCut cut = graph.smallest_cut();
  EXPECT_EQ(graph.in_words(cut.links), "c-d");
  EXPECT_THAT(graph.names(cut.cut_off), ElementsAre("d", "e", "f"));
  EXPECT_EQ(graph.cuts(1, 10).count, 1);
  EXPECT_EQ(graph.cuts(2, 10).count, 1 + 3 + 3) << "two links of either triangle";
}

TEST(LinkGraph, SaysNothingOfASwitchThatNobodyNeeds) {
  // b is a switch at the end of its only link.
  GraphDescription description;
  description.file = "star.dot";
  description.nodes = {{"a"}, {"b", false}, {"c"}, {"d"}};
  description.edges = {{0, 1}, {0, 2}, {2, 3}, {3, 0}};
  const Graph topology(description);
  const LinkGraph graph(topology);
  ASSERT_EQ(graph.in_words({2}), "a-b");
  EXPECT_THAT(graph.cut_off({2}), IsEmpty());
  EXPECT_EQ(graph.smallest_cut().links.size(), 2);
}

TEST(LinkGraph, CountsAllCutsOfALongRing) {
  const auto ring = parse_topology("ring:100");
  const LinkGraph graph(*ring);
  const LinkCuts cuts = graph.cuts(2, 3);
  EXPECT_EQ(cuts.count, 100 * 99 / 2);
  ASSERT_EQ(cuts.list.size(), 3);
  for (const LinkCut& cut : cuts.list) EXPECT_EQ(cut.cut_off.size(), 50) << "the worst are kept";
}

TEST(LinkGraph, NeedsAllLinksOfANodeOfACube) {
  const auto cube = parse_topology("hypercube:6");
  EXPECT_EQ(LinkGraph(*cube).smallest_cut().links.size(), 6);
  const auto torus = parse_topology("torus:8x8");
  EXPECT_EQ(LinkGraph(*torus).smallest_cut().links.size(), 4);
}

TEST(LinkGraph, RefusesWhatIsTooLarge) {
  const auto cube = parse_topology("hypercube:13");
  EXPECT_THROW(LinkGraph{*cube}, std::invalid_argument);
}

}  // namespace
}  // namespace allport::test
