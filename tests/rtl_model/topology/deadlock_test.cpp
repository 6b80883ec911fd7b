// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/deadlock.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

namespace allport {
namespace {

using Vertex = std::tuple<NodeId, PortId, VcClass>;
using Graph = std::map<Vertex, std::set<Vertex>>;

Routing routing_of(const std::string& shape, VcUse vc_use = VcUse::strict) {
  const auto topology = parse_topology(shape);
  return Routing(topology, Routing::default_order(*topology), {}, vc_use);
}

Vertex vertex_of(const Routing& routing, Channel channel, NodeId to, TieMask ties, bool classes) {
  const VcClass vc_class = routing.route(channel.node, to, ties)->vc_class;
  return {channel.node, channel.port, classes ? vc_class : VcClass::h_or_l};
}

// The oracle: every route between all pairs of nodes, every combination of ties.
Graph graph_of_all_pairs(const Routing& routing, bool classes) {
  Graph graph;
  const Topology& topology = routing.topology();
  const TieMask masks = topology.wraps() ? TieMask{1} << topology.dimension_count() : 1;
  for (std::size_t from = 0; from < topology.node_count(); ++from) {
    for (std::size_t to = 0; to < topology.node_count(); ++to) {
      for (TieMask ties = 0; ties < masks; ++ties) {
        const NodeId target = node_id(to);
        const auto path = routing.path(node_id(from), target, ties);
        for (std::size_t i = 1; i < path.size(); ++i) {
          graph[vertex_of(routing, path[i - 1], target, ties, classes)].insert(
              vertex_of(routing, path[i], target, ties, classes));
        }
      }
    }
  }
  return graph;
}

// When a message that never crosses the wraparound channel of a dimension chooses its class there.
enum class Choice { once_per_dimension, on_every_hop };

// The classes that each hop of `path` may take.
std::vector<std::set<VcClass>> classes_of(const Topology& topology,
                                          const std::vector<Channel>& path) {
  std::vector<std::set<VcClass>> classes(path.size(), {VcClass::h_or_l, VcClass::p});
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::size_t port = index(path[i].port);
    const int edge = port % 2 == 0 ? topology.sides()[port / 2] - 1 : 0;
    if (topology.coordinate(path[i].node, port / 2) != edge) continue;
    for (std::size_t j = 0; j < path.size(); ++j) {  // hop i crosses the wraparound channel
      if (path[j].port != path[i].port) continue;
      classes[j] = {j <= i ? VcClass::p : VcClass::h_or_l};
    }
  }
  return classes;
}

Graph graph_of_choices(const Routing& routing, Choice choice) {
  Graph graph;
  const Topology& topology = routing.topology();
  for (std::size_t from = 0; from < topology.node_count(); ++from) {
    for (std::size_t to = 0; to < topology.node_count(); ++to) {
      for (TieMask ties = 0; ties < TieMask{1} << topology.dimension_count(); ++ties) {
        const auto path = routing.path(node_id(from), node_id(to), ties);
        const auto classes = classes_of(topology, path);
        for (std::size_t i = 1; i < path.size(); ++i) {
          const bool is_kept = choice == Choice::once_per_dimension &&
                               path[i].port == path[i - 1].port && classes[i].size() == 2;
          for (const VcClass a : classes[i - 1]) {
            for (const VcClass b : classes[i]) {
              if (is_kept && a != b) continue;
              graph[{path[i - 1].node, path[i - 1].port, a}].insert(
                  {path[i].node, path[i].port, b});
            }
          }
        }
      }
    }
  }
  return graph;
}

// Removes vertices that wait for nothing until nothing is left, or only cycles are.
bool is_acyclic(Graph graph) {
  std::size_t before = graph.size() + 1;
  while (!graph.empty() && graph.size() < before) {
    before = graph.size();
    for (auto vertex = graph.begin(); vertex != graph.end();) {
      auto& successors = vertex->second;
      for (auto next = successors.begin(); next != successors.end();) {
        next = graph.count(*next) == 0 ? successors.erase(next) : std::next(next);
      }
      vertex = successors.empty() ? graph.erase(vertex) : std::next(vertex);
    }
  }
  return graph.empty();
}

void expect_agreement(const Routing& routing, bool classes) {
  const bool is_balanced = classes && routing.vc_use() == VcUse::balanced;
  const std::string shape = routing.topology().name() + (classes ? " with" : " without") +
                            (is_balanced ? " balanced" : "") + " classes";
  const Graph graph = is_balanced ? graph_of_choices(routing, Choice::once_per_dimension)
                                  : graph_of_all_pairs(routing, classes);

  const auto cycle = find_dependency_cycle(routing, classes);

  EXPECT_EQ(cycle.empty(), is_acyclic(graph)) << shape;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const ChannelClass& here = cycle[i];
    const ChannelClass& next = cycle[(i + 1) % cycle.size()];
    const auto found = graph.find({here.channel.node, here.channel.port, here.vc_class});
    ASSERT_NE(found, graph.end()) << shape;
    EXPECT_EQ(found->second.count({next.channel.node, next.channel.port, next.vc_class}), 1U)
        << shape;
  }
}

TEST(Deadlock, AgreesWithTheGraphOfAllPairsOnRings) {
  for (int side = 2; side <= 13; ++side) {
    for (const bool classes : {false, true}) {
      expect_agreement(routing_of("ring:" + std::to_string(side)), classes);
    }
  }
}

TEST(Deadlock, AgreesWithTheGraphOfAllPairsOnTori) {
  for (const char* shape :
       {"torus:2x2", "torus:3x3", "torus:3x2", "torus:4x2", "torus:2x4", "torus:3x4", "torus:4x4",
        "torus:5x4", "torus:7x2", "torus:6x5", "torus:8x8"}) {
    for (const bool classes : {false, true}) expect_agreement(routing_of(shape), classes);
  }
}

TEST(Deadlock, AgreesWithTheGraphOfAllPairsOnThreeDimensions) {
  for (const char* shape : {"torus:2x2x2", "torus:3x3x3", "torus:2x3x4", "torus:4x3x2",
                            "torus:3x5x2", "mesh:2x3x4", "mesh:4x2x2"}) {
    for (const bool classes : {false, true}) expect_agreement(routing_of(shape), classes);
  }
}

TEST(Deadlock, AClassChosenOncePerDimensionClosesNoCycle) {
  for (const char* shape : {"ring:2", "ring:3", "ring:4", "ring:5", "ring:8", "ring:16",
                            "torus:4x4", "torus:5x3", "torus:8x2", "torus:2x3x4"}) {
    const Routing routing = routing_of(shape, VcUse::balanced);
    EXPECT_TRUE(is_acyclic(graph_of_choices(routing, Choice::once_per_dimension))) << shape;
    expect_agreement(routing, true);
  }
  EXPECT_TRUE(find_dependency_cycle(routing_of("torus:64x64", VcUse::balanced), true).empty());
}

TEST(Deadlock, AClassChosenOnEveryHopClosesACycle) {
  for (const char* shape : {"ring:4", "ring:5", "ring:8", "ring:16", "torus:4x4"}) {
    const Routing routing = routing_of(shape, VcUse::balanced);
    EXPECT_FALSE(is_acyclic(graph_of_choices(routing, Choice::on_every_hop))) << shape;
  }
}

TEST(Deadlock, AgreesWithTheGraphOfAllPairsOnHypercubesAndMeshes) {
  for (const char* shape : {"hypercube:1", "hypercube:2", "hypercube:3", "hypercube:6", "mesh:2",
                            "mesh:9", "mesh:4x4", "mesh:5x2"}) {
    for (const bool classes : {false, true}) expect_agreement(routing_of(shape), classes);
  }
  for (const bool classes : {false, true}) {
    expect_agreement(Routing(parse_topology("hypercube:5"), RoutingOrder::ascending), classes);
  }
}

TEST(Deadlock, OneVirtualChannelIsEnoughUpToASideOfThree) {
  EXPECT_TRUE(find_dependency_cycle(routing_of("ring:2"), false).empty());
  EXPECT_TRUE(find_dependency_cycle(routing_of("ring:3"), false).empty());
  EXPECT_FALSE(find_dependency_cycle(routing_of("ring:4"), false).empty());
  EXPECT_TRUE(find_dependency_cycle(routing_of("torus:3x3x3"), false).empty());
  EXPECT_FALSE(find_dependency_cycle(routing_of("torus:3x3x4"), false).empty());
}

TEST(Deadlock, ClassesBreakEveryCycle) {
  for (const char* shape : {"ring:4", "ring:1001", "torus:16x16", "torus:5x6x7", "torus:512x512"}) {
    EXPECT_TRUE(find_dependency_cycle(routing_of(shape), true).empty()) << shape;
  }
}

TEST(Deadlock, HypercubesAndMeshesNeedNoClasses) {
  for (const char* shape : {"hypercube:16", "mesh:512x512", "mesh:3x4x5"}) {
    EXPECT_TRUE(find_dependency_cycle(routing_of(shape), false).empty()) << shape;
  }
}

TEST(Deadlock, TheCycleIsToldChannelByChannel) {
  const Routing ring = routing_of("ring:4");
  const auto cycle = find_dependency_cycle(ring, false);

  EXPECT_EQ(describe_cycle(ring.topology(), cycle, false),
            "0 -> 1 (+x), 1 -> 2 (+x), 2 -> 3 (+x), 3 -> 0 (+x), 0 -> 1 (+x)");
  EXPECT_EQ(describe_cycle(ring.topology(), {cycle[0]}, true),
            "0 -> 1 (+x) class h, 0 -> 1 (+x) class h");
  EXPECT_EQ(describe_cycle(ring.topology(), {}, false), "");
}

TEST(Deadlock, TheMiddleOfALongCycleIsLeftOut) {
  const Routing ring = routing_of("ring:100");
  const auto cycle = find_dependency_cycle(ring, false);

  EXPECT_EQ(cycle.size(), 100U);
  EXPECT_NE(describe_cycle(ring.topology(), cycle, false)
                .find("7 -> 8 (+x), .., 99 -> 0 (+x), 0 -> 1 (+x)"),
            std::string::npos);
}

}  // namespace
}  // namespace allport
