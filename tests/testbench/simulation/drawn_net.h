// SPDX-License-Identifier: Apache-2.0
// Random graphs with switches, which have trees and joins by table:updown.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/router/link_table.h"
#include "rtl_model/tables/make_table.h"
#include "rtl_model/topology/routing.h"
#include "tests/support/draw.h"

namespace allport::test {

/// The edges of a connected graph of up to ten routers, with delays up to 3; a third of all but two
/// of its `nodes` are switches.
inline std::string draw_net(Draw& draw, std::string& nodes) {
  const int routers = 2 + draw.below(9);
  nodes = "node,processor\n";
  std::string edges = "u,v,delay\n";
  std::map<std::pair<int, int>, int> pairs;
  for (int i = 1; i < routers; ++i) pairs[{draw.below(i), i}] = draw.below(4);
  for (int more = draw.below(routers); more > 0; --more) {
    const int a = draw.below(routers);
    const int b = draw.below(routers);
    if (a < b) pairs[{a, b}] = draw.below(4);
  }
  for (int i = 0; i < routers; ++i) {
    const bool is_switch = i > 1 && draw.below(3) == 0;
    nodes += "r" + std::to_string(i) + (is_switch ? ",false\n" : ",true\n");
  }
  for (const auto& [pair, delay] : pairs) {
    edges += "r" + std::to_string(pair.first) + ",r" + std::to_string(pair.second) + "," +
             std::to_string(delay) + "\n";
  }
  return edges;
}

/// A graph with the links of its edges, and the tree of one of its routers.
struct DrawnNet {
  Routing routing;
  std::shared_ptr<const LinkTable> links;
};

inline DrawnNet draw_net_with_tree(Draw& draw) {
  std::string nodes;
  const std::string edges = draw_net(draw, nodes);
  const auto net = std::make_shared<Graph>(read_graph("net.csv", edges, &nodes));
  const auto top =
      node_id(static_cast<std::size_t>(draw.below(static_cast<int>(net->router_count()))));
  auto links = std::make_shared<LinkTable>(*net, 0, 1);
  for (const Channel channel : net->channels()) {
    links->set(*net, channel, net->edge_of(channel).delay.value_or(0), 1);
  }
  return {Routing(net, make_table({"updown:" + net->node_name(top), nullptr, net})), links};
}

}  // namespace allport::test
