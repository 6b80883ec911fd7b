// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/show_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/words.h"
#include "testbench/program/report/check_report.h"
#include "testbench/program/report/show_words.h"
#include "traffic/algorithms/algorithms.h"
#include "traffic/algorithms/cube_chain.h"
#include "traffic/algorithms/cube_frame.h"
#include "traffic/theory/lower_bound.h"

namespace allport {

namespace {

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

namespace {

void require_cube(const Topology& topology, const char* what) {
  if (topology.is_hypercube()) return;
  throw std::invalid_argument(
      fmt::format("{} are for hypercubes; {} is not one", what, topology.name()));
}

// `101 100 111`
std::string addresses_in_words(const std::vector<NodeId>& nodes, const Topology& topology) {
  std::string text;
  for (const NodeId node : nodes) {
    text +=
        fmt::format("{}{:0{}b}", text.empty() ? "" : " ", index(node), topology.dimension_count());
  }
  return text;
}

}  // namespace

Shown show_chains(const Routing& routing, const Multicast& goal, const std::vector<NodeId>& given) {
  const Topology& topology = routing.topology();
  require_cube(topology, "chains");
  const CubeFrame frame(routing, goal.source);
  const auto nodes_of = [&](const CubeChain& addresses) {
    std::vector<NodeId> nodes;
    nodes.reserve(addresses.size());
    for (const std::uint32_t address : addresses) nodes.push_back(frame.node(address));
    return nodes;
  };
  CubeChain chain{0};
  for (const NodeId node : goal.destinations) chain.push_back(frame.address(node));
  std::sort(chain.begin(), chain.end());
  const std::vector<NodeId> ordered = nodes_of(chain);
  const std::optional<ChainBreak> broken = chain_break(given, routing);
  std::string text = fmt::format("ordered     {}\n", addresses_in_words(ordered, topology));
  Json json{{"topology", topology.name()},
            {"source", node_json(goal.source, topology)},
            {"ordered", nodes_json(ordered, topology)},
            {"given", given.empty() ? Json() : nodes_json(given, topology)},
            {"cube_ordered", chain_json(broken, given, routing)},
            {"weighted", nullptr}};
  if (!given.empty()) {
    text += fmt::format("given       {}\n", addresses_in_words(given, topology));
    chain.clear();
    for (const NodeId node : given) chain.push_back(frame.address(node));
  }
  if (broken) {
    return {text + "broken      " + in_words(*broken, given, routing) + "\n", std::move(json)};
  }
  weighted_sort(chain, topology.dimension_count());
  const std::vector<NodeId> weighted = nodes_of(chain);
  json["weighted"] = nodes_json(weighted, topology);
  return {text + fmt::format("weighted    {}\n", addresses_in_words(weighted, topology)),
          std::move(json)};
}

Shown show_gray(const Topology& topology) {
  require_cube(topology, "Gray codes");
  Shown shown;
  std::vector<NodeId> nodes;
  for (std::size_t rank = 0; rank < topology.node_count(); ++rank) {
    nodes.push_back(node_id(rank ^ rank >> 1));
    shown.text += shown_line(fmt::format("rank {}", rank), in_words(nodes.back(), topology));
  }
  shown.json = {{"topology", topology.name()}, {"nodes", nodes_json(nodes, topology)}};
  return shown;
}

namespace {

// The reachable sets of nodes in their own subcubes [Jeon01, sec. 2], as a replication tree has
// them: set i of a node is all that agrees with it in the dimensions which are routed before
// dimension i, and not in dimension i.
class ReachableSets {
 public:
  ReachableSets(const Routing& routing, NodeId source)
      : n_(routing.topology().dimension_count()),
        topology_(routing.topology()),
        is_ascending_(routing.order() == RoutingOrder::ascending) {
    add(n_, source, n_, source, 0, "the source itself");
    add_sets_of(source, n_, 0);
  }

  Shown shown(NodeId source) && {
    return {std::move(text_),
            {{"topology", topology_.name()},
             {"source", node_json(source, topology_)},
             {"sets", std::move(sets_)}}};
  }

 private:
  // Those of `node` in the subcube of the `free` dimensions that are routed last, the largest
  // first. It calls itself for each level of the tree.
  void add_sets_of(NodeId node, std::size_t free, std::size_t depth) {
    for (std::size_t left = free; left-- > 0;) {
      const std::size_t dimension = is_ascending_ ? n_ - 1 - left : left;
      const NodeId leader = node_id(index(node) ^ std::size_t{1} << dimension);
      const std::size_t size = std::size_t{1} << left;
      add(dimension, node, free, leader, depth,
          fmt::format("{}, led by {}", counted(size, "node"), in_words(leader, topology_)), left);
      add_sets_of(leader, left, depth + 1);
    }
  }

  void add(std::size_t dimension, NodeId of, std::size_t dimensions, NodeId leader,
           std::size_t depth, const std::string& words, std::size_t free = 0) {
    const std::string name = fmt::format("R_{}^{}({:0{}b})", dimension, dimensions, index(of), n_);
    std::string subcube = fmt::format("{:0{}b}", index(leader), n_);
    subcube.replace(is_ascending_ ? 0 : n_ - free, free, free, 'x');
    text_ += fmt::format("{}{} = {}, {}\n", std::string(2 * depth, ' '), name, subcube, words);
    std::vector<NodeId> nodes;
    const std::size_t step = is_ascending_ ? std::size_t{1} << (n_ - free) : 1;
    const std::size_t first = is_ascending_ ? index(leader) % step : index(leader) >> free << free;
    for (std::size_t i = 0; i < std::size_t{1} << free; ++i)
      nodes.push_back(node_id(first + i * step));
    sets_.push_back({{"name", name},
                     {"of", node_json(of, topology_)},
                     {"dimensions", dimensions},
                     {"dimension", dimension},
                     {"leader", node_json(leader, topology_)},
                     {"subcube", subcube},
                     {"nodes", nodes_json(nodes, topology_)}});
  }

  std::size_t n_;
  const Topology& topology_;
  bool is_ascending_;
  std::string text_;
  Json sets_ = Json::array();
};

}  // namespace

Shown show_sets(const Routing& routing, NodeId source) {
  require_cube(routing.topology(), "reachable sets");
  return ReachableSets(routing, source).shown(source);
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
  for (std::size_t node = 0; node < topology.router_count(); ++node) {
    degree = std::max(degree, degree_of(node_id(node), topology));
  }
  const int at_root = degree_of(root, topology);
  const std::size_t cut = topology.bisection_channels();
  Shown shown;
  const int steps = least_steps(topology.node_count(), internal_ports);
  const std::string degree_of_root =
      at_root == degree ? "" : fmt::format(", {} of node {}", at_root, topology.node_name(root));
  const std::size_t switches = topology.router_count() - topology.node_count();
  shown.text =
      shown_line("nodes", std::to_string(topology.node_count()) +
                              (switches == 0 ? "" : ", and " + counted(switches, "switch"))) +
      shown_line("links",
                 fmt::format("{}, {} one way", channels / 2, counted(channels, "channel"))) +
      shown_line("degree", std::to_string(degree) + degree_of_root) +
      shown_line("diameter", counted(topology.diameter(), "hop")) +
      (topology.is_graph()
           ? ""
           : shown_line("bisection", counted(cut / 2, "link") + ", " + counted(cut, "channel"))) +
      shown_line("steps",
                 fmt::format("a broadcast takes at least {}, with {} a node in each", steps,
                             counted(static_cast<std::uint64_t>(internal_ports), "message")));
  Json bounds = Json::object();
  for (const Operation operation : operations) {
    const std::optional<Stencil> stencil = stencil_of(operation);
    if (stencil && (topology.is_graph() || !has_neighbours(*stencil, topology))) continue;
    if (!has_numbers(operation, topology.node_count())) {
      shown.text +=
          shown_line(to_string(operation), "not told: it has more blocks than can be numbered");
      bounds[std::string(to_string(operation))] = nullptr;
      continue;
    }
    const Collective goal = goal_of(operation, topology, root);
    TimingParameters one = timing;
    if (operation == Operation::barrier) one.flits = 1;
    const LowerBound bound = lower_bound({topology, goal, internal_ports, one, false});
    shown.text += shown_line(to_string(operation),
                             fmt::format("at least {} cycles, by {}", bound.cycles, bound.binds));
    bounds[std::string(to_string(operation))] = {{"cycles", bound.cycles}, {"binds", bound.binds}};
  }
  shown.json = {
      {"topology", topology.name()},
      {"nodes", topology.node_count()},
      {"links", channels / 2},
      {"channels", channels},
      {"degree", degree},
      {"diameter", topology.diameter()},
      {"bisection", topology.is_graph() ? Json() : Json{{"links", cut / 2}, {"channels", cut}}},
      {"steps", steps},
      {"bounds", std::move(bounds)}};
  return shown;
}

}  // namespace allport
