// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/show_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/words.h"
#include "traffic/algorithms/algorithms.h"
#include "traffic/algorithms/cube_frame.h"
#include "traffic/algorithms/hypercube_multicast.h"
#include "traffic/theory/lower_bound.h"

namespace allport {

namespace {

// `5 (0101)` on a hypercube, `5 (1, 2)` elsewhere.
std::string in_words(NodeId node, const Topology& topology) {
  if (topology.is_hypercube()) {
    return fmt::format("{} ({:0{}b})", index(node), index(node), topology.dimension_count());
  }
  std::string coordinates;
  for (std::size_t i = 0; i < topology.dimension_count(); ++i) {
    coordinates += fmt::format("{}{}", i > 0 ? ", " : "", topology.coordinate(node, i));
  }
  return fmt::format("{} ({})", index(node), coordinates);
}

// `dimension 2`, or `dimension 0 +`.
std::string way_in_words(PortId port, const Topology& topology) {
  const std::size_t dimension = topology.dimension_of(port);
  if (topology.is_hypercube()) return fmt::format("dimension {}", dimension);
  return fmt::format("dimension {} {}", dimension, index(port) % 2 == 0 ? '+' : '-');
}

// `either`: the class that the message chooses where it enters a dimension.
std::string class_in_words(VcClass vc_class) {
  if (vc_class == VcClass::either) return "either";
  return vc_class == VcClass::p ? "p" : "h or l";
}

Json list_json(const std::vector<NodeId>& nodes) {
  Json list = Json::array();
  for (const NodeId node : nodes) list.push_back(index(node));
  return list;
}

// The number of shortest ways from `from` to `to`, as far as a number of 64 bits goes: each order
// of the hops, and two ways around a ring where the node lies opposite.
double shortest_ways(const Routing& routing, NodeId from, NodeId to) {
  const Topology& topology = routing.topology();
  double ways = 1;
  int hops = 0;
  const std::vector<int> offsets = routing.displacement(from, to, 0);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const int distance = std::abs(offsets[i]);
    for (int k = 1; k <= distance; ++k) ways = ways * (hops + k) / k;
    hops += distance;
    const bool is_opposite = topology.wraps() && 2 * distance == topology.sides()[i];
    if (is_opposite) ways *= 2;
  }
  return ways;
}

// The least s with (ports + 1)^s >= nodes: in a step every node that has a message sends it to as
// many others as it has internal ports. [Hou98, sec. 5]
int least_steps(std::size_t nodes, int ports) {
  int steps = 0;
  for (std::size_t reached = 1; reached < nodes; reached *= static_cast<std::size_t>(ports) + 1) {
    ++steps;
  }
  return steps;
}

// Whether the blocks of `operation` among `nodes` nodes can be numbered.
bool has_numbers(Operation operation, std::size_t nodes) {
  return operation != Operation::alltoall || nodes * nodes <= std::numeric_limits<BlockId>::max();
}

// From or to `root`, if `operation` has one.
Collective goal_of(Operation operation, const Topology& topology, NodeId root) {
  const std::size_t nodes = topology.node_count();
  if (operation == Operation::bcast) return {nodes, broadcast(topology, root), 1};
  if (auto neighbours = neighbours_of(operation, topology)) {
    return {operation, nodes, std::move(neighbours)};
  }
  return {operation, nodes, root};
}

}  // namespace

Shown show_route(const Routing& routing, NodeId from, NodeId to) {
  const Topology& topology = routing.topology();
  Shown shown;
  const int hops = routing.distance(from, to);
  const double ways = shortest_ways(routing, from, to);
  shown.text = fmt::format("route       {} to {}: {} on {}, {} routing; one of {:.0f} shortest\n",
                           in_words(from, topology), in_words(to, topology), counted(hops, "hop"),
                           topology.name(), to_string(routing.order()), ways);
  Json list = Json::array();
  NodeId here = from;
  const TieMask ties = routing.usual_ties(from, to, 0);  // those of its sender's first message
  std::size_t input = topology.port_count();
  VcClass asked = VcClass::h_or_l;
  for (int hop = 1; here != to; ++hop) {
    const Hop next = *routing.route(here, to, ties);
    const NodeId there = *topology.neighbour(here, next.port);
    asked = routing.requested_class(here, next, input, asked);
    input = index(topology.arrival_port(next.port));
    const std::string vc_class = topology.wraps() ? class_in_words(asked) : "";
    shown.text +=
        fmt::format("{:<12}{} by {} to {}{}\n", fmt::format("hop {}", hop),
                    in_words(here, topology), way_in_words(next.port, topology),
                    in_words(there, topology), vc_class.empty() ? "" : ", class " + vc_class);
    list.push_back({{"from", index(here)},
                    {"port", index(next.port)},
                    {"to", index(there)},
                    {"class", vc_class.empty() ? Json() : Json(vc_class)}});
    here = there;
  }
  shown.json = {
      {"topology", topology.name()}, {"from", index(from)},     {"to", index(to)}, {"hops", hops},
      {"shortest_ways", ways},       {"route", std::move(list)}};
  return shown;
}

Shown show_chains(const Routing& routing, const Multicast& goal) {
  const Topology& topology = routing.topology();
  if (!topology.is_hypercube()) {
    throw std::invalid_argument("chains are for hypercubes; " + topology.name() + " is not one");
  }
  const CubeFrame frame(routing, goal.source);
  std::vector<std::uint32_t> chain{0};
  for (const NodeId node : goal.destinations) chain.push_back(frame.address(node));
  std::sort(chain.begin(), chain.end());
  const auto nodes_of = [&](const std::vector<std::uint32_t>& addresses) {
    std::vector<NodeId> nodes;
    nodes.reserve(addresses.size());
    for (const std::uint32_t address : addresses) nodes.push_back(frame.node(address));
    return nodes;
  };
  const std::vector<NodeId> ordered = nodes_of(chain);
  weighted_sort(chain, topology.dimension_count());
  const std::vector<NodeId> weighted = nodes_of(chain);
  const auto words = [&](const std::vector<NodeId>& nodes) {
    std::string text;
    for (const NodeId node : nodes) {
      text += fmt::format("{}{:0{}b}", text.empty() ? "" : " ", index(node),
                          topology.dimension_count());
    }
    return text;
  };
  return {fmt::format("ordered     {}\nweighted    {}\n", words(ordered), words(weighted)),
          {{"topology", topology.name()},
           {"source", index(goal.source)},
           {"ordered", list_json(ordered)},
           {"weighted", list_json(weighted)}}};
}

Shown show_gray(const Topology& topology) {
  if (!topology.is_hypercube()) {
    throw std::invalid_argument("Gray codes are for hypercubes; " + topology.name() +
                                " is not one");
  }
  Shown shown;
  std::vector<NodeId> nodes;
  for (std::size_t rank = 0; rank < topology.node_count(); ++rank) {
    nodes.push_back(node_id(rank ^ rank >> 1));
    shown.text +=
        fmt::format("{:<16}{}\n", fmt::format("rank {}", rank), in_words(nodes.back(), topology));
  }
  shown.json = {{"topology", topology.name()}, {"nodes", list_json(nodes)}};
  return shown;
}

Shown show_tree(const Topology& topology, NodeId source, const Schedule& schedule) {
  const std::size_t count = topology.node_count();
  std::vector<std::vector<const Unicast*>> sends(count);
  std::vector<bool> has_it(count);
  has_it[index(source)] = true;
  for (const Unicast& unicast : schedule.unicasts) {
    sends[index(unicast.u)].push_back(&unicast);
    if (!has_it[index(unicast.v)]) {
      has_it[index(unicast.v)] = true;
      continue;
    }
    throw std::invalid_argument(
        fmt::format("{}: node {} receives twice, so the messages are not a tree", describe(unicast),
                    index(unicast.v)));
  }
  Shown shown;
  // The set that is reached through each node, itself included; children come after their parents
  // in the order in which they are visited.
  std::vector<std::vector<NodeId>> reached(count);
  Json edges = Json::array();
  const std::function<void(NodeId)> gather = [&](NodeId node) {
    std::vector<NodeId>& own = reached[index(node)];
    own = {node};
    for (const Unicast* send : sends[index(node)]) {
      gather(send->v);
      const std::vector<NodeId>& other = reached[index(send->v)];
      own.insert(own.end(), other.begin(), other.end());
    }
    std::sort(own.begin(), own.end());
  };
  gather(source);
  const std::function<void(NodeId, int)> print = [&](NodeId node, int depth) {
    for (const Unicast* send : sends[index(node)]) {
      const std::vector<NodeId>& set = reached[index(send->v)];
      shown.text += fmt::format(
          "{}step {}: {}, {}\n", std::string(static_cast<std::size_t>(2 * depth), ' '), send->step,
          in_words(send->v, topology),
          set.size() == 1 ? "a leaf"
                          : fmt::format("through which {} {}", counted(set.size() - 1, "node"),
                                        set.size() == 2 ? "gets it" : "get it"));
      edges.push_back({{"u", index(node)},
                       {"v", index(send->v)},
                       {"step", send->step},
                       {"reached", list_json(set)}});
      print(send->v, depth + 1);
    }
  };
  shown.text = in_words(source, topology) + "\n";
  print(source, 1);
  shown.json = {{"topology", topology.name()}, {"source", index(source)}, {"edges", edges}};
  return shown;
}

namespace {

int degree_of(NodeId node, const Topology& topology) {
  int degree = 0;
  for (std::size_t port = 0; port < topology.port_count(); ++port) {
    if (topology.neighbour(node, port_id(port))) ++degree;
  }
  return degree;
}

}  // namespace

Shown show_bounds(const Routing& routing, NodeId root, int internal_ports,
                  const TimingParameters& timing) {
  const Topology& topology = routing.topology();
  const std::size_t channels = topology.channels().size();
  int degree = 0;
  for (std::size_t node = 0; node < topology.node_count(); ++node) {
    degree = std::max(degree, degree_of(node_id(node), topology));
  }
  const int at_root = degree_of(root, topology);
  const std::size_t cut = topology.bisection_channels();
  Shown shown;
  shown.text = fmt::format(
      "{:<16}{}\n{:<16}{}, {} one way\n{:<16}{}{}\n{:<16}{}\n{:<16}{}, {}\n", "nodes",
      topology.node_count(), "links", channels / 2, counted(channels, "channel"), "degree", degree,
      at_root == degree ? "" : fmt::format(", {} of node {}", at_root, index(root)), "diameter",
      counted(topology.diameter(), "hop"), "bisection", counted(cut / 2, "link"),
      counted(cut, "channel"));
  const int steps = least_steps(topology.node_count(), internal_ports);
  shown.text += fmt::format("{:<16}a broadcast takes at least {}, {} messages a node in each\n",
                            "steps", steps, internal_ports);
  Json bounds = Json::object();
  for (const Operation operation : operations()) {
    const std::optional<Stencil> stencil = stencil_of(operation);
    if (stencil && !has_neighbours(*stencil, topology)) continue;
    if (!has_numbers(operation, topology.node_count())) {
      shown.text += fmt::format("{:<16}not told: it has more blocks than can be numbered\n",
                                to_string(operation));
      bounds[std::string(to_string(operation))] = nullptr;
      continue;
    }
    const Collective goal = goal_of(operation, topology, root);
    TimingParameters one = timing;
    if (operation == Operation::barrier) one.flits = 1;
    const LowerBound bound = lower_bound({topology, goal, internal_ports, one, false});
    shown.text += fmt::format("{:<16}at least {} cycles, by {}\n", to_string(operation),
                              bound.cycles, bound.binds);
    bounds[std::string(to_string(operation))] = {{"cycles", bound.cycles}, {"binds", bound.binds}};
  }
  shown.json = {{"topology", topology.name()},
                {"nodes", topology.node_count()},
                {"links", channels / 2},
                {"channels", channels},
                {"degree", degree},
                {"diameter", topology.diameter()},
                {"bisection", {{"links", cut / 2}, {"channels", cut}}},
                {"steps", steps},
                {"bounds", std::move(bounds)}};
  return shown;
}

}  // namespace allport
