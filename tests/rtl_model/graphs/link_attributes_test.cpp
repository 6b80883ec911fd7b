// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/graphs/link_attributes.h"
#include "rtl_model/graphs/remaining_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "rtl_model/graphs/graph_file.h"

namespace allport {
namespace {

// `0:1 d3 w2`: each channel with its node, its port and what it has of its own.
std::string attributes_in_words(const std::string& text, const Topology& topology) {
  std::string words;
  for (const ChannelAttributes& one :
       channels_of(read_link_attributes("links.csv", text), topology)) {
    words += (words.empty() ? "" : " ") + std::to_string(index(one.channel.node)) + ":" +
             std::to_string(index(one.channel.port));
    if (one.delay) words += "d" + std::to_string(*one.delay);
    if (one.width) words += "w" + std::to_string(*one.width);
  }
  return words;
}

std::string attributes_on(const std::string& text, const char* topology) {
  return attributes_in_words(text, *parse_topology(topology));
}

std::string refusal_on(const std::string& text, const char* topology) {
  try {
    attributes_on(text, topology);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(LinkAttributes, AreThoseOfBothDirections) {
  EXPECT_EQ(attributes_on("0,1,3,2\n", "mesh:4x4"), "0:0d3w2 1:1d3w2");
  EXPECT_EQ(attributes_on("4,0,,2\n", "mesh:4x4"), "4:3w2 0:2w2");
  EXPECT_EQ(attributes_on("5,7,3\n", "hypercube:3"), "5:1d3 7:1d3");
  EXPECT_EQ(attributes_on("0b101,0b111,3\n", "hypercube:3"), "5:1d3 7:1d3");
  EXPECT_EQ(attributes_on("3,0,1,\n", "ring:4"), "3:0d1 0:1d1");
}

TEST(LinkAttributes, AreThoseOfAllLinksBetweenTwoNodesOrOfOne) {
  EXPECT_EQ(attributes_on("0,1,3\n", "ring:2"), "0:0d3 1:1d3 0:1d3 1:0d3");
  EXPECT_EQ(attributes_on("0,1,3,,1\n", "ring:2"), "0:1d3 1:0d3");
  EXPECT_EQ(attributes_on("1,0,3,,1\n0,1,4,,1\n", "ring:2"), "1:1d3 0:0d3 0:1d4 1:0d4");
}

TEST(LinkAttributes, HaveColumnsInTheOrderOfTheFirstLine) {
  EXPECT_EQ(attributes_on("# slow\nfrom_port,width,v,u\n\n0,2,1,0\n", "mesh:2x2"), "0:0w2 1:1w2");
}

TEST(LinkAttributes, AreThoseOfTheEdgesOfAGraph) {
  GraphDescription description = read_graph("g.dot", "digraph { a -> b; b -> c; c -> a }");
  EXPECT_EQ(attributes_in_words("a,b,3\n", Graph(description)), "0:0d3")
      << "an edge is one channel";
  description.is_directed = false;
  EXPECT_EQ(attributes_in_words("b,a,3\n", Graph(description)), "1:0d3 0:0d3");
}

TEST(LinkAttributes, AreRefusedInOneSentence) {
  for (const auto& [text, topology, sentence] : std::vector<std::array<const char*, 3>>{
           {"0,5,1\n", "mesh:4x4", "links.csv:1: nodes 0 and 5 of mesh:4x4 are not neighbours"},
           {"0,0,1\n", "mesh:4x4", "links.csv:1: nodes 0 and 0 of mesh:4x4 are not neighbours"},
           {"\n0,16,1\n", "mesh:4x4",
            "links.csv:2: '16' is not a node of mesh:4x4; its nodes are 0..15"},
           {"0,0b1,1\n", "mesh:4x4",
            "links.csv:1: '0b1' is not a node of mesh:4x4; its nodes are 0..15"},
           {"0,1,1\n1,0,2\n", "ring:4", "links.csv:2: the link 1 - 0 is in line 1 already"},
           {"0,1,1\n0,1,2,,0\n", "ring:2", "links.csv:2: the link 0 - 1 is in line 1 already"},
           {"0,1,1,,2\n", "ring:2",
            "links.csv:1: from_port 2: from node 0 to node 1 leads port 0, 1"},
           {"0,1,1025\n", "ring:4", "links.csv:1: delay '1025': must be a whole number in 0..1024"},
           {"0,1,x\n", "ring:4", "links.csv:1: delay 'x': must be a whole number in 0..1024"},
           {"0,1,-1\n", "ring:4", "links.csv:1: delay '-1': must be a whole number in 0..1024"},
           {"0,1,1.5\n", "ring:4", "links.csv:1: delay '1.5': must be a whole number in 0..1024"},
           {"0,1,1,0\n", "ring:4", "links.csv:1: width '0': must be a whole number in 1..64"},
           {"0,1,1,65\n", "ring:4", "links.csv:1: width '65': must be a whole number in 1..64"},
           {"0,1,1,4,63\n", "ring:4",
            "links.csv:1: from_port '63': must be a whole number in 0..62"},
           {"0,1\n", "ring:4", "links.csv:1: the link has neither a delay nor a width of its own"},
           {"0,,1\n", "ring:4", "links.csv:1: v is missing"},
           {"0\n", "ring:4", "links.csv:1: 1 cell, but a line is u,v,delay,width,from_port"},
           {"u,v,speed\n0,1,3\n", "ring:4", "links.csv:1: "},
           {"", "ring:4", "links.csv: it names no link; a line is u,v,delay,width[,from_port]"},
           {"u,v,delay\n", "ring:4",
            "links.csv: it names no link; a line is u,v,delay,width[,from_port]"}}) {
    EXPECT_THAT(refusal_on(text, topology), testing::StartsWith(sentence)) << text;
  }
  const Graph graph(read_graph("g.dot", "digraph { a -> b; b -> c; c -> a }"));
  EXPECT_THROW(attributes_in_words("b,a,3\n", graph), std::invalid_argument);
}

TEST(LinkAttributes, OfNodesThatAreMissingHaveGoneWithThem) {
  const auto left = without_nodes(*parse_topology("mesh:3x3"), {node_id(0)});
  EXPECT_EQ(channels_of(read_link_attributes("l.csv", "0,1,3\n1,2,4\n"), *left).size(), 2U);
  const auto refusal = [](const std::string& text, const Topology& topology) {
    try {
      channels_of(read_link_attributes("l.csv", text), topology);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal("0,9,3\n", *left), testing::StartsWith("l.csv:1: '0' is not a node of "));
  EXPECT_THAT(refusal("9,1,3\n", *left), testing::StartsWith("l.csv:1: '9' is not a node of "));
  const auto cube = without_nodes(*parse_topology("hypercube:3"), {node_id(0)});
  EXPECT_EQ(refusal("0b00,0b01,3\n0b01,0b11,4\n", *cube), "");
}

}  // namespace
}  // namespace allport
