// SPDX-License-Identifier: Apache-2.0
// The edges of trees and joins under a table are tested against the union of the ways along its
// breadth-first tree, which is found here once more, for every root and source of small fabrics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/router/pin_kinds.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/tables/make_table.h"
#include "rtl_model/topology/group_routes.h"
#include "rtl_model/topology/spanning_tree.h"

namespace allport {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const Topology> dot_topology(const std::string& text) {
  return std::make_shared<Graph>(read_graph("net.dot", text));
}

// Two stars and a ring of routers, some of which have no processor, and parallel links.
std::vector<std::shared_ptr<const Topology>> fabrics_with_trees() {
  return {parse_topology("mesh:5"),
          parse_topology("mesh:3x3"),
          parse_topology("torus:3x4"),
          parse_topology("hypercube:3"),
          dot_topology("graph { hub [processor=false] a--hub b--hub c--hub d--hub }"),
          dot_topology("graph { s [processor=false] t [processor=false] u [processor=false] "
                       "s--t a--s b--s t--u c--t d--t u--s }"),
          std::make_shared<Graph>(read_graph(
              "net.csv", "u,v,from_port,to_port\na,b,2,1\na,b,1,2\nb,c,0,3\nc,a,1,0\nc,d,0,0\n"))};
}

Routing routing_of_tree(const std::shared_ptr<const Topology>& topology, NodeId root) {
  return {topology, make_table({"updown:" + topology->node_name(root), nullptr, topology})};
}

using Row = std::vector<NodeId>;

// The router above each one, and the root itself above the root.
std::map<NodeId, NodeId> routers_above(const Topology& topology, NodeId root) {
  std::map<NodeId, NodeId> above{{root, root}};
  for (Row row{root}; !row.empty();) {
    Row next;
    for (const NodeId router : row) {
      for (std::size_t port = 0; port < topology.port_count(); ++port) {
        const auto other = topology.neighbour(router, port_id(port));
        if (other && above.emplace(*other, router).second) next.push_back(*other);
      }
    }
    row = next;
  }
  return above;
}

Channel lowest_channel(const Topology& topology, NodeId from, NodeId to) {
  std::size_t port = 0;
  while (topology.neighbour(from, port_id(port)) != to) ++port;
  return {from, port_id(port)};
}

// The channels from `from` to `to` up and down the tree.
std::vector<Channel> way_by(const std::map<NodeId, NodeId>& above, const Topology& topology,
                            NodeId from, NodeId to) {
  const auto line = [&](NodeId router) {
    Row routers{router};
    while (above.at(routers.back()) != routers.back()) routers.push_back(above.at(routers.back()));
    return routers;
  };
  Row up = line(from);
  Row down = line(to);
  while (!up.empty() && !down.empty() && up.back() == down.back()) {
    up.pop_back();
    down.pop_back();
  }
  const NodeId top = up.empty() ? from : above.at(up.back());
  up.push_back(top);
  up.insert(up.end(), down.rbegin(), down.rend());
  std::vector<Channel> way;
  for (std::size_t i = 1; i < up.size(); ++i) {
    way.push_back(lowest_channel(topology, up[i - 1], up[i]));
  }
  return way;
}

PortMask bit_of(PortId port) { return PortMask{1} << index(port); }

TEST(TableTrees, AreTheUnionOfTheWaysAlongTheBreadthFirstTree) {
  for (const auto& topology : fabrics_with_trees()) {
    for (std::size_t root = 0; root < topology->router_count(); ++root) {
      const Routing routing = routing_of_tree(topology, node_id(root));
      const auto above = routers_above(*topology, node_id(root));
      for (std::size_t one = 0; one < topology->node_count(); ++one) {
        const NodeId node = node_id(one);
        std::map<NodeId, PortMask> outputs;
        std::map<NodeId, PortMask> inputs;
        for (std::size_t other = 0; other < topology->node_count(); ++other) {
          const auto out = way_by(above, *topology, node, node_id(other));
          const auto in = way_by(above, *topology, node_id(other), node);
          for (const Channel channel : out) outputs[channel.node] |= bit_of(channel.port);
          for (const Channel channel : in) {
            inputs[*topology->neighbour(channel.node, channel.port)] |=
                bit_of(topology->arrival_port(channel.node, channel.port));
          }
          EXPECT_EQ(tree_path(routing, node, node_id(other)), out);
          const auto hop = join_hop(routing, node_id(other), node);
          ASSERT_EQ(hop.has_value(), other != one);
          if (hop) {
            EXPECT_EQ(hop->port, in.front().port);
          }
        }
        for (std::size_t router = 0; router < topology->router_count(); ++router) {
          const NodeId here = node_id(router);
          if (router >= topology->node_count() && outputs.count(here) == 0) continue;
          const std::string where = topology->name() + " by " + routing.name() + ", node " +
                                    topology->node_name(node) + " at " + topology->node_name(here);
          EXPECT_EQ(tree_outputs(routing, here, node, 0), outputs[here]) << where;
          EXPECT_EQ(join_inputs(routing, here, node, 0), inputs[here]) << where;
        }
      }
    }
  }
}

// Switch u leads to no processor, and t to one beyond it only.
TEST(TableTrees, LeadNowhereWithoutAProcessor) {
  const auto topology = dot_topology(
      "graph { s [processor=false] t [processor=false] u [processor=false] "
      "a--s b--s s--t t--c t--u }");
  const NodeId a = *topology->find_node("a");
  const NodeId s = *topology->find_node("s");
  const NodeId t = *topology->find_node("t");
  for (const char* root : {"a", "s", "t", "u"}) {
    const Routing routing = routing_of_tree(topology, *topology->find_node(root));
    EXPECT_EQ(tree_outputs(routing, s, a, 0), 0b110U) << "b and t; by " << root;
    EXPECT_EQ(tree_outputs(routing, t, a, 0), 0b10U) << "c, but not u; by " << root;
    EXPECT_EQ(join_inputs(routing, s, a, 0), 0b110U) << "from b and t; by " << root;
    const SpanningTree& tree = *routing.table()->tree();
    EXPECT_EQ(tree.end(t) - tree.begin(t), 2) << "s and c; by " << root;
  }
}

// In a switch the contribution on the lowest input speaks, and joins have one virtual channel.
TEST(TableTrees, HaveJoinsAtSwitches) {
  const auto topology = dot_topology(
      "graph { s [processor=false] t [processor=false] u [processor=false] "
      "a--s b--s s--t t--c t--u }");
  const NodeId a = *topology->find_node("a");
  const NodeId c = *topology->find_node("c");
  const NodeId s = *topology->find_node("s");
  const NodeId t = *topology->find_node("t");
  const Routing routing = routing_of_tree(topology, *topology->find_node("u"));
  EXPECT_THAT(join_routers(routing, c, 0), ElementsAre(a, *topology->find_node("b"), c, s, t));
  EXPECT_EQ(join_speaker(routing, s, c), 0) << "a";
  EXPECT_EQ(join_speaker(routing, s, a), 1) << "b";
  EXPECT_EQ(join_speaker(routing, t, a), 1) << "c, and nothing comes from u";
  EXPECT_EQ(join_speaker(routing, a, c), std::nullopt);
  EXPECT_EQ(join_hop(routing, a, c)->vc_class, VcClass::first);
  EXPECT_EQ(join_hop(routing, s, c)->vc_class, VcClass::first);
  const Routing of_mesh = routing_of_tree(parse_topology("mesh:3"), node_id(0));
  EXPECT_EQ(join_hop(of_mesh, node_id(0), node_id(2))->vc_class, class_of_layer(0));
}

TEST(TableTrees, GoAroundMissingLinks) {
  TableRequest request{"updown:0", nullptr, parse_topology("mesh:3x2")};
  const auto hops_to_4 = [&request] {
    const Routing routing(request.topology, make_table(request));
    Row row;
    for (const Channel channel : tree_path(routing, node_id(0), node_id(4))) {
      row.push_back(channel.node);
    }
    return row;
  };
  EXPECT_THAT(hops_to_4(), ElementsAre(node_id(0), node_id(1)));
  request.missing = {{node_id(1), port_id(2)}, {node_id(4), port_id(3)}};
  EXPECT_THAT(hops_to_4(), ElementsAre(node_id(0), node_id(3)));
}

// A line is its own tree, whatever the routing.
TEST(TableTrees, OfALineAreThoseOfDimensionOrder) {
  const auto line = parse_topology("mesh:6");
  const Routing built_in(line, RoutingOrder::dimension_ordered);
  for (std::size_t root = 0; root < line->node_count(); ++root) {
    const Routing by_table = routing_of_tree(line, node_id(root));
    for (std::size_t source = 0; source < line->node_count(); ++source) {
      for (std::size_t node = 0; node < line->node_count(); ++node) {
        EXPECT_EQ(tree_outputs(by_table, node_id(node), node_id(source), 0),
                  tree_outputs(built_in, node_id(node), node_id(source), 0));
        EXPECT_EQ(join_inputs(by_table, node_id(node), node_id(source), 0),
                  join_inputs(built_in, node_id(node), node_id(source), 0));
      }
    }
  }
}

TEST(TableTrees, AreRefusedInASentenceThatSaysWhereTheyAre) {
  const auto mesh = parse_topology("mesh:3x3");
  const auto fault_of_kind = [](const Routing& routing, MessageKind kind) {
    return kind_fault(kind, Switching::wormhole, routing);
  };
  const Routing updown = routing_of_tree(mesh, node_id(4));
  EXPECT_EQ(fault_of_kind(updown, MessageKind::tree), "");
  EXPECT_EQ(fault_of_kind(updown, MessageKind::join_tree), "");
  EXPECT_EQ(fault_of_kind(updown, MessageKind::multidestination),
            "routing table:updown:4 is for unicasts, deposits, trees and joins only, and this is a "
            "multidestination message");
  EXPECT_EQ(group_fault(updown, MessageKind::tree, 1),
            "routing table:updown:4 has trees and joins of all nodes only, and this is a tree "
            "message of a group; routes by dimensions have groups");
  EXPECT_EQ(group_fault(updown, MessageKind::tree, 3), "") << "all dimensions";
  const Routing dimension(mesh, make_table({"dimension", nullptr, mesh}));
  EXPECT_EQ(
      fault_of_kind(dimension, MessageKind::tree),
      "routing table:dimension is for unicasts and deposits only, and this is a tree message; "
      "of the tables, table:updown has trees and joins");
  const auto star = dot_topology("graph { hub [processor=false] a--hub b--hub c--hub }");
  const Routing of_star = routing_of_tree(star, node_id(0));
  EXPECT_EQ(fault_of_kind(of_star, MessageKind::tree), "");
  EXPECT_EQ(fault_of_kind(of_star, MessageKind::join), "");
  EXPECT_THAT(fault_of_kind(of_star, MessageKind::path),
              HasSubstr("path worms are for hypercubes"));
}

// The tables of routers on pins know ways, and no tree.
TEST(TableTrees, AreNoneOnPins) {
  const Routing routing = routing_of_tree(parse_topology("hypercube:3"), node_id(0));
  for (const MessageKind kind : {MessageKind::unicast, MessageKind::deposit}) {
    EXPECT_EQ(pin_kind_fault(kind, Switching::wormhole, routing, PinGroups::joins), "");
  }
  for (const MessageKind kind : {MessageKind::tree, MessageKind::join, MessageKind::join_tree}) {
    EXPECT_EQ(kind_fault(kind, Switching::wormhole, routing), "");
    EXPECT_EQ(pin_kind_fault(kind, Switching::wormhole, routing, PinGroups::joins),
              "routers in RTL that follow a table take unicasts and deposits");
  }
}

}  // namespace
}  // namespace allport
