// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/label_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "rtl_model/topology/routing.h"

namespace allport {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const mesh_shapes[] = {"mesh:2",     "mesh:7",     "mesh:4x4",
                                   "mesh:3x5",   "mesh:5x2",   "mesh:3x2x4",
                                   "mesh:3x3x3", "mesh:2x4x3", "mesh:2x3x2x3"};

std::vector<std::size_t> labels(const Topology& mesh) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < mesh.node_count(); ++i) all.push_back(label_of(mesh, node_id(i)));
  return all;
}

int distance(const Topology& mesh, NodeId a, NodeId b) {
  int hops = 0;
  for (std::size_t i = 0; i < mesh.dimension_count(); ++i) {
    hops += std::abs(mesh.coordinate(a, i) - mesh.coordinate(b, i));
  }
  return hops;
}

TEST(LabelOrder, IsASnake) {
  EXPECT_THAT(labels(*parse_topology("mesh:4x3")),
              ElementsAre(0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11));
  EXPECT_THAT(labels(*parse_topology("mesh:2x2x2")), ElementsAre(0, 1, 3, 2, 7, 6, 4, 5));
}

TEST(LabelOrder, NamesEachNodeOnceAndNeighboursInTurn) {
  for (const char* shape : mesh_shapes) {
    const auto mesh = parse_topology(shape);
    std::vector<NodeId> nodes(mesh->node_count(), node_id(mesh->node_count()));
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[label_of(*mesh, node_id(i))] = node_id(i);
    EXPECT_EQ(std::count(nodes.begin(), nodes.end(), node_id(nodes.size())), 0) << shape;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      EXPECT_EQ(distance(*mesh, nodes[i - 1], nodes[i]), 1) << shape << " label " << i;
    }
  }
}

// The rule as it is written: over all neighbours, not over dimensions.
TEST(LabelOrder, RoutesByTheNeighbourWhoseLabelIsNextToTheDestinations) {
  for (const char* shape : mesh_shapes) {
    const auto mesh = parse_topology(shape);
    const std::vector<std::size_t> label = labels(*mesh);
    for (std::size_t u = 0; u < label.size(); ++u) {
      for (std::size_t v = 0; v < label.size(); ++v) {
        if (u == v) continue;
        std::size_t best = u;
        for (std::size_t port = 0; port < mesh->port_count(); ++port) {
          const auto next = mesh->neighbour(node_id(u), port_id(port));
          if (!next) continue;
          const std::size_t n = index(*next);
          const bool goes_up = label[v] > label[u];
          if (goes_up ? label[n] <= label[v] && label[n] > label[best]
                      : label[n] >= label[v] && label[n] < label[best]) {
            best = n;
          }
        }
        const PortId port = label_port(*mesh, node_id(u), node_id(v));
        ASSERT_EQ(mesh->neighbour(node_id(u), port), node_id(best))
            << shape << ' ' << u << ' ' << v;
      }
    }
  }
}

// Also with a first hop that is chosen. On one and two dimensions the way is a shortest one.
TEST(LabelOrder, LeadsToTheDestinationWithoutATurn) {
  for (const char* shape : mesh_shapes) {
    const auto mesh = parse_topology(shape);
    const Routing routing(mesh, RoutingOrder::dimension_ordered);
    const std::size_t nodes = mesh->node_count();
    for (std::size_t pair = 0; pair < nodes * nodes; ++pair) {
      const NodeId from = node_id(pair / nodes);
      const NodeId to = node_id(pair % nodes);
      for (TieMask chosen = 0; chosen <= TieMask{1} << mesh->dimension_count(); ++chosen) {
        const bool is_one = chosen == 0 || (chosen & (chosen - 1)) == 0;
        if (from == to || !is_one || !label_fault(*mesh, from, {to}, chosen).empty()) continue;
        const std::vector<Channel> path = routing.path(from, to, chosen, MessageKind::label);
        if (chosen != 0) {
          EXPECT_EQ(TieMask{1} << mesh->dimension_of(path.front().port), chosen);
        }
        const bool goes_up = label_of(*mesh, to) > label_of(*mesh, from);
        NodeId here = from;
        for (const Channel channel : path) {
          ASSERT_EQ(channel.node, here);
          const NodeId next = *mesh->neighbour(channel.node, channel.port);
          ASSERT_EQ(label_of(*mesh, next) > label_of(*mesh, here), goes_up);
          here = next;
        }
        ASSERT_EQ(here, to);
        if (chosen == 0 && mesh->dimension_count() <= 2) {
          ASSERT_EQ(static_cast<int>(path.size()), distance(*mesh, from, to)) << shape;
        }
      }
    }
  }
}

TEST(LabelOrder, IsLongerThanTheDistanceOnThreeDimensionsSometimes) {
  const auto mesh = parse_topology("mesh:3x3x3");
  const Routing routing(mesh, RoutingOrder::dimension_ordered);
  std::size_t longest_detour = 0;
  for (std::size_t pair = 0; pair < 27 * 27; ++pair) {
    const NodeId from = node_id(pair / 27);
    const NodeId to = node_id(pair % 27);
    const auto hops = static_cast<std::size_t>(distance(*mesh, from, to));
    longest_detour =
        std::max(longest_detour, routing.path(from, to, 0, MessageKind::label).size() - hops);
  }
  EXPECT_EQ(longest_detour, 2U);
}

TEST(LabelOrder, SaysWhatIsWrongWithAWorm) {
  const auto mesh = parse_topology("mesh:4x4");
  const auto fault = [&](std::size_t from, std::vector<std::size_t> to, TieMask chosen) {
    std::vector<NodeId> stops;
    for (const std::size_t node : to) stops.push_back(node_id(node));
    return label_fault(*mesh, node_id(from), stops, chosen);
  };
  EXPECT_EQ(fault(6, {5, 8, 11}, 0), "");
  EXPECT_EQ(
      fault(6, {7, 2, 1}, 2),
      "the first hop in dimension 1 leads to 2 (label 2), beyond the first destination 7 (label 4)");
  EXPECT_EQ(
      fault(6, {5, 11, 8}, 0),
      "the destinations of a label worm must rise or fall by label from the sender on, but 11 (label 11) comes before 8 (label 8)");
  EXPECT_THAT(fault(6, {5, 7}, 0), HasSubstr("but 5 (label 6) comes before 7 (label 4)"));
  EXPECT_EQ(fault(13, {14, 15}, 0), "");
  EXPECT_EQ(fault(15, {13}, 2), "the first hop in dimension 1 leads out of mesh:4x4");
  EXPECT_EQ(fault(6, {8}, 4),
            "the first hop in dimension 2 is not possible: the dimensions of mesh:4x4 are 0..1");
}

}  // namespace
}  // namespace allport
