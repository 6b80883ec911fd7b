// SPDX-License-Identifier: Apache-2.0
// The closed rules of the edges of joins and trees are tested against the union of the routes, on
// every small fabric, for every root and group.
#include "rtl_model/topology/group_routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace allport {
namespace {

struct Fabric {
  const char* name;
  RoutingOrder order;
};

const std::vector<Fabric>& fabrics() {
  constexpr auto down = RoutingOrder::descending;
  constexpr auto up = RoutingOrder::ascending;
  constexpr auto dimensions = RoutingOrder::dimension_ordered;
  static const std::vector<Fabric> all{
      {"hypercube:1", down},     {"hypercube:2", up},         {"hypercube:4", down},
      {"hypercube:4", up},       {"mesh:2", dimensions},      {"mesh:5", dimensions},
      {"mesh:3x4", dimensions},  {"mesh:2x3x4", dimensions},  {"ring:2", dimensions},
      {"ring:3", dimensions},    {"ring:4", dimensions},      {"ring:7", dimensions},
      {"ring:8", dimensions},    {"torus:2x2", dimensions},   {"torus:3x4", dimensions},
      {"torus:5x6", dimensions}, {"torus:2x3x4", dimensions}, {"torus:4x4x2", dimensions}};
  return all;
}

using Edges = std::map<NodeId, PortMask>;

// The group by its definition.
std::vector<NodeId> members(const Topology& topology, NodeId root, DimensionMask free) {
  std::vector<NodeId> nodes;
  for (std::size_t node = 0; node < topology.node_count(); ++node) {
    bool agrees = true;
    for (std::size_t i = 0; i < topology.dimension_count(); ++i) {
      if ((free >> i & 1U) != 0) continue;
      agrees = agrees && topology.coordinate(node_id(node), i) == topology.coordinate(root, i);
    }
    if (agrees) nodes.push_back(node_id(node));
  }
  return nodes;
}

// The inputs at which routes from the group to the root arrive.
Edges inputs_of_routes(const Routing& routing, NodeId root, const std::vector<NodeId>& group) {
  Edges inputs;
  for (const NodeId from : group) {
    for (const Channel channel : routing.path(from, root)) {
      const NodeId there = *routing.topology().neighbour(channel.node, channel.port);
      inputs[there] |= PortMask{1}
                       << index(routing.topology().arrival_port(channel.node, channel.port));
    }
  }
  return inputs;
}

Edges outputs_of_routes(const Routing& routing, NodeId root, const std::vector<NodeId>& group) {
  Edges outputs;
  for (const NodeId to : group) {
    for (const Channel channel : routing.path(root, to)) {
      outputs[channel.node] |= PortMask{1} << index(channel.port);
    }
  }
  return outputs;
}

// Whether the virtual channel of the branch is that of a route to its last node in this dimension.
bool has_class_of_last_node(const Routing& routing, NodeId here, NodeId root, std::size_t port,
                            DimensionMask free, bool is_p) {
  const Topology& topology = routing.topology();
  const NodeId next = *topology.neighbour(here, port_id(port));
  NodeId last = next;
  while ((tree_outputs(routing, last, root, free) >> port & 1U) != 0) {
    last = *topology.neighbour(last, port_id(port));
  }
  return (routing.route(here, last, 0)->vc_class == VcClass::p) == is_p;
}

void expect_edges(const Routing& routing, NodeId root, DimensionMask free,
                  const std::string& what) {
  const Topology& topology = routing.topology();
  const std::vector<NodeId> group = members(topology, root, free);
  ASSERT_EQ(group_nodes(topology, root, free), group) << what;
  ASSERT_EQ(group_size(topology, free), group.size()) << what;
  Edges inputs = inputs_of_routes(routing, root, group);
  Edges outputs = outputs_of_routes(routing, root, group);
  std::set<Channel> in_tree;
  for (const NodeId node : group) {
    ASSERT_EQ(join_inputs(routing, node, root, free), inputs[node]) << what << index(node);
    const PortMask branches = tree_outputs(routing, node, root, free);
    ASSERT_EQ(branches, outputs[node]) << what << index(node);
    const PortMask of_class_p = tree_outputs_of_class_p(topology, node, root, branches);
    ASSERT_EQ(of_class_p & ~branches, 0U) << what << index(node);
    if (node != root) in_tree.insert({node, routing.route(node, root, 0)->port});
    for (std::size_t port = 0; port < topology.port_count(); ++port) {
      if ((branches >> port & 1U) == 0 || !topology.wraps()) continue;
      ASSERT_TRUE(
          has_class_of_last_node(routing, node, root, port, free, (of_class_p >> port & 1U) != 0))
          << what << index(node) << " port " << port;
    }
  }
  for (const auto& [node, ports] : outputs) {
    for (PortMask rest = ports; rest != 0; rest &= rest - 1) {
      const PortId port = port_id(static_cast<std::size_t>(__builtin_ctzll(rest)));
      ASSERT_EQ(in_tree.count({node, port}), 0U) << what << "shared by in-tree and out-tree";
    }
  }
}

TEST(GroupRoutes, AreTheUnionOfTheRoutesForEveryRootAndGroup) {
  int cases = 0;
  for (const Fabric& fabric : fabrics()) {
    const Routing routing(parse_topology(fabric.name), fabric.order);
    const Topology& topology = routing.topology();
    const DimensionMask all = free_dimensions(topology, 0);
    for (DimensionMask free = 1; free <= all; ++free) {
      for (std::size_t root = 0; root < topology.node_count(); ++root) {
        const std::string what = std::string(fabric.name) + " root " + std::to_string(root) +
                                 " free " + std::to_string(free) + ": node ";
        expect_edges(routing, node_id(root), free, what);
        if (HasFatalFailure()) return;
        ++cases;
      }
    }
  }
  EXPECT_GT(cases, 900);
}

TEST(GroupRoutes, AMaskOfAllDimensionsAndZeroAreTheSameGroup) {
  const Routing routing(parse_topology("torus:3x4"), RoutingOrder::dimension_ordered);
  const Topology& torus = routing.topology();
  EXPECT_EQ(free_dimensions(torus, 0), 3U);
  EXPECT_EQ(group_mask(torus, 3), 0U);
  EXPECT_EQ(group_mask(torus, 2), 2U);
  for (std::size_t node = 0; node < 12; ++node) {
    EXPECT_EQ(join_inputs(routing, node_id(node), node_id(5), 0),
              join_inputs(routing, node_id(node), node_id(5), 3));
  }
  EXPECT_EQ(dimensions_in_words(5), "dimensions 0, 2");
  EXPECT_EQ(dimensions_in_words(4), "dimension 2");
}

}  // namespace
}  // namespace allport
