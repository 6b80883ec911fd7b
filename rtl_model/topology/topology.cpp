// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/topology.h"

#include <charconv>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"
#include "rtl_model/topology/grid.h"
#include "rtl_model/topology/hypercube.h"

namespace allport {

Topology::Topology(TopologyKind kind, std::string name, std::vector<int> sides,
                   std::size_t port_count)
    : kind_(kind), name_(std::move(name)), sides_(std::move(sides)), port_count_(port_count) {
  for (const int side : sides_) node_count_ *= static_cast<std::size_t>(side);
  router_count_ = node_count_;
}

Topology::Topology(std::string name, std::size_t nodes, std::size_t routers, std::size_t port_count)
    : kind_(TopologyKind::graph),
      name_(std::move(name)),
      node_count_(nodes),
      router_count_(routers),
      port_count_(port_count) {}

std::optional<NodeId> Topology::find_number(std::size_t number) const {
  if (number >= router_count()) return std::nullopt;
  return node_id(number);
}

std::string Topology::node_name(NodeId node) const { return std::to_string(index(node)); }

std::optional<NodeId> Topology::find_node(std::string_view name) const {
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  const bool is_node = error == std::errc{} && stop == end && number < node_count_;
  return is_node ? std::make_optional(node_id(number)) : std::nullopt;
}

std::string Topology::nodes_in_words() const {
  return "its nodes are 0.." + std::to_string(node_count_ - 1);
}

std::optional<Channel> Topology::incoming(NodeId node, PortId port) const {
  const std::optional<NodeId> from = neighbour(node, port);
  if (!from) return std::nullopt;
  return Channel{*from, arrival_port(node, port)};
}

std::vector<Channel> Topology::channels() const {
  std::vector<Channel> all;
  all.reserve(router_count() * port_count());
  for (std::size_t node = 0; node < router_count(); ++node) {
    for (std::size_t port = 0; port < port_count(); ++port) {
      if (neighbour(node_id(node), port_id(port))) all.push_back({node_id(node), port_id(port)});
    }
  }
  return all;
}

std::size_t Topology::relative(NodeId node, NodeId source) const {
  if (is_hypercube()) return index(node) ^ index(source);
  return (index(node) + node_count_ - index(source)) % node_count_;
}

NodeId Topology::absolute(std::size_t relative, NodeId source) const {
  if (is_hypercube()) return node_id(relative ^ index(source));
  return node_id((relative + index(source)) % node_count_);
}

void require_node(const Topology& topology, std::uint64_t node, const char* role) {
  if (node < topology.node_count()) return;
  throw std::invalid_argument(std::string(role) + " " + std::to_string(node) +
                              " is not a node of " + topology.name() + ", which has the nodes 0.." +
                              std::to_string(topology.node_count() - 1));
}

namespace {

[[noreturn]] void reject(std::string_view text, const std::string& why) {
  throw std::invalid_argument("topology " + in_quotes(text) + ": " + why);
}

int parse_side(std::string_view text, std::string_view number) {
  int value = 0;
  const char* end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, value);
  if (number.empty() || error == std::errc::invalid_argument || stop != end) {
    reject(text, in_quotes(number) + " is not a number");
  }
  if (error == std::errc::result_out_of_range) {
    reject(text, shown(number, 100) + " is too large");
  }
  return value;
}

std::vector<int> parse_sides(std::string_view text, std::string_view list) {
  std::vector<int> sides;
  while (true) {
    const std::size_t cross = list.find('x');
    sides.push_back(parse_side(text, list.substr(0, cross)));
    if (cross == std::string_view::npos) return sides;
    list.remove_prefix(cross + 1);
  }
}

}  // namespace

std::shared_ptr<const Topology> parse_topology(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view kind = text.substr(0, colon);
  const bool known = kind == "hypercube" || kind == "torus" || kind == "mesh" || kind == "ring";
  if (!known || colon == std::string_view::npos) {
    reject(text, "expected hypercube:N, torus:KxK[xK..], mesh:KxK[xK..] or ring:K");
  }
  const std::vector<int> sides = parse_sides(text, text.substr(colon + 1));
  if (kind == "hypercube") {
    if (sides.size() != 1) reject(text, "a hypercube has one number, its dimension");
    return std::make_shared<Hypercube>(sides.front());
  }
  if (kind == "ring") return std::make_shared<Grid>(TopologyKind::ring, sides);
  const TopologyKind grid = kind == "torus" ? TopologyKind::torus : TopologyKind::mesh;
  return std::make_shared<Grid>(grid, sides);
}

}  // namespace allport
