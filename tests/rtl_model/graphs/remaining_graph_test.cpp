// SPDX-License-Identifier: Apache-2.0
// What is left of a fabric without some nodes: the other routers with their names, their ports and
// the links between them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/graphs/remaining_graph.h"

namespace allport {
namespace {

using testing::HasSubstr;

// `2.0 > 3.1`: each channel between nodes that are not in `missing`, by names, sorted.
std::vector<std::string> links_without(const Topology& topology,
                                       const std::vector<std::string>& missing = {}) {
  const auto is_there = [&](NodeId node) {
    return std::find(missing.begin(), missing.end(), topology.node_name(node)) == missing.end();
  };
  const auto end = [&](NodeId node, PortId port) {
    return topology.node_name(node) + "." + std::to_string(index(port));
  };
  std::vector<std::string> links;
  for (const Channel channel : topology.channels()) {
    const NodeId to = *topology.neighbour(channel.node, channel.port);
    if (!is_there(channel.node) || !is_there(to)) continue;
    links.push_back(end(channel.node, channel.port) + " > " +
                    end(to, topology.arrival_port(channel.node, channel.port)));
  }
  std::sort(links.begin(), links.end());
  return links;
}

std::vector<NodeId> nodes_called(const Topology& topology, const std::vector<std::string>& names) {
  std::vector<NodeId> nodes;
  for (const std::string& name : names) nodes.push_back(*topology.find_node(name));
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

std::string fault_without(const Topology& topology, const std::vector<std::string>& names) {
  try {
    without_nodes(topology, nodes_called(topology, names));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(RemainingGraph, OfAWholeFabricIsTheSame) {
  for (const char* shape : {"hypercube:4", "mesh:3x4", "torus:4x4", "torus:2x3", "ring:2", "ring:7",
                            "mesh:2x2x3", "torus:3x3x3"}) {
    const auto regular = parse_topology(shape);
    const Graph graph(described(*regular));
    EXPECT_EQ(links_without(graph), links_without(*regular)) << shape;
    EXPECT_EQ(graph.node_count(), regular->node_count()) << shape;
    EXPECT_EQ(graph.port_count(), regular->port_count()) << shape;
    EXPECT_EQ(graph.diameter(), regular->diameter()) << shape;
  }
}

TEST(RemainingGraph, KeepsNamesPortsAndLinksOfTheOthers) {
  for (const char* shape : {"hypercube:4", "mesh:3x4", "torus:4x4", "torus:2x8", "ring:11"}) {
    const auto whole = parse_topology(shape);
    const std::vector<std::string> missing{"10", "2"};
    const auto left = without_nodes(*whole, nodes_called(*whole, missing));
    EXPECT_EQ(links_without(*left), links_without(*whole, missing)) << shape;
    EXPECT_EQ(left->node_count(), whole->node_count() - 2) << shape;
    EXPECT_EQ(left->node_name(node_id(2)), "3") << shape;
    EXPECT_EQ(left->find_node("2"), std::nullopt) << shape;
    EXPECT_EQ(left->name(), std::string(shape) + " without nodes 2 and 10");
    EXPECT_EQ(left->description().whole, shape);
  }
}

TEST(RemainingGraph, OfAGraphKeepsPortsThatItsFileDoesNotName) {
  const Graph whole(read_graph("g.dot",
                               "graph { s [processor=false]; a--s b--s c--s d--s a--b "
                               "d--a [delay=3, width=2]; d [ports=2] }"));
  const auto left = without_nodes(whole, nodes_called(whole, {"b"}));
  EXPECT_EQ(links_without(*left), links_without(whole, {"b"}));
  EXPECT_EQ(left->name(), "graph:g.dot without node b");
  EXPECT_EQ(left->router_count(), 4U);
  EXPECT_EQ(left->node_count(), 3U);
  const NodeId a = *left->find_node("a");
  EXPECT_EQ(left->edge_of({a, port_id(2)}).delay, 3);
  EXPECT_EQ(left->edge_of({a, port_id(2)}).width, 2);
  EXPECT_EQ(internal_ports_of(*left, *left->find_node("d"), 9), 2);
  // Without a its one port is left, which one internal port serves.
  const auto fewer = without_nodes(whole, nodes_called(whole, {"a", "b"}));
  EXPECT_EQ(internal_ports_of(*fewer, *fewer->find_node("d"), 9), 1);
}

TEST(RemainingGraph, OfADirectedGraphHasItsDirections) {
  const Graph whole(read_graph("g.dot", "digraph { a->b b->c c->d d->a b->a c->b }"));
  const auto left = without_nodes(whole, nodes_called(whole, {"d"}));
  EXPECT_TRUE(left->is_directed());
  EXPECT_EQ(links_without(*left), links_without(whole, {"d"}));
  EXPECT_EQ(fault_without(whole, {"a"}),
            "node d of graph:g.dot has no link in one direction to a node that is left; name it as "
            "well, or run on what is connected (--replan)");
}

TEST(RemainingGraph, IsRefusedWhereTooLittleIsLeft) {
  const auto mesh = parse_topology("mesh:2x2");
  EXPECT_EQ(
      fault_without(*mesh, {"1", "2"}),
      "node 0 of mesh:2x2 has no link to a node that is left; name it as well, or run on what is connected (--replan)");
  EXPECT_THAT(fault_without(*mesh, {"0", "1", "2"}), HasSubstr("they leave 1 node of mesh:2x2"));
  EXPECT_THAT(fault_without(*mesh, {"0", "1", "2", "3"}), HasSubstr("they leave 0 nodes"));
  EXPECT_EQ(fault_without(*mesh, {"0"}), "");
}

TEST(RemainingGraph, KnowsWhetherWaysRemain) {
  const auto ring = parse_topology("ring:6");
  EXPECT_TRUE(is_connected_without(*ring, {}));
  EXPECT_TRUE(is_connected_without(*ring, {node_id(0)}));
  EXPECT_TRUE(is_connected_without(*ring, {node_id(0), node_id(1)}));
  EXPECT_FALSE(is_connected_without(*ring, {node_id(0), node_id(2)}));
  const Graph one_way(read_graph("g.dot", "digraph { a->b b->c c->a c->b }"));
  EXPECT_TRUE(is_connected_without(one_way, {}));
  EXPECT_TRUE(is_connected_without(one_way, nodes_called(one_way, {"a"})));
  EXPECT_FALSE(is_connected_without(one_way, nodes_called(one_way, {"c"})));
}

// A file may say how many processors a router has, as SST's graphs do.
TEST(Endpoints, AreNodesBehindTheirRouter) {
  const std::string text = R"(<graphml><key id="e" for="node" attr.name="endpoints"/>
<graph edgedefault="undirected">
<node id="0"><data key="e">2</data></node><node id="1"><data key="e">1</data></node>
<node id="2"><data key="e">0</data></node><node id="3"/>
<edge source="0" target="1"/><edge source="1" target="2"/><edge source="2" target="3"/>
</graph></graphml>)";
  const Graph graph(read_graph("g.graphml", text));
  EXPECT_EQ(graph.node_count(), 4U);
  EXPECT_EQ(graph.router_count(), 7U);
  std::string names;
  for (std::size_t i = 0; i < graph.router_count(); ++i) {
    names += graph.node_name(node_id(i)) + " ";
  }
  EXPECT_EQ(names, "0.0 0.1 1.0 3 0 1 2 ");
  EXPECT_EQ(links_without(graph),
            (std::vector<std::string>{"0.0 > 1.0", "0.0.0 > 0.1", "0.1 > 0.0.0", "0.1.0 > 0.2",
                                      "0.2 > 0.1.0", "1.0 > 0.0", "1.0.0 > 1.2", "1.1 > 2.0",
                                      "1.2 > 1.0.0", "2.0 > 1.1", "2.1 > 3.0", "3.0 > 2.1"}));
}

TEST(Endpoints, OfDirectedGraphsHaveLinksBothWays) {
  const Graph graph(read_graph("g.dot", "digraph { a->b b->a a [endpoints=1] b [endpoints=1] }"));
  EXPECT_EQ(links_without(graph).size(), 6U);
  EXPECT_EQ(graph.node_count(), 2U);
}

TEST(Endpoints, AreRefusedWhereTheyAreNoNumber) {
  const auto fault = [](const std::string& text) {
    try {
      Graph(read_graph("g.dot", text));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(fault("graph { a--b a [endpoints=x] }"),
            "g.dot:1: endpoints 'x': must be a whole number in 0..63");
  EXPECT_THAT(fault("graph { a--b a [endpoints=63] b [endpoints=1] }"),
              HasSubstr("node a has more than 63 ports"));
  EXPECT_THAT(fault("graph { a--b a [endpoints=2, ports=1] b [endpoints=1] }"),
              HasSubstr("a switch has none"));
}

TEST(RemainingGraph, NodesHaveTheNumbersOfTheWholeFabric) {
  const auto left = without_nodes(*parse_topology("mesh:3x3"), {node_id(0), node_id(4)});
  const std::vector<std::size_t> numbers{1, 2, 3, 5, 6, 7, 8};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    EXPECT_EQ(left->number_of(node_id(i)), numbers[i]);
    EXPECT_EQ(left->find_number(numbers[i]), node_id(i));
    EXPECT_EQ(left->node_name(node_id(i)), left->number_text(node_id(i)));
  }
  for (const std::size_t other : {0, 4, 9}) EXPECT_EQ(left->find_number(other), std::nullopt);
  EXPECT_FALSE(left->has_all_numbers());
  const auto again = without_nodes(*left, {node_id(0)});  // node 1
  EXPECT_EQ(again->number_of(node_id(0)), 2U);
  EXPECT_EQ(again->find_number(1), std::nullopt);
  EXPECT_TRUE(parse_topology("mesh:3x3")->has_all_numbers());
}

}  // namespace
}  // namespace allport
