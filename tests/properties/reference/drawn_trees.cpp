// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/drawn_trees.h"

#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/tables/make_table.h"
#include "rtl_model/tables/table_file.h"

namespace allport::test {

namespace {

// A connected graph of 2 to 10 routers, with delays here and there.
void draw_routers(Draw& draw, reference::Config& config) {
  config.topology = "graph";
  config.link_delays.clear();
  const int routers = 2 + draw.below(9);
  config.nodes = "node,processor\n";
  for (int i = 0; i < routers; ++i) {
    const bool is_switch = i > 1 && draw.below(3) == 0;
    config.nodes += "r" + std::to_string(i) + (is_switch ? ",false\n" : ",true\n");
  }
  std::set<std::pair<int, int>> pairs;
  for (int i = 1; i < routers; ++i) pairs.emplace(draw.below(i), i);
  for (int more = draw.below(routers); more > 0; --more) {
    const int a = draw.below(routers);
    const int b = draw.below(routers);
    if (a != b) pairs.emplace(std::min(a, b), std::max(a, b));
  }
  config.edges = "u,v,delay\n";
  const bool has_delays = draw.below(2) == 0;
  for (const auto& [a, b] : pairs) {
    config.edges += "r" + std::to_string(a) + ",r" + std::to_string(b) + ",";
    if (has_delays && draw.below(2) == 0) config.edges += std::to_string(draw.below(4));
    config.edges += "\n";
  }
}

const Graph& graph_of(const Topology& topology) { return static_cast<const Graph&>(topology); }

}  // namespace

void draw_tree(Draw& draw, reference::Config& config) {
  config.is_ascending = config.is_balanced = false;
  config.vcs = draw.one_of<int>({1, 1, 2, 3});
  if (draw.below(3) > 0) draw_routers(draw, config);
  const auto topology = topology_of(config);
  const auto ports = static_cast<int>(topology->node_port_count());
  config.ports = draw.below(2) == 0 ? ports : 1 + draw.below(ports);
  const auto root =
      static_cast<std::size_t>(draw.below(static_cast<int>(topology->router_count())));
  config.tree = topology->node_name(node_id(root));
  std::ostringstream rows;
  write_table(rows, *routing_by_tree(config).table(), *topology);
  config.table = rows.str();
}

std::shared_ptr<const Topology> topology_of(const reference::Config& config) {
  if (config.topology != "graph") return parse_topology(config.topology);
  return std::make_shared<Graph>(read_graph("net.csv", config.edges, &config.nodes));
}

Routing routing_by_tree(const reference::Config& config) {
  TableRequest request;
  request.rule = "updown:" + config.tree;
  request.topology = topology_of(config);
  return Routing(request.topology, make_table(request));
}

std::shared_ptr<const LinkTable> links_of_edges(const reference::Config& config) {
  const auto topology = topology_of(config);
  if (!topology->is_graph()) return nullptr;
  auto links = std::make_shared<LinkTable>(*topology, config.link_delay, 1);
  for (const Channel channel : topology->channels()) {
    const int delay = graph_of(*topology).edge_of(channel).delay.value_or(config.link_delay);
    links->set(*topology, channel, delay, 1);
  }
  return links;
}

}  // namespace allport::test
