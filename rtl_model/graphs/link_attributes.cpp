// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/graphs/link_attributes.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "rtl_model/base/quote.h"
#include "rtl_model/graphs/csv_table.h"
#include "rtl_model/graphs/graph.h"
#include "rtl_model/graphs/readers.h"

namespace allport {

namespace {

using Link = LinkAttributes::Link;

// The decimal name of a binary one.
std::string in_decimal(std::string_view name) {
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  if (name.substr(0, 2) != "0b") return std::string(name);
  const auto [stop, error] = std::from_chars(name.data() + 2, end, number, 2);
  return error == std::errc{} && stop == end ? std::to_string(number) : std::string(name);
}

// The names of the nodes that are missing.
const std::vector<std::string>& missing_in(const Topology& topology) {
  static const std::vector<std::string> none;
  return topology.is_graph() ? static_cast<const Graph&>(topology).description().missing : none;
}

// A node by its name; those of a hypercube, and of what is left of one, have binary ones too.
std::optional<NodeId> node_called(std::string_view name, const Topology& topology) {
  if (const auto node = topology.find_node(name)) return node;
  const bool may_be_binary = topology.is_hypercube() || !missing_in(topology).empty();
  return may_be_binary ? topology.find_node(in_decimal(name)) : std::nullopt;
}

// Whether a node of this name is missing.
bool is_missing(const std::string& name, const Topology& topology) {
  const std::vector<std::string>& missing = missing_in(topology);
  const auto is_there = [&](const std::string& one) {
    return std::find(missing.begin(), missing.end(), one) != missing.end();
  };
  return is_there(name) || is_there(in_decimal(name));
}

// Finds the channels of links, and sees to it that each is named once.
class LinkFinder {
 public:
  LinkFinder(const LinkAttributes& attributes, const Topology& topology)
      : attributes_(attributes),
        topology_(topology),
        is_one_way_(topology.is_graph() && static_cast<const Graph&>(topology).is_directed()) {}

  std::vector<ChannelAttributes> find() {
    for (const Link& link : attributes_.links) {
      heed_stop();
      if (has_gone(link)) continue;
      const NodeId u = node_of(link, link.u);
      const NodeId v = node_of(link, link.v);
      for (const PortId port : ports_of(link, u, v)) {
        add(link, {u, port});
        if (is_one_way_) continue;
        // A channel begins at the port at which the other one of its link ends.
        add(link, {v, topology_.arrival_port(u, port)});
      }
    }
    return std::move(found_);
  }

 private:
  [[noreturn]] void reject(const Link& link, const std::string& why) const {
    reject_graph(attributes_.path, link.line, why);
  }

  // Whether an end of the link is missing, and the other one is or was there.
  bool has_gone(const Link& link) const {
    const bool is_u_missing = is_missing(link.u, topology_);
    const bool is_v_missing = is_missing(link.v, topology_);
    return (is_u_missing && (is_v_missing || node_called(link.v, topology_))) ||
           (is_v_missing && node_called(link.u, topology_));
  }

  NodeId node_of(const Link& link, const std::string& name) const {
    if (const auto node = node_called(name, topology_)) return *node;
    reject(link, in_quotes(name) + " is not a node of " + topology_.name() + "; " +
                     topology_.nodes_in_words());
  }

  // The outputs of u that lead to v; the one that is named, if there is one.
  std::vector<PortId> ports_of(const Link& link, NodeId u, NodeId v) const {
    std::vector<PortId> ports;
    std::string list;
    for (std::size_t i = 0; i < topology_.port_count(); ++i) {
      if (topology_.neighbour(u, port_id(i)) != v) continue;
      ports.push_back(port_id(i));
      list += (list.empty() ? "" : ", ") + std::to_string(i);
    }
    if (ports.empty()) {
      reject(link, is_one_way_ ? "no edge of " + topology_.name() + " leads from " +
                                     shown(link.u, 40) + " to " + shown(link.v, 40)
                               : "nodes " + shown(link.u, 40) + " and " + shown(link.v, 40) +
                                     " of " + topology_.name() + " are not neighbours");
    }
    if (!link.from_port) return ports;
    const PortId named = port_id(static_cast<std::size_t>(*link.from_port));
    if (std::find(ports.begin(), ports.end(), named) != ports.end()) return {named};
    reject(link, "from_port " + std::to_string(*link.from_port) + ": from node " +
                     shown(link.u, 40) + " to node " + shown(link.v, 40) + " leads port " + list);
  }

  void add(const Link& link, Channel channel) {
    const auto [known, is_new] = lines_.try_emplace(channel, link.line);
    if (!is_new) {
      reject(link, "the link " + shown(link.u, 40) + " - " + shown(link.v, 40) + " is in line " +
                       std::to_string(known->second) + " already");
    }
    found_.push_back({channel, link.delay, link.width});
  }

  const LinkAttributes& attributes_;
  const Topology& topology_;
  const bool is_one_way_;
  std::map<Channel, std::size_t> lines_;
  std::vector<ChannelAttributes> found_;
};

}  // namespace

LinkAttributes read_link_attributes(const std::string& path, std::string_view text) {
  LinkAttributes attributes;
  attributes.path = path;
  CsvColumns columns(path, {"u", "v", "delay", "width", "from_port"}, 2);
  for_each_csv_row(path, text, [&](const CsvCells& cells, std::size_t line) {
    if (columns.take(cells, line)) return;
    columns.require_cells(cells, line);
    GraphDescription::Edge edge;
    set_attributes(edge, columns, cells, path, line);
    Link link{{}, {}, edge.delay, edge.width, edge.from_port, line};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (columns[i] == "u") link.u = std::string(cells[i]);
      if (columns[i] == "v") link.v = std::string(cells[i]);
    }
    if (link.u.empty() || link.v.empty()) {
      reject_graph(path, line, std::string(link.u.empty() ? "u" : "v") + " is missing");
    }
    if (!link.delay && !link.width) {
      reject_graph(path, line, "the link has neither a delay nor a width of its own");
    }
    attributes.links.push_back(std::move(link));
  });
  if (attributes.links.empty()) {
    reject_graph(path, 0, "it names no link; a line is u,v,delay,width[,from_port]");
  }
  return attributes;
}

std::vector<ChannelAttributes> channels_of(const LinkAttributes& attributes,
                                           const Topology& topology) {
  return LinkFinder(attributes, topology).find();
}

}  // namespace allport
