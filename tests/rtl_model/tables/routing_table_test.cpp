// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "rtl_model/base/circle.h"
#include "rtl_model/base/split_mix.h"
#include "rtl_model/tables/make_table.h"
#include "rtl_model/tables/table_file.h"
#include "rtl_model/tables/table_proof.h"
#include "rtl_model/topology/routing.h"

namespace allport {
namespace {

using testing::HasSubstr;
using Entry = RoutingTable::Entry;

TableRequest request_of(const std::string& shape, const std::string& rule) {
  return {rule, nullptr, parse_topology(shape)};
}

std::string refusal(const TableRequest& request) {
  try {
    make_table(request);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

std::vector<Hop> hops(const Routing& routing, NodeId from, NodeId to, TieMask ties) {
  std::vector<Hop> hops;
  routing.walk_hops(from, to, ties, [&](NodeId, const Hop& hop) { hops.push_back(hop); });
  return hops;
}

template <class Action>
void for_each_pair(const Topology& topology, Action action) {
  for (std::size_t from = 0; from < topology.node_count(); ++from) {
    for (std::size_t to = 0; to < topology.node_count(); ++to) {
      if (from != to) action(node_id(from), node_id(to));
    }
  }
}

// ---- dimension ----

TEST(DimensionTable, HasTheRoutesThatAreBuiltIn) {
  const std::vector<std::pair<std::string, std::string>> fabrics{
      {"hypercube:1", "dimension"},
      {"hypercube:4", "dimension"},
      {"hypercube:4", "dimension:ascending"},
      {"mesh:4x3", "dimension"},
      {"mesh:2x3x2", "dimension"},
      {"ring:2", "dimension"},
      {"ring:8", "dimension"},
      {"torus:4x4", "dimension"},
      {"torus:5x2x4", "dimension"}};
  for (const auto& [shape, rule] : fabrics) {
    for (const TieBreak::Rule ties :
         {TieBreak::Rule::positive, TieBreak::Rule::negative, TieBreak::Rule::alternate}) {
      TableRequest request = request_of(shape, rule);
      const Topology& topology = *request.topology;
      if (ties != TieBreak::Rule::positive && !topology.wraps()) continue;
      request.ties.rule = ties;
      const bool ascends = rule == "dimension:ascending";
      const Routing built_in(request.topology,
                             ascends ? RoutingOrder::ascending : Routing::default_order(topology),
                             request.ties);
      const Routing by_table(request.topology, make_table(request));
      EXPECT_EQ(by_table.name(), "table:" + rule);
      EXPECT_EQ(by_table.layers_among(2), topology.wraps() ? 2 : 1);
      for_each_pair(topology, [&](NodeId from, NodeId to) {
        const auto expected = hops(built_in, from, to, built_in.default_ties(from, to, 0));
        const auto found = hops(by_table, from, to, 0);
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_EQ(found[i].port, expected[i].port);
          EXPECT_EQ(found[i].vc_class, expected[i].vc_class);
        }
        EXPECT_EQ(by_table.distance(from, to), built_in.distance(from, to));
      });
    }
  }
}

TEST(DimensionTable, OfOneVirtualChannelHasOneLayer) {
  TableRequest request = request_of("torus:3x3", "dimension");
  request.vcs = 1;
  EXPECT_EQ(make_table(request)->layers(), 1);
  request.topology = parse_topology("ring:4");
  EXPECT_EQ(refusal(request),
            "routing table:dimension: ring:4 can deadlock because its channels wait for each other "
            "in a cycle: 0 -> 1 (+x) layer 0, 1 -> 2 (+x) layer 0, 2 -> 3 (+x) layer 0, "
            "3 -> 0 (+x) layer 0, 0 -> 1 (+x) layer 0");
}

TEST(DimensionTable, RefusesWhatIsNoFunctionOfTheNode) {
  TableRequest request = request_of("torus:4x4", "dimension");
  request.ties = {TieBreak::Rule::random, 3};
  EXPECT_THAT(refusal(request), HasSubstr("ties random:3: they are drawn by message"));
  EXPECT_THAT(refusal(request_of("torus:4x4", "dimension:ascending")),
              HasSubstr("torus:4x4 takes table:dimension"));
  EXPECT_THAT(refusal(request_of("hypercube:3", "dimension:up")),
              HasSubstr("table:dimension or table:dimension:ascending"));
}

// ---- updown ----

// The oracle: breadth first from the root, and whether each channel of a way leads up.
std::vector<int> depths_of(const Topology& topology, NodeId root,
                           const std::vector<Channel>& missing) {
  std::vector<int> depths(topology.node_count(), -1);
  depths[index(root)] = 0;
  std::vector<NodeId> reached{root};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (std::size_t port = 0; port < topology.port_count(); ++port) {
      const Channel channel{reached[i], port_id(port)};
      const auto next = topology.neighbour(channel.node, channel.port);
      const bool is_missing = std::find(missing.begin(), missing.end(), channel) != missing.end();
      if (!next || is_missing || depths[index(*next)] >= 0) continue;
      depths[index(*next)] = depths[index(channel.node)] + 1;
      reached.push_back(*next);
    }
  }
  return depths;
}

// Links that can be missing so that the fabric stays whole, in both directions.
std::vector<Channel> drawn_links(const Topology& topology, SplitMix64& draw, std::size_t most) {
  std::vector<Channel> missing;
  for (std::size_t i = 0; i < most; ++i) {
    const NodeId node = node_id(draw.next() % topology.node_count());
    const PortId port = port_id(draw.next() % topology.port_count());
    const auto next = topology.neighbour(node, port);
    if (!next) continue;
    std::vector<Channel> more = missing;
    for (std::size_t p = 0; p < topology.port_count(); ++p) {
      if (topology.neighbour(node, port_id(p)) == next) more.push_back({node, port_id(p)});
      if (topology.neighbour(*next, port_id(p)) == node) more.push_back({*next, port_id(p)});
    }
    std::sort(more.begin(), more.end());
    more.erase(std::unique(more.begin(), more.end()), more.end());
    const std::vector<int> depths = depths_of(topology, node_id(0), more);
    if (std::find(depths.begin(), depths.end(), -1) == depths.end()) missing = more;
  }
  return missing;
}

TEST(UpdownTable, GoesUpAndThenDownAroundMissingLinks) {
  SplitMix64 draw(20261127);
  for (const char* shape : {"hypercube:4", "mesh:5x4", "torus:4x4", "ring:7", "torus:3x2x3"}) {
    for (int i = 0; i < 6; ++i) {
      TableRequest request = request_of(shape, "updown");
      const Topology& topology = *request.topology;
      request.missing = drawn_links(topology, draw, static_cast<std::size_t>(i));
      const NodeId root = node_id(i == 0 ? 0 : draw.next() % topology.node_count());
      if (i > 0) request.rule += ":" + topology.node_name(root);
      const Routing routing(request.topology, make_table(request));
      EXPECT_EQ(routing.table()->layers(), 1);
      const std::vector<int> depths = depths_of(topology, root, request.missing);
      const auto is_up = [&](Channel channel) {
        const NodeId to = *topology.neighbour(channel.node, channel.port);
        return std::pair(depths[index(to)], index(to)) <
               std::pair(depths[index(channel.node)], index(channel.node));
      };
      for_each_pair(topology, [&](NodeId from, NodeId to) {
        bool has_turned = false;
        for (const Channel channel : routing.path(from, to)) {
          EXPECT_EQ(std::count(request.missing.begin(), request.missing.end(), channel), 0);
          EXPECT_FALSE(is_up(channel) && has_turned) << shape;
          has_turned |= !is_up(channel);
        }
      });
    }
  }
}

TEST(UpdownTable, GoesDownWhereDownChannelsAloneLeadThere) {
  // On a ring of six from node 0, node 1 is up from node 2; node 3 is the deepest, by both ways.
  const Routing routing(parse_topology("ring:6"), make_table(request_of("ring:6", "updown")));
  const auto nodes_on = [&](std::size_t from, std::size_t to) {
    std::string words = std::to_string(from);
    for (const Channel channel : routing.path(node_id(from), node_id(to))) {
      words +=
          " " + std::to_string(index(*routing.topology().neighbour(channel.node, channel.port)));
    }
    return words;
  };
  EXPECT_EQ(nodes_on(2, 4), "2 1 0 5 4");  // over node 3 it would turn from down to up
  EXPECT_EQ(nodes_on(3, 0), "3 4 5 0");    // of two ways of equal length by the lowest port
  EXPECT_EQ(nodes_on(0, 3), "0 1 2 3");
  EXPECT_EQ(nodes_on(4, 3), "4 3");
}

TEST(UpdownTable, NamesARootThatIsNotThere) {
  EXPECT_EQ(refusal(request_of("mesh:3x3", "updown:9")),
            "routing table:updown:9: mesh:3x3 has no node of this name; its nodes are 0..8");
  TableRequest request = request_of("mesh:3x3", "updown");
  request.ties.rule = TieBreak::Rule::negative;
  EXPECT_THAT(refusal(request), HasSubstr("has ways of its own"));
}

TEST(UpdownTable, OfAFabricInPartsNamesAPairThatIsCutOff) {
  TableRequest request = request_of("mesh:2x2", "updown");
  const Topology& topology = *request.topology;
  for (const Channel channel : topology.channels()) {
    const NodeId to = *topology.neighbour(channel.node, channel.port);
    if (index(to) == 3 || index(channel.node) == 3) request.missing.push_back(channel);
  }
  EXPECT_THAT(refusal(request), HasSubstr("a message from node 3 to node 0: no way leads there, so "
                                          "they are cut off"));
}

// ---- shortest ----

TEST(ShortestTable, HasShortestWaysInLayersWithoutCycles) {
  SplitMix64 draw(5);
  for (const char* shape :
       {"hypercube:4", "mesh:4x4", "ring:4", "ring:9", "torus:4x4", "torus:5x3x2"}) {
    for (int i = 0; i < 3; ++i) {
      TableRequest request = request_of(shape, "shortest");
      const Topology& topology = *request.topology;
      request.missing = drawn_links(topology, draw, static_cast<std::size_t>(2 * i));
      const Routing routing(request.topology, make_table(request));
      for (std::size_t from = 0; from < topology.node_count(); ++from) {
        const std::vector<int> distances = depths_of(topology, node_id(from), request.missing);
        for (std::size_t to = 0; to < topology.node_count(); ++to) {
          const auto way = hops(routing, node_id(from), node_id(to), 0);
          EXPECT_EQ(way.size(), static_cast<std::size_t>(distances[to]));
          for (const Hop& hop : way) EXPECT_EQ(hop.vc_class, way.front().vc_class);
        }
      }
      const bool is_ring = std::string(shape) == "ring:9";
      if (is_ring) {
        EXPECT_EQ(routing.table()->layers(), i == 0 ? 2 : 1);
      }
    }
  }
}

using Ways = std::map<std::pair<NodeId, NodeId>, std::vector<std::uint32_t>>;

// Channels, by pair of nodes.
Ways ways_of(const Routing& routing) {
  Ways ways;
  const std::size_t ports = routing.topology().port_count();
  for_each_pair(routing.topology(), [&](NodeId from, NodeId to) {
    for (const Channel channel : routing.path(from, to)) {
      ways[{from, to}].push_back(
          static_cast<std::uint32_t>(index(channel.node) * ports + index(channel.port)));
    }
  });
  return ways;
}

// The layer of each pair, word for word: as long as a search from the first channel on finds a
// circle of waits in a layer, all pairs with the wait of it that the fewest make leave the layer.
std::map<std::pair<NodeId, NodeId>, int> layers_word_for_word(const Ways& ways,
                                                              std::size_t channels) {
  std::map<std::pair<NodeId, NodeId>, int> layers;
  for (const auto& [pair, way] : ways) layers[pair] = 0;
  for (int layer = 0;;) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> counts;
    for (const auto& [pair, way] : ways) {
      for (std::size_t i = 1; i < way.size() && layers[pair] == layer; ++i) {
        ++counts[{way[i - 1], way[i]}];
      }
    }
    const auto circle = find_circle(channels, [&](std::uint32_t vertex, auto is_done) {
      for (auto wait = counts.lower_bound({vertex, 0}); wait != counts.end(); ++wait) {
        if (wait->first.first != vertex) break;
        if (!is_done(wait->first.second)) return wait->first.second;
      }
      return no_vertex;
    });
    if (circle.empty()) {
      const bool is_last = std::none_of(layers.begin(), layers.end(),
                                        [&](const auto& one) { return one.second > layer; });
      if (is_last) return layers;
      ++layer;
      continue;
    }
    std::pair<std::uint32_t, std::uint32_t> weakest{circle.back(), circle.front()};
    for (std::size_t i = circle.size() - 1; i-- > 0;) {
      const std::pair wait(circle[i], circle[i + 1]);
      if (counts[wait] <= counts[weakest]) weakest = wait;
    }
    for (const auto& [pair, way] : ways) {
      const auto at = std::find(way.begin(), way.end(), weakest.first);
      const bool has_wait = at != way.end() && at + 1 != way.end() && at[1] == weakest.second;
      if (has_wait && layers[pair] == layer) ++layers[pair];
    }
  }
}

TEST(ShortestTable, HasTheLayersThatAreFoundWordForWord) {
  SplitMix64 draw(5);
  int most = 0;
  for (const char* shape :
       {"ring:9", "torus:5x4", "torus:4x4", "hypercube:4", "mesh:4x4", "torus:3x3x3"}) {
    for (int i = 0; i < 6; ++i) {
      TableRequest request = request_of(shape, "shortest");
      const Topology& topology = *request.topology;
      request.missing = drawn_links(topology, draw, static_cast<std::size_t>(2 * i));
      const Routing routing(request.topology, make_table(request));
      const auto layers =
          layers_word_for_word(ways_of(routing), topology.router_count() * topology.port_count());
      for (const auto& [pair, layer] : layers) {
        most = std::max(most, layer);
        ASSERT_EQ(routing.table()->at_injection(pair.first, pair.second).layer, layer)
            << shape << ", " << i << ": " << index(pair.first) << " > " << index(pair.second);
      }
    }
  }
  EXPECT_EQ(most, 2) << "three layers, so that pairs are lifted twice";
}

TEST(ShortestTable, OfTooManyNodesIsRefusedBeforeItsWaysAreSought) {
  EXPECT_THAT(refusal(request_of("ring:46342", "shortest")),
              HasSubstr("a table of 46342 routers, 46342 nodes and 1 layer has 2147580964 entries; "
                        "at most 2147483648 are possible"));
}

TEST(ShortestTable, SpreadsTheWaysEvenly) {
  const Routing routing(parse_topology("torus:4x4"),
                        make_table(request_of("torus:4x4", "shortest")));
  std::map<Channel, int> pairs;
  for_each_pair(routing.topology(), [&](NodeId from, NodeId to) {
    for (const Channel channel : routing.path(from, to)) ++pairs[channel];
  });
  ASSERT_EQ(pairs.size(), 64U);  // 512 hops over 64 channels
  for (const auto& [channel, count] : pairs) EXPECT_NEAR(count, 8, 4);
}

TEST(ShortestTable, SaysWhatIsLeftWithTooFewVirtualChannels) {
  TableRequest request = request_of("ring:5", "shortest");
  request.vcs = 1;
  EXPECT_THAT(refusal(request), HasSubstr("routing table:shortest: 1 layer, that of the only "
                                          "virtual channel of a message class, does not suffice on "
                                          "ring:5: its channels wait for each other in a cycle: 0 "
                                          "-> "));
  request = request_of("torus:8x8", "shortest");
  request.vcs = 2;
  EXPECT_THAT(refusal(request), HasSubstr("2 layers, one for each virtual channel of a message "
                                          "class, do not suffice on torus:8x8: in the last of them "
                                          "channels wait for each other in a cycle: "));
  EXPECT_THAT(refusal(request), HasSubstr(" layer 1, "));
  EXPECT_THAT(refusal(request), testing::Not(HasSubstr(" layer 0")));
}

// ---- The proof ----

RoutingTable copy_of(const std::string& shape, const std::string& rule) {
  return *make_table(request_of(shape, rule));
}

TEST(TableProof, FindsWhatIsWrong) {
  const auto topology = parse_topology("mesh:3x2");
  const auto fault = [&](Entry entry) {
    RoutingTable table = copy_of("mesh:3x2", "dimension");
    table.set_injection(node_id(0), node_id(4), entry);
    return table_fault(table, *topology);
  };
  const std::string pair = "a message from node 0 to node 4: at node 0 by injection ";
  EXPECT_EQ(fault({0, 0}), "");
  EXPECT_EQ(fault({}), pair +
                           "the table has no entry, though a way leads there, which "
                           "table:shortest takes");
  EXPECT_EQ(fault({Entry::local, 0}), pair + "the table says local, which is elsewhere");
  EXPECT_EQ(fault({1, 0}), pair + "the table names port 1, which leads nowhere");
  EXPECT_EQ(fault({9, 0}), pair + "the table names port 9, which leads nowhere");
  EXPECT_EQ(fault({0, 1}), pair + "the table names layer 1 of 1");
}

TEST(TableProof, FindsAWayThatNeverEnds) {
  RoutingTable table = copy_of("mesh:3x2", "dimension");
  table.set(node_id(1), 0, node_id(4), {1, 0});  // back to node 0, where it began
  EXPECT_EQ(
      table_fault(table, *parse_topology("mesh:3x2")),
      "a message from node 0 to node 4: its way comes twice to node 1 in layer 0, so it never "
      "ends");
}

TEST(TableProof, LetsAWayComeBackInAnotherLayer) {
  RoutingTable table("table:back", 3, 3, 2);
  const auto topology = parse_topology("mesh:3");
  for (std::size_t to = 0; to < 3; ++to) {
    for (std::size_t from = 0; from < 3; ++from) {
      if (from == to) continue;
      const auto port = static_cast<std::uint8_t>(to > from ? 0 : 1);
      table.set_injection(node_id(from), node_id(to), {port, 0});
      table.set(node_id(from), 0, node_id(to), {port, 0});
      table.set(node_id(from), 1, node_id(to), {port, 1});
    }
  }
  table.set_injection(node_id(1), node_id(0), {0, 0});  // to node 2 first
  table.set(node_id(2), 0, node_id(0), {1, 1});
  EXPECT_EQ(table_fault(table, *topology), "");
  const Routing routing(topology, std::make_shared<const RoutingTable>(table));
  EXPECT_EQ(routing.path(node_id(1), node_id(0)).size(), 3U);
}

TEST(TableProof, FindsMissingLinks) {
  const auto topology = parse_topology("mesh:3x2");
  const std::vector<Channel> missing{{node_id(1), port_id(0)}};
  EXPECT_EQ(
      table_fault(copy_of("mesh:3x2", "dimension"), *topology, missing),
      "a message from node 0 to node 2: at node 1 in layer 0 the table leads over the missing "
      "link 1>2");
}

// ---- The file ----

std::shared_ptr<const std::string> text(const std::string& rows) {
  return std::make_shared<const std::string>(rows);
}

TEST(TableFile, IsReadAsItIsWritten) {
  for (const auto& [shape, rule] : std::vector<std::pair<std::string, std::string>>{
           {"torus:4x3", "dimension"}, {"hypercube:3", "updown:5"}, {"ring:6", "shortest"}}) {
    const auto table = make_table(request_of(shape, rule));
    TableRequest request = request_of(shape, "t.csv");
    std::ostringstream rows;
    write_table(rows, *table, *request.topology);
    request.text = text(rows.str());
    const auto again = make_table(request);
    EXPECT_EQ(again->name(), "table:t.csv");
    ASSERT_EQ(again->layers(), table->layers());
    for (int layer = 0; layer <= table->layers(); ++layer) {
      for (std::size_t from = 0; from < table->node_count(); ++from) {
        for (std::size_t to = 0; to < table->node_count(); ++to) {
          EXPECT_EQ(again->at(node_id(from), layer, node_id(to)),
                    table->at(node_id(from), layer, node_id(to)));
        }
      }
    }
  }
}

TEST(TableFile, NamesTheLineOfWhatIsWrong) {
  const auto fault = [](const std::string& rows) {
    TableRequest request = request_of("mesh:2", "t.csv");
    request.text = text(rows);
    return refusal(request);
  };
  EXPECT_EQ(fault(""),
            "t.csv: there is no row in it; a line is node,layer,destination,port,next_layer");
  EXPECT_EQ(fault("0,inject,1,0\n"),
            "t.csv:1: 4 cells, but a line is node,layer,destination,port,next_layer");
  EXPECT_EQ(fault("# names\nnode,layer,destination,port,next_layer\n2,0,1,0,0\n"),
            "t.csv:3: node: '2' is not a node of mesh:2; its nodes are 0..1");
  EXPECT_EQ(fault("0,16,1,0,0\n"),
            "t.csv:1: layer: '16' is not a whole number in 0..15, or inject");
  EXPECT_EQ(fault("0,0,x,0,0\n"),
            "t.csv:1: destination: 'x' is not a node of mesh:2; its nodes are 0..1");
  EXPECT_EQ(fault("0,0,1,2,0\n"), "t.csv:1: port: '2' is not a whole number in 0..1, or local");
  EXPECT_EQ(fault("0,0,1,1,0\n"), "t.csv:1: port: 1 of node 0 leads nowhere");
  EXPECT_EQ(fault("0,0,1,0,\n"), "t.csv:1: next_layer: '' is not a whole number in 0..15");
  EXPECT_EQ(fault("0,0,1,local,\n"), "t.csv:1: port: local, but it is so at the destination alone");
  EXPECT_EQ(fault("0,0,0,0,0\n"), "t.csv:1: port: '0', but a message is local at its destination");
  EXPECT_EQ(fault("0,0,0,local,0\n"),
            "t.csv:1: next_layer: a message that is local goes on in none; leave it empty");
  EXPECT_EQ(fault("0,inject,1,0,0\n1,inject,0,1,0\n0,inject,1,0,0\n"),
            "t.csv:3: there is a row of node 0, inject and destination 1 before");
  EXPECT_EQ(fault("0,inject,1,0,0\n"),
            "routing table:t.csv: a message from node 1 to node 0: at node 1 "
            "by injection the table has no entry, though a way leads there, which table:shortest "
            "takes");
  EXPECT_EQ(fault("0,inject,1,0,0\n1,inject,0,1,0\n"), "");
}

TEST(TableFile, ObeysTheNamesOfItsColumnsOrRefusesThem) {
  const auto fault = [](const std::string& names) {
    TableRequest request = request_of("mesh:2", "t.csv");
    request.text = text(names + "\n0,inject,1,0,0\n1,inject,0,1,0\n");
    return refusal(request);
  };
  EXPECT_EQ(fault("node,layer,destination,port,next_layer"), "");
  EXPECT_EQ(fault("\"node\",\"layer\",\"destination\",\"port\",\"next_layer\""), "");
  EXPECT_EQ(fault("node,layer,destination,port,next"),
            "t.csv:1: unknown column 'next': did you mean 'next_layer'?");
  EXPECT_EQ(fault("node,layer,destination,port"),
            "t.csv:1: column next_layer is missing; the columns are "
            "node,layer,destination,port,next_layer");
  EXPECT_EQ(fault("node,layer,destination,port,port"), "t.csv:1: column port is given twice");
  EXPECT_EQ(fault("node,layer,destination,next_layer,port"),
            "t.csv:3: port: 0 of node 1 leads nowhere");
  EXPECT_EQ(fault("destination,layer,node,port,next_layer"),
            "t.csv:2: port: 0 of node 1 leads nowhere");
  TableRequest request = request_of("mesh:2", "t.csv");
  request.text = text("port,node,next_layer,destination,layer\n0,0,0,1,inject\n1,1,0,0,inject\n");
  EXPECT_EQ(refusal(request), "");
}

TEST(RoutingTable, OfTooManyNodesIsRefused) {
  EXPECT_THAT(
      refusal(request_of("hypercube:16", "updown")),
      HasSubstr("a table of 65536 routers, 65536 nodes and 1 layer has 4294967296 entries; at most "
                "2147483648 are possible"));
}

}  // namespace
}  // namespace allport
