// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/graphs/graph.h"

#include <algorithm>
#include <bitset>
#include <charconv>
#include <set>

#include "rtl_model/base/fnv1a.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/base/words.h"
#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/graphs/readers.h"

namespace allport {

namespace {

using Edge = GraphDescription::Edge;

[[noreturn]] void reject(const GraphDescription& graph, std::size_t line, const std::string& why) {
  reject_graph(graph.file, line, why);
}

[[noreturn]] void reject_node(const GraphDescription& graph, const GraphDescription::Node& node,
                              const std::string& why) {
  if (node.nodes_line == 0) reject(graph, node.line, why);
  reject_graph(nodes_file_of(graph.file), node.nodes_line, why);
}

std::string edge_in_words(const GraphDescription& graph, const Edge& edge) {
  return "edge " + shown(graph.nodes[edge.u].name, 40) + (graph.is_directed ? " -> " : " - ") +
         shown(graph.nodes[edge.v].name, 40);
}

// The ports of the routers on one side: outputs, inputs, or both where links lead both ways.
class Ports {
 public:
  Ports(const GraphDescription& graph, const char* kind)
      : graph_(graph), kind_(kind), taken_(graph.nodes.size()) {}

  // The port of node `place` that an edge names, or its lowest one without a link.
  std::uint8_t take(std::size_t place, const std::optional<int>& named, const Edge& edge) {
    std::bitset<max_graph_ports>& taken = taken_[place];
    int port = named.value_or(0);
    while (!named && port < max_graph_ports && taken[static_cast<std::size_t>(port)]) ++port;
    const std::string what = edge_in_words(graph_, edge) + ": " + kind_ + " ";
    const std::string& node = graph_.nodes[place].name;
    if (port < 0 || port >= max_graph_ports) {
      reject(graph_, edge.line,
             named ? what + std::to_string(port) + " of node " + shown(node, 40) + " must be 0.." +
                         std::to_string(max_graph_ports - 1)
                   : edge_in_words(graph_, edge) + ": node " + shown(node, 40) + " has more than " +
                         std::to_string(max_graph_ports) + " " + kind_ + "s");
    }
    if (taken[static_cast<std::size_t>(port)]) {
      reject(graph_, edge.line,
             what + std::to_string(port) + " of node " + shown(node, 40) + " has a link already");
    }
    taken.set(static_cast<std::size_t>(port));
    most_ = std::max(most_, static_cast<std::size_t>(port) + 1);
    return static_cast<std::uint8_t>(port);
  }
  bool has_any(std::size_t place) const { return taken_[place].any(); }
  std::size_t most() const { return most_; }

 private:
  const GraphDescription& graph_;
  const char* kind_;
  std::vector<std::bitset<max_graph_ports>> taken_;  // by node
  std::size_t most_ = 0;                             // ports of a router
};

void require_edges(const GraphDescription& graph) {
  std::set<std::pair<std::size_t, std::size_t>> seen;
  for (const Edge& edge : graph.edges) {
    if (edge.u == edge.v) {
      reject(graph, edge.line, edge_in_words(graph, edge) + " is a loop; a link joins two nodes");
    }
    const bool has_ports = edge.from_port && edge.to_port;
    const auto pair = graph.is_directed
                          ? std::pair(edge.u, edge.v)
                          : std::pair(std::min(edge.u, edge.v), std::max(edge.u, edge.v));
    if (seen.insert(pair).second || has_ports) continue;
    reject(graph, edge.line,
           edge_in_words(graph, edge) +
               " is there twice; parallel links name their ports, from_port and to_port");
  }
}

void require_nodes(const GraphDescription& graph) {
  if (graph.nodes.size() > max_node_count) {
    reject(graph, 0,
           "it has " + std::to_string(graph.nodes.size()) + " nodes; at most " +
               std::to_string(max_node_count) + " are possible");
  }
  for (const GraphDescription::Node& node : graph.nodes) {
    for (const auto& [what, text] :
         {std::pair("node ", &node.name), std::pair("group ", &node.group)}) {
      if (is_printable(*text)) continue;
      reject(graph, node.line,
             what + in_quotes(*text) + " must be a text in UTF-8 without control characters");
    }
  }
  const auto processors =
      std::count_if(graph.nodes.begin(), graph.nodes.end(),
                    [](const GraphDescription::Node& node) { return node.has_processor; });
  if (processors < 2) {
    reject(graph, 0,
           "it has " + counted(static_cast<std::uint64_t>(processors), "node") +
               " with a processor, and needs 2 or more");
  }
}

// The ports of edges, from and to, one after another. `arrivals`: where links lead both ways,
// `outputs`.
std::vector<std::pair<std::uint8_t, std::uint8_t>> ports_of_edges(const GraphDescription& graph,
                                                                  Ports& outputs, Ports& arrivals) {
  std::vector<std::pair<std::uint8_t, std::uint8_t>> ports;
  for (const Edge& edge : graph.edges) {
    heed_stop();
    const std::uint8_t from = outputs.take(edge.u, edge.from_port, edge);
    ports.emplace_back(from, arrivals.take(edge.v, edge.to_port, edge));
  }
  return ports;
}

const char* kind_of_outputs(const GraphDescription& graph) {
  return graph.is_directed ? "output port" : "port";
}
constexpr const char* kind_of_inputs = "input port";

}  // namespace

void require_ports(const GraphDescription& graph) {
  require_edges(graph);
  Ports outputs(graph, kind_of_outputs(graph));
  Ports inputs(graph, kind_of_inputs);
  ports_of_edges(graph, outputs, graph.is_directed ? inputs : outputs);
}

/// The ports of each edge: from and to, and on the way back where links lead both ways.
struct Graph::Laid {
  std::vector<std::pair<std::uint8_t, std::uint8_t>> ports;
  std::size_t most = 0;
  std::size_t processors = 0;
};

Graph::Laid Graph::lay(const GraphDescription& graph) {
  require_nodes(graph);
  require_edges(graph);
  Laid laid;
  Ports outputs(graph, kind_of_outputs(graph));
  Ports inputs(graph, kind_of_inputs);
  Ports& arrivals = graph.is_directed ? inputs : outputs;
  laid.ports = ports_of_edges(graph, outputs, arrivals);
  laid.most = std::max(outputs.most(), inputs.most());
  for (std::size_t place = 0; place < graph.nodes.size(); ++place) {
    const GraphDescription::Node& node = graph.nodes[place];
    if (node.has_processor) ++laid.processors;
    if (outputs.has_any(place) && arrivals.has_any(place)) continue;
    reject(graph, node.line,
           "node " + shown(node.name, 40) +
               (graph.is_directed ? " has no edge in one of its directions" : " has no edge"));
  }
  return laid;
}

Graph::Graph(const GraphDescription& description) : Graph(description, lay(description)) {}

Graph::Graph(const GraphDescription& description, const Laid& laid)
    : Topology(description.name.empty() ? "graph:" + description.file : description.name,
               laid.processors, description.nodes.size(), laid.most),
      description_(description),
      numbers_(description.nodes.size()),
      far_ends_(description.nodes.size() * laid.most),
      near_ends_(far_ends_.size()),
      edges_(far_ends_.size()),
      ports_(description.nodes.size()) {
  for (const bool is_switch : {false, true}) {
    for (std::size_t place = 0; place < description.nodes.size(); ++place) {
      const GraphDescription::Node& node = description.nodes[place];
      if (node.has_processor == is_switch) continue;
      numbers_[place] = node_id(places_.size());
      places_.push_back(place);
      const bool is_number = node.name.find_first_not_of("0123456789") == std::string::npos;
      has_numbers_as_names_ = has_numbers_as_names_ || is_number;
      if (!by_name_.emplace(node.name, numbers_[place]).second) {
        reject(description, node.line, "node " + shown(node.name, 40) + " is there twice");
      }
    }
  }
  const auto join = [&](std::size_t edge, std::size_t u, std::uint8_t from, std::size_t v,
                        std::uint8_t to) {
    const auto a = static_cast<std::uint32_t>(index(numbers_[u]));
    const auto b = static_cast<std::uint32_t>(index(numbers_[v]));
    far_ends_[a * laid.most + from] = {b, to};
    near_ends_[b * laid.most + to] = {a, from};
    edges_[a * laid.most + from] = static_cast<std::uint32_t>(edge);
    ports_[a] = std::max(ports_[a], static_cast<std::uint8_t>(from + 1));
    ports_[b] = std::max(ports_[b], static_cast<std::uint8_t>(to + 1));
    if (description.nodes[u].has_processor) {
      node_ports_ = std::max(node_ports_, static_cast<std::size_t>(from) + 1);
    }
    if (description.nodes[v].has_processor) {
      node_ports_ = std::max(node_ports_, static_cast<std::size_t>(to) + 1);
    }
  };
  for (std::size_t i = 0; i < description.edges.size(); ++i) {
    const Edge& edge = description.edges[i];
    const auto [from, to] = laid.ports[i];
    join(i, edge.u, from, edge.v, to);
    if (!description.is_directed) join(i, edge.v, to, edge.u, from);
  }
  for (std::size_t place = 0; place < description.nodes.size(); ++place) {
    const GraphDescription::Node& node = description.nodes[place];
    if (!node.internal_ports) continue;
    has_own_internal_ports_ = true;
    const int most = external_ports(numbers_[place]);
    if (node.has_processor && *node.internal_ports <= most) continue;
    const std::string words = "node " + shown(node.name, 40) + " has ports " +
                              (*node.internal_ports == GraphDescription::all_external
                                   ? "all"
                                   : std::to_string(*node.internal_ports));
    reject_node(description, node,
                node.has_processor
                    ? words + ", its internal ports; they must be 1.." + std::to_string(most) +
                          ", as many as its external ones at most"
                    : words + ", which are internal ports, and a switch has none");
  }
}

std::optional<NodeId> Graph::neighbour(NodeId node, PortId port) const {
  const End& end = far_ends_[index(node) * port_count() + index(port)];
  return end.is_there() ? std::make_optional(node_id(end.node)) : std::nullopt;
}

PortId Graph::arrival_port(NodeId node, PortId port) const {
  return port_id(far_ends_[index(node) * port_count() + index(port)].port);
}

std::optional<Channel> Graph::incoming(NodeId node, PortId port) const {
  const End& end = near_ends_[index(node) * port_count() + index(port)];
  if (!end.is_there()) return std::nullopt;
  return Channel{node_id(end.node), port_id(end.port)};
}

std::optional<NodeId> Graph::find_node(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? std::nullopt : std::make_optional(found->second);
}

std::optional<NodeId> Graph::meant_by(std::string_view text) const {
  if (const auto named = find_node(text)) return named;
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  if (has_numbers_as_names_) {
    // What is left of a hypercube has names that were numbers, and those may be binary.
    if (description_.missing.empty() || text.substr(0, 2) != "0b") return std::nullopt;
    const auto [stop, error] = std::from_chars(text.data() + 2, end, number, 2);
    return error == std::errc{} && stop == end ? find_node(std::to_string(number)) : std::nullopt;
  }
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end ? find_number(number) : std::nullopt;
}

// Numbers ascend with those of the whole fabric.
std::optional<NodeId> Graph::find_number(std::size_t number) const {
  std::size_t low = 0;
  for (std::size_t high = router_count(); low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    if (number_of(node_id(middle)) < number) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool is_there = low < router_count() && number_of(node_id(low)) == number;
  return is_there ? std::make_optional(node_id(low)) : std::nullopt;
}

std::string Graph::nodes_in_words() const {
  const auto& nodes = description_.nodes;
  return "its nodes are " + shown(nodes.front().name, 40) + ", " + shown(nodes[1].name, 40) +
         (nodes.size() > 2 ? ", .." : "") + of_file();
}

std::string Graph::of_file() const {
  return description_.name.empty() ? " of " + shown_input(description_.file) : "";
}

std::uint64_t Graph::fingerprint() const {
  Fnv1a hash;
  const auto add = [&](const std::string& text) { hash.add(text + '\n'); };
  const auto number = [](const std::optional<int>& one) {
    return one ? std::to_string(*one) : std::string("-");
  };
  for (const GraphDescription::Node& node : description_.nodes) {
    add(node.name);
    add(node.group);
    add((node.has_processor ? "node " : "switch ") + number(node.internal_ports) + ' ' +
        number(node.level));
  }
  for (const Channel channel : channels()) {
    const GraphDescription::Edge& edge = edge_of(channel);
    for (const std::size_t one :
         {index(channel.node), index(channel.port), index(*neighbour(channel.node, channel.port)),
          index(arrival_port(channel.node, channel.port))}) {
      add(std::to_string(one));
    }
    add(number(edge.delay) + ' ' + number(edge.width));
  }
  return hash.value();
}

// Between nodes with a processor.
int Graph::diameter() const {
  if (diameter_) return *diameter_;
  int longest = 0;
  for (std::size_t from = 0; from < node_count(); ++from) {
    heed_stop();
    std::vector<int> distances(router_count(), -1);
    distances[from] = 0;
    std::vector<std::size_t> reached{from};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (std::size_t port = 0; port < port_count(); ++port) {
        const End& end = far_ends_[reached[i] * port_count() + port];
        if (!end.is_there() || distances[end.node] >= 0) continue;
        distances[end.node] = distances[reached[i]] + 1;
        reached.push_back(end.node);
        if (end.node < node_count()) longest = std::max(longest, distances[end.node]);
      }
    }
  }
  diameter_ = longest;
  return longest;
}

}  // namespace allport
