// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/graphs/remaining_graph.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/base/words.h"
#include "rtl_model/graphs/parts.h"

namespace allport {

namespace {

using Edge = GraphDescription::Edge;

const Graph* graph_or_null(const Topology& topology) {
  return topology.is_graph() ? static_cast<const Graph*>(&topology) : nullptr;
}

// The edge of a channel that a file may name by it; none: it is the way back of another one.
std::optional<Edge> edge_from(const Topology& topology, Channel channel) {
  const NodeId to = *topology.neighbour(channel.node, channel.port);
  const PortId arrival = topology.arrival_port(channel.node, channel.port);
  Edge edge;
  if (const Graph* const graph = graph_or_null(topology)) {
    edge = graph->edge_of(channel);
    if (edge.u != graph->place_in_file(channel.node)) return std::nullopt;
  } else {
    if (Channel{to, arrival} < channel) return std::nullopt;
    edge.u = index(channel.node);
    edge.v = index(to);
  }
  edge.from_port = static_cast<int>(index(channel.port));
  edge.to_port = static_cast<int>(index(arrival));
  return edge;
}

// `mesh:4x4 without nodes 5 and 6`, `torus:8x8 without 12 nodes`
std::string name_without(const std::string& whole, const std::vector<std::string>& missing) {
  constexpr std::size_t most_named = 3;
  constexpr std::size_t longest = 20;
  if (missing.size() > most_named) {
    return whole + " without " + counted(missing.size(), "node");
  }
  std::string names;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const bool is_last = i + 1 == missing.size();
    names += (i == 0 ? "" : is_last ? " and " : ", ") + shown(missing[i], longest);
  }
  return whole + " without node" + (missing.size() == 1 ? " " : "s ") + names;
}

// Internal ports beyond the external ones that are left serve none of these.
void fit_ports(GraphDescription& left) {
  std::vector<int> external(left.nodes.size());
  for (const Edge& edge : left.edges) {
    external[edge.u] = std::max(external[edge.u], *edge.from_port + 1);
    external[edge.v] = std::max(external[edge.v], *edge.to_port + 1);
  }
  for (std::size_t i = 0; i < left.nodes.size(); ++i) {
    std::optional<int>& internal = left.nodes[i].internal_ports;
    if (internal) internal = std::min(*internal, external[i]);
  }
}

void require_left(const GraphDescription& left, const std::string& whole) {
  const auto processors =
      std::count_if(left.nodes.begin(), left.nodes.end(),
                    [](const GraphDescription::Node& node) { return node.has_processor; });
  if (processors < 2) {
    throw std::invalid_argument("they leave " +
                                counted(static_cast<std::uint64_t>(processors), "node") + " of " +
                                whole + " with a processor, and a run needs 2 or more");
  }
  std::vector<bool> sends(left.nodes.size());
  std::vector<bool> receives(left.nodes.size());
  for (const Edge& edge : left.edges) {
    sends[edge.u] = receives[edge.v] = true;
    if (!left.is_directed) sends[edge.v] = receives[edge.u] = true;
  }
  for (std::size_t i = 0; i < left.nodes.size(); ++i) {
    if (sends[i] && receives[i]) continue;
    throw std::invalid_argument(
        "node " + shown(left.nodes[i].name, 40) + " of " + whole + " has no link" +
        (left.is_directed ? " in one direction" : "") +
        " to a node that is left; name it as well, or run on what is connected (--replan)");
  }
}

}  // namespace

GraphDescription described(const Topology& topology) {
  GraphDescription description;
  if (const Graph* const graph = graph_or_null(topology)) {
    description = graph->description();
    description.edges.clear();
  } else {
    for (std::size_t i = 0; i < topology.node_count(); ++i) {
      GraphDescription::Node node;
      node.name = topology.node_name(node_id(i));
      if (!topology.is_hypercube() && topology.dimension_count() == 2) {
        node.x = topology.coordinate(node_id(i), 0);
        node.y = topology.coordinate(node_id(i), 1);
      }
      description.nodes.push_back(std::move(node));
    }
  }
  for (const Channel channel : topology.channels()) {
    if (const std::optional<Edge> edge = edge_from(topology, channel)) {
      description.edges.push_back(*edge);
    }
  }
  return description;
}

std::shared_ptr<const Graph> without_nodes(const Topology& topology,
                                           const std::vector<NodeId>& missing) {
  GraphDescription whole = described(topology);
  for (std::size_t i = 0; i < topology.router_count(); ++i) {
    whole.nodes[topology.place_in_file(node_id(i))].number = topology.number_of(node_id(i));
  }
  GraphDescription left = whole;
  left.nodes.clear();
  left.edges.clear();
  left.missing.clear();
  std::vector<bool> has_gone(whole.nodes.size());
  for (const NodeId node : missing) {
    has_gone[topology.place_in_file(node)] = true;
    left.missing.push_back(topology.node_name(node));
  }
  std::vector<std::size_t> places(whole.nodes.size());
  for (std::size_t i = 0; i < whole.nodes.size(); ++i) {
    places[i] = left.nodes.size();
    if (!has_gone[i]) left.nodes.push_back(whole.nodes[i]);
  }
  for (Edge edge : whole.edges) {
    heed_stop();
    if (has_gone[edge.u] || has_gone[edge.v]) continue;
    edge.u = places[edge.u];
    edge.v = places[edge.v];
    left.edges.push_back(edge);
  }
  left.whole = topology.name();
  left.name = name_without(left.whole, left.missing);
  require_left(left, left.whole);
  fit_ports(left);
  return std::make_shared<Graph>(left);
}

bool is_connected_without(const Topology& topology, const std::vector<NodeId>& missing) {
  return is_one_part(topology, missing, {});
}

}  // namespace allport
