// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/graphs/remaining_graph.h"
#include "rtl_model/tables/make_table.h"
#include "rtl_model/tables/table_file.h"
#include "rtl_model/topology/channel_words.h"
#include "rtl_model/topology/routing.h"

namespace allport {
namespace {

using testing::HasSubstr;

Graph graph_of(const std::string& path, const std::string& text,
               const std::string* nodes = nullptr) {
  return Graph(read_graph(path, text, nodes));
}

std::string fault_of(const std::string& path, const std::string& text,
                     const std::string* nodes = nullptr) {
  try {
    graph_of(path, text, nodes);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

// `a0>b1 b1>a0`: each channel, by router, then port.
std::string channels_in_words(const Topology& topology) {
  std::string words;
  for (const Channel channel : topology.channels()) {
    const NodeId to = *topology.neighbour(channel.node, channel.port);
    words += (words.empty() ? "" : " ") + topology.node_name(channel.node) +
             std::to_string(index(channel.port)) + ">" + topology.node_name(to) +
             std::to_string(index(topology.arrival_port(channel.node, channel.port)));
    EXPECT_EQ(topology.incoming(to, topology.arrival_port(channel.node, channel.port)), channel);
  }
  return words;
}

// ---- Lists of edges ----

TEST(EdgeList, JoinsNodesByTheLowestPortsThatAreFree) {
  const Graph graph = graph_of("g.csv", "0,1\n1,2\n2,0\n");
  EXPECT_EQ(graph.name(), "graph:g.csv");
  EXPECT_EQ(graph.node_count(), 3U);
  EXPECT_EQ(graph.router_count(), 3U);
  EXPECT_EQ(graph.port_count(), 2U);
  EXPECT_EQ(channels_in_words(graph), "00>10 01>21 10>00 11>20 20>11 21>01");
  EXPECT_EQ(graph.diameter(), 1);
}

TEST(EdgeList, PutsNumbersInTheirOrderAndNamesAsTheyCome) {
  const Graph numbers = graph_of("g.csv", "10,2\n2,9\n9,10\n");
  EXPECT_EQ(numbers.node_name(node_id(0)), "2");
  EXPECT_EQ(numbers.node_name(node_id(2)), "10");
  EXPECT_EQ(numbers.find_node("10"), node_id(2));
  const Graph names = graph_of("g.csv", "b,a\na,10\n10,b\n");
  EXPECT_EQ(names.node_name(node_id(0)), "b");
  EXPECT_EQ(names.node_name(node_id(2)), "10");
  EXPECT_EQ(names.find_node("c"), std::nullopt);
}

TEST(EdgeList, PutsNumbersOfAnyLengthInTheirOrder) {
  const Graph graph = graph_of("g.csv",
                               "18446744073709551616,9223372036854775808\n"
                               "9223372036854775808,100000000000000000000000\n"
                               "100000000000000000000000,007\n007,18446744073709551616\n");
  EXPECT_EQ(graph.node_name(node_id(0)), "007");
  EXPECT_EQ(graph.node_name(node_id(1)), "9223372036854775808");
  EXPECT_EQ(graph.node_name(node_id(2)), "18446744073709551616");
  EXPECT_EQ(graph.node_name(node_id(3)), "100000000000000000000000");
}

TEST(EdgeList, GivesNodesInternalPortsOfTheirOwn) {
  const std::string edges = "a,b\nb,c\nc,a\na,s\n";
  const std::string nodes = "node,ports,processor\na,2,\nb,all,\nc,,\ns,,false\n";
  const Graph graph = graph_of("g.csv", edges, &nodes);
  EXPECT_TRUE(has_own_internal_ports(graph));
  EXPECT_EQ(graph.external_ports(node_id(0)), 3);
  EXPECT_EQ(graph.internal_ports(node_id(0)), 2);
  EXPECT_EQ(graph.internal_ports(node_id(1)), 2) << "all of b";
  EXPECT_EQ(graph.internal_ports(node_id(2)), std::nullopt);
  EXPECT_EQ(internal_ports_of(graph, node_id(2), 1), 1);
  EXPECT_EQ(internal_ports_of(graph, node_id(2), 3), 2) << "c has two external ports";
  EXPECT_EQ(internal_ports_of(graph, node_id(3), 3), 0) << "s is a switch";
  EXPECT_EQ(internal_port_of(graph, node_id(0), port_id(2), 3), 0);
  EXPECT_EQ(internal_port_of(graph, node_id(0), port_id(1), 3), 1);
  EXPECT_FALSE(has_own_internal_ports(graph_of("g.csv", edges)));
  const std::string more = "node,ports\na,4\nb,\nc,\ns,\n";
  EXPECT_THAT(
      fault_of("g.csv", edges, &more),
      HasSubstr("g.nodes.csv:2: node a has ports 4, its internal ports; they must be 1..3"));
  const std::string of_switch = "node,ports,processor\na,,\nb,,\nc,,\ns,all,false\n";
  EXPECT_THAT(fault_of("g.csv", edges, &of_switch),
              HasSubstr("g.nodes.csv:5: node s has ports all, which are internal ports"));
}

TEST(EdgeList, TakesNodesWithoutProcessorsFromAFileBesideIt) {
  const std::string nodes = "node,processor\nhub,false\na,\nb,true\nc,1\n";
  const Graph graph = graph_of("g.csv", "a,hub\nb,hub\nc,hub\n", &nodes);
  EXPECT_EQ(graph.node_count(), 3U);
  EXPECT_EQ(graph.router_count(), 4U);
  EXPECT_EQ(graph.node_name(node_id(0)), "a");
  EXPECT_EQ(graph.node_name(node_id(3)), "hub");
  EXPECT_EQ(graph.place_in_file(node_id(3)), 0U);
  EXPECT_EQ(graph.first_in_file(), node_id(3));
  EXPECT_EQ(graph.port_count(), 3U);
  EXPECT_EQ(channels_in_words(graph), "a0>hub0 b0>hub1 c0>hub2 hub0>a0 hub1>b0 hub2>c0");
  EXPECT_EQ(output_in_words(graph, {node_id(3), port_id(1)}), "channel hub -> b (port 1)");
  EXPECT_EQ(input_in_words(graph, {node_id(3), port_id(1)}, 2), "channel b -> hub (port 0, VC 2)");
  EXPECT_EQ(output_in_words(graph, {node_id(0), port_id(3)}), "ejection channel 0 of node a");
}

TEST(EdgeList, TakesNamedColumnsAndPorts) {
  const Graph graph = graph_of(
      "g.csv", "# links\nv,u,to_port,from_port,delay,width\n1,0,5,,3,2\n1,0,0,4,,\n1,2,,,,\n");
  EXPECT_EQ(graph.port_count(), 6U);
  EXPECT_EQ(channels_in_words(graph), "00>15 04>10 10>04 11>20 15>00 20>11");
  const GraphDescription::Edge& edge = graph.description().edges.front();
  EXPECT_EQ(edge.delay, 3);
  EXPECT_EQ(edge.width, 2);
  EXPECT_FALSE(graph.description().edges.back().delay);
}

TEST(EdgeList, TakesCellsInQuotes) {
  const std::string nodes = "\"node\",\"processor\"\n\"a, b\",FALSE\n\"(0, 0)\",TRUE\nc,tRuE\n";
  const Graph graph = graph_of("g.csv", "\"(0, 0)\",\"a, b\",\"3\"\nc , \"a, b\"\n", &nodes);
  EXPECT_EQ(channels_in_words(graph), "(0, 0)0>a, b0 c0>a, b1 a, b0>(0, 0)0 a, b1>c0");
  EXPECT_EQ(graph.description().edges.front().delay, 3);
  EXPECT_EQ(graph.description().nodes_file, "g.nodes.csv");
  const Graph mixed = graph_of("g.csv", "\"a\",\"b\"\nb,a2\n\"a2\",a\n");
  EXPECT_EQ(mixed.node_count(), 3U) << "a name is the same with quotes and without them";
}

TEST(EdgeList, TakesTheNamesOfColumnsThatPandasAndNetworkxGive) {
  const Graph graph = graph_of("g.csv", "target,source,delay\n1,0,2\n2,1,\n0,2,\n");
  EXPECT_EQ(channels_in_words(graph), "00>10 01>21 10>00 11>20 20>11 21>01");
  EXPECT_EQ(graph.description().edges.front().delay, 2);
  EXPECT_THAT(fault_of("g.csv", "source,target,weight\n0,1,2\n"),
              HasSubstr("g.csv:1: unknown column 'weight': "));
  EXPECT_EQ(fault_of("g.csv", "u,v,source\n"), "g.csv:1: column u is given twice");
}

TEST(EdgeList, RefusesAFirstLineThatNamesOtherColumns) {
  for (const char* const names : {"from,to", "u,w", "node1,node2", "Source,Target"}) {
    EXPECT_THAT(fault_of("g.csv", std::string(names) + "\n0,1\n1,2\n2,0\n"),
                HasSubstr(" stand in no other line; a line that names the columns has u and v, or "
                          "source and target"))
        << names;
  }
  EXPECT_EQ(
      fault_of("g.csv", "a,b\nc,d\n"),
      "g.csv:1: 'a' and 'b' stand in no other line; a line that names the columns has u and v, "
      "or source and target");
  EXPECT_EQ(fault_of("g.csv", "a,b\n"), "");
  EXPECT_EQ(fault_of("g.csv", "a,b\nb,c\n"), "");
  EXPECT_EQ(fault_of("g.csv", "u,v\na,b\nc,d\n"), "") << "names are columns, and two links apart";
  EXPECT_EQ(fault_of("g.csv", "0,1\n2,3\n"), "");
}

TEST(EdgeList, NamesItsColumnsInSmallLetters) {
  EXPECT_EQ(fault_of("g.csv", "U,V,Delay\na,b,3\n"),
            "g.csv:1: column 'U' must be written 'u': the names of columns are in small letters");
  EXPECT_EQ(
      fault_of("g.csv", "Source,target,width\na,b,3\n"),
      "g.csv:1: column 'Source' must be written 'source': the names of columns are in small letters");
  const std::string nodes = "Node,Processor\na,false\n";
  EXPECT_EQ(
      fault_of("g.csv", "a,b\n", &nodes),
      "g.nodes.csv:1: column 'Node' must be written 'node': the names of columns are in small letters");
  EXPECT_EQ(graph_of("g.csv", "U,V\nV,u\n").node_name(node_id(0)), "U") << "nodes of such names";
}

TEST(EdgeList, SaysHowNetworkxWritesIt) {
  EXPECT_EQ(
      fault_of("g.csv", "0,1,{'delay': 3, 'width': 2}\n"),
      "g.csv:1: behind u and v stands '{'delay': 3', attributes as networkx writes them; "
      "write_edgelist with data=False or data=[\"delay\", \"width\"] writes none or columns, and "
      "write_graphml all");
}

TEST(Graph, HasNamesThatCanBePrinted) {
  EXPECT_EQ(fault_of("g.csv", "a,b\nb,\"c\nd\"\n"),
            "g.csv:2: node 'c\\nd' must be a text in UTF-8 without control characters");
  EXPECT_EQ(fault_of("g.dot", "graph { a--b b--\"\xe9\" }"),
            "g.dot:1: node '\\xe9' must be a text in UTF-8 without control characters");
  EXPECT_EQ(fault_of("g.dot", "graph { a [group=\"\xe9\"]; a--b }"),
            "g.dot:1: group '\\xe9' must be a text in UTF-8 without control characters");
  EXPECT_EQ(fault_of("g.graphml", "<graphml><graph><node id='a&#27;'/></graph></graphml>"),
            "g.graphml:1: node 'a\\x1b' must be a text in UTF-8 without control characters");
}

TEST(EdgeList, NamesTheLineOfWhatIsWrong) {
  EXPECT_EQ(fault_of("g.csv", ""), "g.csv: there is no edge in it; a line is u,v[,delay[,width]]");
  EXPECT_EQ(fault_of("g.csv", "0\n"), "g.csv:1: 1 cell, but a line is u,v,delay,width");
  EXPECT_EQ(fault_of("g.csv", "0,1,2,3,4\n"), "g.csv:1: 5 cells, but a line is u,v,delay,width");
  EXPECT_EQ(fault_of("g.csv", "0,\n"), "g.csv:1: v is missing");
  EXPECT_EQ(fault_of("g.csv", "u,v,dealy\n"),
            "g.csv:1: unknown column 'dealy': did you mean 'delay'?");
  EXPECT_EQ(fault_of("g.csv", "u,v,u\n"), "g.csv:1: column u is given twice");
  EXPECT_EQ(fault_of("g.csv", "0,1,1025\n"),
            "g.csv:1: delay '1025': must be a whole number in 0..1024");
  EXPECT_EQ(fault_of("g.csv", "0,1,0,65\n"),
            "g.csv:1: width '65': must be a whole number in 1..64");
  EXPECT_EQ(fault_of("g.csv", "0,1\n1,1\n"),
            "g.csv:2: edge 1 - 1 is a loop; a link joins two nodes");
  EXPECT_EQ(
      fault_of("g.csv", "0,1\n1,0\n"),
      "g.csv:2: edge 1 - 0 is there twice; parallel links name their ports, from_port and to_port");
  EXPECT_EQ(fault_of("g.csv", "u,v,from_port,to_port\n0,1,0,0\n0,1,1,0\n"),
            "g.csv:3: edge 0 - 1: port 0 of node 1 has a link already");
  EXPECT_EQ(fault_of("g.csv", "u,v,from_port\n0,1,63\n"),
            "g.csv:2: from_port '63': must be a whole number in 0..62");
  const std::string nodes = "a\nb\na\n";
  EXPECT_EQ(fault_of("g.csv", "a,b\n", &nodes), "g.nodes.csv:3: node 'a' is there twice");
  const std::string two = "a\nb\n";
  EXPECT_EQ(fault_of("g.csv", "a,c\n", &two), "g.csv:1: 'c' is not a node of g.nodes.csv");
  const std::string three = "a\nb\nc\n";
  EXPECT_EQ(fault_of("g.csv", "a,b\n", &three), "g.csv: node c has no edge");
  const std::string switches = "node,processor\na,true\nb,false\n";
  EXPECT_EQ(fault_of("g.csv", "a,b\n", &switches),
            "g.csv: it has 1 node with a processor, and needs 2 or more");
  const std::string flag = "node,processor\na,perhaps\n";
  EXPECT_EQ(fault_of("g.csv", "a,b\n", &flag),
            "g.nodes.csv:2: processor 'perhaps': must be true or false");
}

// One line for each number, from 0.
std::string lines_of(const std::string& before, const std::string& behind, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += before + std::to_string(i) + behind + "\n";
  return text;
}

// Each file has many more, of which nothing is made.
TEST(Graph, OfTooManyNodesIsRefusedAtTheFirstOfThem) {
  constexpr std::size_t most = max_node_count;
  constexpr std::size_t many = most + 1000;
  const std::string why = ": here is one node more than the 1048576 that are possible at most";
  EXPECT_EQ(fault_of("g.graphml",
                     "<graphml><graph><!-- <node/> --><desc><![CDATA[<node/>]]>\n"
                     "</desc>" +
                         lines_of("<node id='", "'/>", many)),
            "g.graphml:" + std::to_string(2 + most) + why)
      << "before it is seen that the XML does not end";
  EXPECT_EQ(fault_of("g.dot", "graph {\n" + lines_of("", ";", many)),
            "g.dot:" + std::to_string(2 + most) + why);
  EXPECT_EQ(fault_of("g.csv", lines_of("0,n", "", many)).substr(0, 40),
            "g.csv:64: edge 0 - n63: node 0 has more ");
  const std::string nodes = "node\n" + lines_of("", "", many);
  EXPECT_EQ(fault_of("g.csv", "0,1\n", &nodes), "g.nodes.csv:" + std::to_string(2 + most) + why);
  const std::string routers = "node,endpoints\n" + lines_of("", ",63", 20000);
  EXPECT_EQ(fault_of("g.csv", "0,1\n", &routers),
            "g.nodes.csv:" + std::to_string(2 + (most - 20000) / 63) + why);
}

TEST(EdgeList, OfTooManyNodesIsRefusedAtTheFirstOfThem) {
  std::string text;
  for (std::size_t i = 0; i < max_node_count + 1000; ++i) {
    text += std::to_string(i) + "," + std::to_string(i + 1) + "\n";
  }
  EXPECT_EQ(fault_of("g.csv", text),
            "g.csv:1048576: here is one node more than the 1048576 that are possible at most");
}

TEST(Graph, EndsWithTheFirstEdgeThatHasNoPort) {
  const std::string far = "a,b\n" + lines_of("hub,n", "", 70) + "a,b\n";
  EXPECT_EQ(fault_of("g.csv", far), "g.csv:65: edge hub - n63: node hub has more than 63 ports");
  EXPECT_EQ(fault_of("g.csv", "a,b\na,b\n" + far),
            "g.csv:2: edge a - b is there twice; parallel links name their ports, from_port and "
            "to_port");
  std::string left, right;
  for (int i = 0; i < 20000; ++i) {
    left += " l" + std::to_string(i);
    right += " r" + std::to_string(i);
  }
  EXPECT_EQ(fault_of("g.dot", "graph { {" + left + "} -- {" + right + "} }"),
            "g.dot:1: edge l0 - r63: node l0 has more than 63 ports")
      << "of 400,000,000";
  std::string edges;
  for (int i = 0; i < 1'100'000; ++i) edges += "<edge source='a' target='b'/>\n";
  EXPECT_EQ(fault_of("g.graphml", "<graphml><graph><node id='a'/><node id='b'/>\n" + edges),
            "g.graphml:1048578: here is one edge more than the 1048576 that so few nodes can have "
            "at most");
}

TEST(GraphMl, CountsTheNodesOfWideTexts) {
  std::string text = "<graphml><graph>" + lines_of("<node id='", "'/>", max_node_count + 10);
  std::string wide = "\xff\xfe";
  for (const char one : text) wide += {one, '\0'};
  EXPECT_THAT(fault_of("g.graphml", wide), HasSubstr("here is one node more than the 1048576"));
}

TEST(Graph, OfTooManyPortsIsRefused) {
  std::string star;
  for (int i = 1; i <= 64; ++i) star += "0," + std::to_string(i) + "\n";
  EXPECT_EQ(fault_of("g.csv", star), "g.csv:64: edge 0 - 64: node 0 has more than 63 ports");
}

// ---- GraphML ----

constexpr const char* graphml_head =
    "<?xml version='1.0' encoding='utf-8'?>\n"
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
    "  <key id=\"d0\" for=\"node\" attr.name=\"processor\" attr.type=\"boolean\">\n"
    "    <default>true</default>\n"
    "  </key>\n"
    "  <key id=\"d1\" for=\"edge\" attr.name=\"delay\" attr.type=\"double\" />\n"
    "  <key id=\"d2\" for=\"node\" attr.name=\"color\" attr.type=\"string\" />\n";

std::string graphml(const std::string& graph) { return graphml_head + graph + "</graphml>\n"; }

TEST(GraphMl, IsReadInTheOrderOfItsNodes) {
  const Graph graph = graph_of("g.graphml", graphml("<graph edgedefault=\"undirected\">\n"
                                                    "<node id=\"b\" />\n"
                                                    "<node id=\"s\"><data key=\"d0\">False</data>"
                                                    "<data key=\"d2\">red</data></node>\n"
                                                    "<node id=\"a\" />\n"
                                                    "<edge source=\"b\" target=\"s\" />\n"
                                                    "<edge source=\"s\" target=\"a\">"
                                                    "<data key=\"d1\">3.0</data></edge>\n"
                                                    "</graph>\n"));
  EXPECT_EQ(channels_in_words(graph), "b0>s0 a0>s1 s0>b0 s1>a0");
  EXPECT_EQ(graph.description().edges[1].delay, 3);
  EXPECT_FALSE(graph.is_directed());
}

TEST(GraphMl, OfADirectedGraphHasChannelsOneWay) {
  const Graph graph = graph_of("g.xml", graphml("<graph edgedefault=\"directed\">"
                                                "<node id=\"0\"/><node id=\"1\"/><node id=\"2\"/>"
                                                "<edge source=\"0\" target=\"1\"/>"
                                                "<edge source=\"1\" target=\"2\"/>"
                                                "<edge source=\"2\" target=\"0\"/>"
                                                "<edge source=\"2\" target=\"1\"/></graph>"));
  EXPECT_EQ(channels_in_words(graph), "00>10 10>20 20>00 21>11");
  EXPECT_EQ(graph.incoming(node_id(1), port_id(1)), (Channel{node_id(2), port_id(1)}));
}

TEST(GraphMl, StripsBlanksAroundValues) {
  const Graph graph = graph_of(
      "g.graphml", graphml("<graph><node id='a'/><node id='s'><data key='d0'> false\n</data></node>"
                           "<node id='b'/><edge source='a' target='s'><data key='d1'>\t3 </data>"
                           "</edge><edge source='s' target='b'/></graph>"));
  EXPECT_EQ(graph.node_count(), 2U);
  EXPECT_EQ(graph.description().edges[0].delay, 3);
}

TEST(GraphMl, RefusesTheCharacterZero) {
  for (const std::string zero : {"&#0;", "&#00;", "&#x0;"}) {
    EXPECT_EQ(fault_of("g.graphml", graphml("<graph>\n<node id='a" + zero +
                                            "'/><node id='b&#48;&#10;'/></graph>")),
              "g.graphml:9: it refers to the character 0, which no XML may have");
  }
  EXPECT_EQ(
      fault_of("g.graphml",
               graphml("<!-- &#0; --><graph><node id='a'/><node id='b&#48;'><data key='d2'>"
                       "<![CDATA[&#0;]]></data></node><edge source='a' target='b0'/></graph>")),
      "");
}

TEST(GraphMl, NamesTheLineOfWhatIsWrong) {
  const auto fault = [](const std::string& graph) { return fault_of("g.graphml", graphml(graph)); };
  EXPECT_THAT(
      fault_of("g.graphml", "<graphml><graph>"),
      HasSubstr("g.graphml:1: it is no XML: expected the end of the element that was begun last"));
  EXPECT_EQ(fault_of("g.graphml", ""), "g.graphml:1: it is no XML: expected an element");
  EXPECT_EQ(fault_of("g.graphml", "<html/>"), "g.graphml: it is XML without an element graphml; " +
                                                  std::string(graph_formats_in_words));
  EXPECT_EQ(fault(""), "g.graphml:2: it has no element graph");
  EXPECT_EQ(fault("<graph>\n<node/></graph>"), "g.graphml:9: a node has no id");
  EXPECT_EQ(fault("<graph><node id='a'/>\n<node id='a'/></graph>"),
            "g.graphml:9: node 'a' is there twice");
  EXPECT_EQ(fault("<graph><node id='a'/>\n<edge source='a' target='b'/></graph>"),
            "g.graphml:9: target 'b' is not a node");
  EXPECT_EQ(fault("<graph><node id='a'>\n<graph/></node></graph>"),
            "g.graphml:8: node 'a' has a graph of its own, which is not read");
  EXPECT_EQ(fault("<graph edgedefault='both'/>"),
            "g.graphml:8: edgedefault 'both' must be directed or undirected");
  EXPECT_EQ(fault("<graph><node id='a'/><node id='b'/>\n\n"
                  "<edge source='a' target='b'><data key='d1'>1.5</data></edge></graph>"),
            "g.graphml:10: delay '1.5': must be a whole number in 0..1024");
  EXPECT_THAT(
      fault_of("g.graphml",
               "<!DOCTYPE graphml [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>\n" +
                   graphml("<graph/>")
                       .substr(std::string("<?xml version='1.0' encoding='utf-8'?>\n").size())),
      HasSubstr("it has entities of its own, which are not read"));
}

// ---- DOT ----

TEST(Dot, IsReadWithSubgraphsAndDefaults) {
  const Graph graph = graph_of("g.dot",
                               "/* a tree */ graph tree {\n"
                               "  node [shape=box];\n"
                               "  subgraph cluster { node [processor=false] s; t [level=2] }\n"
                               "  a -- s -- b; s -- t [delay=4, width=\"2\"]\n"
                               "  t -- {c \"d e\"}  // two edges\n"
                               "  label = \"x\"; graph [rankdir=LR]\n"
                               "}\n");
  EXPECT_EQ(graph.node_count(), 4U);
  EXPECT_EQ(graph.router_count(), 6U);
  EXPECT_EQ(channels_in_words(graph),
            "a0>s0 b0>s1 c0>t1 d e0>t2 s0>a0 s1>b0 s2>t0 t0>s2 t1>c0 t2>d e0");
  EXPECT_EQ(graph.description().edges[2].delay, 4);
  EXPECT_EQ(graph.node_of(*graph.find_node("t")).level, 2);
}

TEST(Dot, OfADigraphHasChannelsOneWay) {
  const Graph graph = graph_of("g", "strict digraph { 0 -> 1 -> 0; 0 -> 1 }");
  EXPECT_EQ(channels_in_words(graph), "00>10 10>00");
}

TEST(Dot, StripsBlanksAroundValues) {
  const Graph graph = graph_of("g.dot",
                               "graph { a [group=\" x \", level=\"2 \"]; s [processor=\" 0\"];"
                               " a -- s [delay=\" 3 \"]; s -- b }");
  EXPECT_EQ(graph.node_count(), 2U);
  EXPECT_EQ(graph.node_of(node_id(0)).group, "x");
  EXPECT_EQ(graph.node_of(node_id(0)).level, 2);
  EXPECT_EQ(graph.description().edges[0].delay, 3);
  EXPECT_EQ(fault_of("g.dot", "graph { a -- b [delay=\"  \"] }"),
            "g.dot:1: delay '': must be a whole number in 0..1024");
}

TEST(Dot, NamesTheLineOfWhatIsWrong) {
  EXPECT_EQ(fault_of("g.dot", "graph {\na -- \"\" }"), "g.dot:2: the name of a node is empty");
  EXPECT_EQ(fault_of("g.dot", "graph \"\" { a -- b; label = \"\"; a:\"\" -- c }"), "");
  EXPECT_EQ(fault_of("g.dot", "tree {}"), "g.dot:1: expected graph or digraph, not 'tree'");
  EXPECT_EQ(fault_of("g.dot", "graph {\na -> b }"), "g.dot:2: an edge of a graph is written --");
  EXPECT_EQ(fault_of("g.dot", "graph {\na -- }"), "g.dot:2: expected a name, not '}'");
  EXPECT_EQ(fault_of("g.dot", "graph {\na -- b"), "g.dot:2: expected a name, not the end");
  EXPECT_EQ(fault_of("g.dot", "graph { a -- \"b"), "g.dot:1: a name in quotes does not end");
  EXPECT_EQ(fault_of("g.dot", "graph { a -- <b> }"), "g.dot:1: a name in HTML is not read");
  EXPECT_EQ(fault_of("g.dot", "graph { a -- b [delay=-1] }"),
            "g.dot:1: delay '-1': must be a whole number in 0..1024");
  EXPECT_EQ(fault_of("g.dot", "graph { a -- b } graph {}"), "g.dot:1: it goes on behind the graph");
  EXPECT_EQ(fault_of("g.dot", "graph { a -- b /* "), "g.dot:1: a comment does not end");
  EXPECT_EQ(fault_of("g.dot", "graph " + std::string(70, '{')),
            "g.dot:1: subgraphs are nested more than 64 times");
}

TEST(GraphFormat, FollowsFromTheEndingOrTheBeginning) {
  EXPECT_EQ(graph_format("a.graphml", ""), GraphFormat::graphml);
  EXPECT_EQ(graph_format("a.gv", ""), GraphFormat::dot);
  EXPECT_EQ(graph_format("a.csv", "graph {}"), GraphFormat::edges);
  EXPECT_EQ(graph_format("a", "\n <graphml/>"), GraphFormat::graphml);
  EXPECT_EQ(graph_format("a", "digraph{}"), GraphFormat::dot);
  EXPECT_EQ(graph_format("a", "graphics,1\n"), GraphFormat::edges);
  EXPECT_EQ(graph_format("a", "# made\n/* by hand */ Strict Graph \"g\" {}"), GraphFormat::dot);
  EXPECT_EQ(graph_format("-", "# edges\n\"a, b\",c\n"), GraphFormat::edges);
  EXPECT_EQ(nodes_file_of("x/net.csv"), "x/net.nodes.csv");
  EXPECT_EQ(nodes_file_of("net"), "net.nodes.csv");
}

TEST(GraphFormat, IsNoneOfOtherFiles) {
  const std::string formats = std::string(graph_formats_in_words);
  for (const std::string& text :
       {std::string("{\"directed\": false, \"nodes\": []}"), std::string("[1, 2]\n"),
        std::string("graph [\n  node [ id 0, x 1 ]\n]\n"), std::string("0 1 {}\n"),
        std::string("\x1f\x8b\x08\0\0,\1", 7), std::string("*vertices 4\n")}) {
    EXPECT_EQ(fault_of("a.x", text), "a.x: it is no graph that is read; " + formats) << text;
  }
  const std::string zipped("PK\3\4,\0", 6);
  for (const char* const path : {"a.csv", "a.dot"}) {
    EXPECT_EQ(fault_of(path, zipped),
              std::string(path) + ": it is no graph that is read; " + formats);
  }
  EXPECT_EQ(fault_of("-", std::string("a\0,\0b\0", 6)),
            "stdin: it is text in UTF-16 or UTF-32; save it as UTF-8; " + formats);
  EXPECT_EQ(fault_of("a.gexf", "<gexf/>"),
            "a.gexf: it is XML without an element graphml; " + formats);
}

// ---- Tables on graphs ----

std::shared_ptr<const Topology> shared(Graph graph) {
  return std::make_shared<Graph>(std::move(graph));
}

TEST(GraphTables, GoUpAndDownByTheOrderOfTheFile) {
  // A ring of switches, of which t is the first of the file.
  const auto graph = shared(
      graph_of("g.dot",
               "graph { node [processor=false]; t; u; v; w; node [processor=true]; t--u--v--w--t; "
               "a--t b--u c--v d--w }"));
  const Routing routing(graph, make_table({"updown", nullptr, graph}));
  const auto way = [&](const char* from, const char* to) {
    std::string words;
    for (const Channel channel : routing.path(*graph->find_node(from), *graph->find_node(to))) {
      words += graph->node_name(channel.node) + " ";
    }
    return words;
  };
  EXPECT_EQ(way("a", "c"), "a t u v ");  // of two ways of one length by the lowest port
  EXPECT_EQ(way("b", "d"), "b u t w ");  // not over v, where it would turn from down to up
  EXPECT_EQ(routing.distance(*graph->find_node("c"), *graph->find_node("d")), 3);
  EXPECT_EQ(routing.table()->router_count(), 8U);
  EXPECT_EQ(routing.table()->node_count(), 4U);
}

TEST(GraphTables, NameAPairThatIsCutOff) {
  const auto graph = shared(graph_of("g.csv", "0,1\n2,3\n"));
  try {
    make_table({"updown", nullptr, graph});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("a message from node 2 to node 0: no way leads there, so "
                                        "they are cut off"));
  }
}

TEST(GraphTables, AreReadAsTheyAreWrittenWhateverTheNames) {
  GraphDescription description;
  description.file = "g";
  for (const char* const name : {"ä, b", "(0, 0)", "\"q\"", "a\"", "#x", " lead ", "node", "port",
                                 "inject", "local", "7", "'", "a b"}) {
    description.nodes.emplace_back();
    description.nodes.back().name = name;
  }
  for (std::size_t i = 0; i < description.nodes.size(); ++i) {
    description.edges.emplace_back();
    description.edges.back().u = i;
    description.edges.back().v = (i + 1) % description.nodes.size();
  }
  const auto graph = shared(Graph(description));
  const auto table = make_table({"updown", nullptr, graph});
  std::ostringstream rows;
  write_table(rows, *table, *graph);
  const auto text = std::make_shared<const std::string>(rows.str());
  const auto again = make_table({"t.csv", text, graph});
  ASSERT_EQ(again->layers(), table->layers());
  for (int layer = 0; layer <= table->layers(); ++layer) {
    for (std::size_t from = 0; from < graph->router_count(); ++from) {
      for (std::size_t to = 0; to < graph->node_count(); ++to) {
        EXPECT_EQ(again->at(node_id(from), layer, node_id(to)),
                  table->at(node_id(from), layer, node_id(to)));
      }
    }
  }
}

TEST(GraphTables, AreRefusedWhereThereAreNoDimensions) {
  const auto graph = shared(graph_of("g.csv", "0,1\n"));
  try {
    make_table({"dimension", nullptr, graph});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("graph:g.csv has no dimensions"));
  }
  EXPECT_THROW(Routing(graph, RoutingOrder::dimension_ordered), std::invalid_argument);
}

// The nodes on the way between two names, with the layer of each hop.
std::string way_of(const Routing& routing, const char* from, const char* to) {
  const Topology& topology = routing.topology();
  std::string words;
  routing.walk_hops(
      *topology.find_node(from), *topology.find_node(to), 0, [&](NodeId here, const Hop& hop) {
        words += topology.node_name(here) + std::to_string(layer_of(hop.vc_class)) + " ";
      });
  return words;
}

// What is asked of the table of a rule, with what the graph's file says for it.
TableRequest request_of_rule(const std::shared_ptr<const Topology>& topology, const char* rule) {
  TableRequest request{rule, nullptr, topology};
  if (!topology->is_graph()) return request;
  const auto& graph = static_cast<const Graph&>(*topology);
  for (std::size_t i = 0; i < graph.router_count(); ++i) {
    request.groups.push_back(graph.node_of(node_id(i)).group);
    request.levels.push_back(graph.node_of(node_id(i)).level);
  }
  return request;
}

std::string fault_of_rule(const std::shared_ptr<const Topology>& graph, const char* rule) {
  try {
    make_table(request_of_rule(graph, rule));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(FatTreeTable, GoesUpByTheDigitsOfTheDestination) {
  const auto graph = shared(
      graph_of("g.dot",
               "graph { node [processor=false]; s [level=0] t [level=0] q [level=1] r [level=1] "
               "node [processor=true]; a--s b--s c--t d--t s--q s--r t--q t--r }"));
  const Routing routing(graph, make_table(request_of_rule(graph, "fattree")));
  EXPECT_EQ(routing.table()->layers(), 1);
  EXPECT_EQ(way_of(routing, "a", "b"), "a0 s0 ");
  EXPECT_EQ(way_of(routing, "a", "c"), "a0 s0 q0 t0 ") << "node 2 is even";
  EXPECT_EQ(way_of(routing, "a", "d"), "a0 s0 r0 t0 ");
  EXPECT_EQ(way_of(routing, "d", "b"), "d0 t0 r0 s0 ");
}

TEST(FatTreeTable, RefusesWhatHasNoLevels) {
  EXPECT_EQ(fault_of_rule(shared(graph_of("g.dot", "graph { s [processor=false]; a--s b--s }")),
                          "fattree"),
            "routing table:fattree: switch s of graph:g.dot has no level; it takes a graph whose "
            "switches have one");
  EXPECT_EQ(fault_of_rule(shared(graph_of("g.dot", "graph { a--b }")), "fattree"),
            "routing table:fattree: a and b, which have processors and are at the foot of the "
            "tree, have a link; between them stand switches with a level");
  EXPECT_EQ(fault_of_rule(parse_topology("ring:4"), "fattree"),
            "routing table:fattree: ring:4 is no graph whose switches have levels");
}

TEST(GraphTables, HaveTheArgumentThatTheirColonPromises) {
  const auto fault = [](const std::string& rule) {
    try {
      is_table_rule(rule);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(fault("updown:"),
            "table:updown: has nothing behind its last colon; give the ROOT there, or leave the "
            "colon out");
  EXPECT_THAT(fault("dimension:"), HasSubstr("give the order there"));
}

TEST(GraphTables, OfAWholeFabricAreReadWhereNodesAreMissing) {
  const auto whole = shared(graph_of("g.csv", "0,1\n1,2\n2,3\n3,0\n"));
  TableRequest request;
  request.rule = "updown:2";
  request.topology = whole;
  std::ostringstream out;
  write_table(out, *make_table(request), *whole);
  const auto left = without_nodes(*whole, {node_id(0)});
  TableRequest of_left;
  of_left.rule = "t.csv";
  of_left.text = std::make_shared<const std::string>(out.str());
  of_left.topology = left;
  of_left.missing_nodes = left->description().missing;
  EXPECT_EQ(make_table(of_left)->router_count(), 3U);
  const auto fault = [&](const std::string& row) {
    try {
      read_table("1,inject,1,local,\n" + row, "t.csv", *left, of_left.missing_nodes);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(fault("0,inject,7,0,0\n"),
              HasSubstr("t.csv:2: destination: '7' is not a node of graph:g.csv without node 0"));
  EXPECT_EQ(fault("1,inject,2,0,0\n"),
            "t.csv:2: port: 0 of node 1 leads nowhere, or to a node that is missing, and a table "
            "goes around these");
}

TEST(DragonflyTable, GoesOverOneChannelBetweenGroups) {
  // Three groups of two routers with a processor each; a joins the others, b is beside it.
  const auto graph = shared(
      graph_of("g.dot",
               "graph { node [group=0]; a0; b0; node [group=1]; a1; b1; node [group=2]; a2; b2; "
               "a0--b0 a1--b1 a2--b2 a0--a1 b1--a2 b2--b0 }"));
  const Routing routing(graph, make_table(request_of_rule(graph, "dragonfly")));
  EXPECT_EQ(routing.table()->layers(), 2);
  EXPECT_EQ(way_of(routing, "b0", "b1"), "b00 a01 a11 ")
      << "layer 1 from the channel between groups on";
  EXPECT_EQ(way_of(routing, "a0", "b0"), "a00 ");
  EXPECT_EQ(way_of(routing, "a0", "b2"), "a00 b01 ");
  EXPECT_EQ(way_of(routing, "a1", "a2"), "a10 b11 ") << "not over group 0";
}

TEST(DragonflyTable, RefusesWhatHasNoGroups) {
  EXPECT_EQ(
      fault_of_rule(shared(graph_of("g.dot", "graph { a [group=0]; a--b }")), "dragonfly"),
      "routing table:dragonfly: b of graph:g.dot has no group; it takes a graph whose nodes and "
      "switches have one");
  EXPECT_THAT(
      fault_of_rule(
          shared(graph_of("g.dot", "graph { a [group=0]; b [group=1]; c [group=2]; a--b--c }")),
          "dragonfly"),
      HasSubstr("a message from node c to node a: at node c by injection the table has no entry, "
                "though a way leads there, which table:shortest takes"));
}

std::shared_ptr<const Topology> triangle() {
  return shared(graph_of("g.dot", "digraph { a->b; b->c; c->a }"));
}

// Up*/down* turns from up to down once, so that some pairs of a directed graph have no way by it.
TEST(GraphTables, OfDirectedGraphsAreThoseOfShortestWaysByDefault) {
  EXPECT_EQ(fault_of_rule(triangle(), "updown"),
            "routing table:updown: a message from node b to node a: at node b by injection the "
            "table has no entry, though a way leads there, which table:shortest takes");
  TableRequest request;
  request.topology = triangle();
  EXPECT_EQ(make_default_table(request)->name(), "table:shortest");
  request.topology = shared(graph_of("g.dot", "graph { a--b b--c c--a }"));
  EXPECT_EQ(make_default_table(request)->name(), "table:updown");
  request.topology = shared(graph_of("g.dot", "digraph { a->b b->a b->c c->b }"));
  EXPECT_EQ(make_default_table(request)->name(), "table:updown");
}

TEST(GraphNames, AreNumbersTooWhereNoneIsOne) {
  const auto named = [](const char* text) { return Graph(graph_of("g.dot", text)); };
  const Graph letters = named("graph { s [processor=false]; a--s b--s }");
  EXPECT_EQ(letters.meant_by("b"), node_id(1));
  EXPECT_EQ(letters.meant_by("1"), node_id(1));
  EXPECT_EQ(letters.meant_by("2"), letters.find_node("s"));
  EXPECT_EQ(letters.meant_by("3"), std::nullopt);
  EXPECT_EQ(letters.meant_by(""), std::nullopt);
  const Graph numbers = named("graph { 20--1 1--10 }");
  EXPECT_EQ(numbers.meant_by("1"), node_id(1));
  EXPECT_EQ(numbers.meant_by("10"), node_id(2));
  EXPECT_EQ(numbers.meant_by("0"), std::nullopt) << "a number is a name there";
}

}  // namespace
}  // namespace allport
