// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/fabric_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "rtl_model/base/range.h"
#include "rtl_model/base/words.h"
#include "rtl_model/graphs/graph.h"
#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/topology/channel_words.h"

namespace allport {

namespace {

bool has_processor(const Topology& topology, NodeId node) {
  return index(node) < topology.node_count();
}

// `, delay 4, 2 phits`; empty: the link is as all are.
std::string link_attributes(const LinkTable* links, Channel channel) {
  if (links == nullptr) return "";
  const std::size_t place = links->place(channel.node, index(channel.port));
  const int phits = 1 + links->further_phits[place];
  return fmt::format(", delay {}{}", links->delays[place],
                     phits > 1 ? fmt::format(", {} phits", phits) : "");
}

// Whether a channel is drawn: of the two of a link that of the lower router.
bool is_drawn(const Topology& topology, Channel channel) {
  if (topology.is_graph() && static_cast<const Graph&>(topology).is_directed()) return true;
  return channel.node < *topology.neighbour(channel.node, channel.port);
}

// What the file of a graph says of a router, so that a graph can be made of it again.
void add_own(Json& router, const Graph& graph, NodeId node) {
  const GraphDescription::Node& its = graph.node_of(node);
  router["place"] = graph.place_in_file(node);
  if (const auto own = graph.internal_ports(node)) router["internal_ports"] = *own;
  if (its.x) router["x"] = *its.x;
  if (its.y) router["y"] = *its.y;
  if (!its.group.empty()) router["group"] = its.group;
  if (its.level) router["level"] = *its.level;
}

// What it says of a link; null: nothing.
Json own_of(const GraphDescription::Edge& edge) {
  Json own;
  if (edge.delay) own["delay"] = *edge.delay;
  if (edge.width) own["width"] = *edge.width;
  return own;
}

std::string quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string pipeline_in_words(const RouterConfig& router) {
  if (router.pipeline_delay() == 0) return "";
  std::string words;
  for (const PipelineDelay& delay : pipeline_delays) {
    words += fmt::format(", {} {}", delay.words, router.*delay.cycles);
  }
  return words;
}

std::string links_in_words(const LinkTable& links, const Topology& topology) {
  Range delays{limits::link_delay.high, 0};
  Range phits{limits::flit_bytes.high, 0};
  const auto add = [](Range& range, std::int64_t one) {
    range = {std::min(range.low, one), std::max(range.high, one)};
  };
  for (const Channel channel : topology.channels()) {
    const std::size_t place = links.place(channel.node, index(channel.port));
    add(delays, links.delays[place]);
    add(phits, 1 + links.further_phits[place]);
  }
  const auto in_words = [](const Range& range, const char* thing) {
    return fmt::format("{} {}{}", range_in_words(range.low, range.high), thing,
                       range.low == 1 && range.high == 1 ? "" : "s");
  };
  const std::string words = fmt::format("links of {} of delay", in_words(delays, "cycle"));
  if (phits.high == 1) return words;
  return fmt::format("{} and {} a flit", words, in_words(phits, "phit"));
}

Shown show_fabric(const Topology& topology, const LinkTable* links) {
  const auto* const graph = topology.is_graph() ? static_cast<const Graph*>(&topology) : nullptr;
  const std::size_t switches = topology.router_count() - topology.node_count();
  Shown shown;
  shown.text = fmt::format("fabric      {}: {}{}, {}\n", topology.name(),
                           counted(topology.node_count(), "node"),
                           switches == 0 ? "" : ", " + counted(switches, "switch"),
                           counted(topology.channels().size(), "channel"));
  const auto label_of = [&](NodeId node) {
    const std::string name = topology.node_name(node);
    if (!topology.has_all_numbers()) {  // waves count the routers that are left
      return (has_processor(topology, node) ? "node " : "switch ") + name +
             fmt::format(" (router_{} in waves)", index(node));
    }
    const std::string number = std::to_string(index(node));
    return (has_processor(topology, node) ? "node " : "switch ") + number +
           (topology.is_graph() ? " " + name : "");
  };
  std::size_t width = 12;
  for (std::size_t i = 0; i < topology.router_count(); ++i) {
    width = std::max(width, label_of(node_id(i)).size() + 2);
  }
  Json routers = Json::array();
  for (std::size_t i = 0; i < topology.router_count(); ++i) {
    const NodeId node = node_id(i);
    Json ports = Json::array();
    std::string words;
    for (std::size_t port = 0; port < topology.port_count(); ++port) {
      const auto to = topology.neighbour(node, port_id(port));
      if (!to) continue;
      const Channel channel{node, port_id(port)};
      const std::size_t arrival = index(topology.arrival_port(node, port_id(port)));
      words += fmt::format("{}{} to {}{}", words.empty() ? "" : "; ",
                           direction_in_words(topology, port_id(port)), topology.node_name(*to),
                           link_attributes(links, channel));
      Json one{{"port", port}, {"to", topology.node_name(*to)}, {"input", arrival}};
      if (links != nullptr) {
        const std::size_t place = links->place(node, port);
        one["delay"] = links->delays[place];
        one["phits"] = 1 + links->further_phits[place];
      }
      if (graph != nullptr) {
        if (Json own = own_of(graph->edge_of(channel)); !own.is_null()) one["own"] = std::move(own);
      }
      ports.push_back(std::move(one));
    }
    const bool is_node = has_processor(topology, node);
    const std::string name = topology.node_name(node);
    if (const int own = internal_ports_of(topology, node, 0); own > 0) {
      words += "; " + counted(static_cast<std::uint64_t>(own), "internal port");
    }
    shown.text += fmt::format("{:<{}}{}\n", label_of(node), width, words);
    routers.push_back({{"name", name},
                       {"node", is_node ? node_json(node, topology) : Json()},
                       {"router", i},
                       {"ports", ports}});
    if (graph != nullptr) add_own(routers.back(), *graph, node);
  }
  shown.json = {{"topology", topology.name()},
                {"nodes", topology.node_count()},
                {"switches", switches},
                {"routers", std::move(routers)}};
  if (graph != nullptr) shown.json["directed"] = graph->is_directed();
  return shown;
}

std::string fabric_drawing(const Topology& topology, const LinkTable* links) {
  const bool is_directed = topology.is_graph() && static_cast<const Graph&>(topology).is_directed();
  std::string text = is_directed ? "digraph fabric {\n" : "graph fabric {\n";
  text += "  layout=neato; overlap=false; node [fontname=\"sans-serif\"];\n";
  for (std::size_t i = 0; i < topology.router_count(); ++i) {
    const NodeId node = node_id(i);
    std::string place;
    if (topology.is_graph()) {
      const GraphDescription::Node& its = static_cast<const Graph&>(topology).node_of(node);
      if (its.x && its.y) place = fmt::format(", pos=\"{},{}!\"", *its.x, *its.y);
    } else if (topology.dimension_count() == 2) {
      place = fmt::format(", pos=\"{},{}!\"", topology.coordinate(node, 0),
                          topology.coordinate(node, 1));
    }
    text += fmt::format("  {} [shape={}{}];\n", quoted(topology.node_name(node)),
                        has_processor(topology, node) ? "box" : "ellipse", place);
  }
  for (const Channel channel : topology.channels()) {
    if (!is_drawn(topology, channel)) continue;
    const std::string attributes = link_attributes(links, channel);
    text += fmt::format(
        "  {} {} {}{};\n", quoted(topology.node_name(channel.node)), is_directed ? "->" : "--",
        quoted(topology.node_name(*topology.neighbour(channel.node, channel.port))),
        attributes.empty() ? "" : fmt::format(" [tooltip={}]", quoted(attributes.substr(2))));
  }
  return text + "}\n";
}

}  // namespace allport
