// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/group_routes.h"

#include "rtl_model/base/bits.h"
#include "rtl_model/topology/spanning_tree.h"

namespace allport {

namespace {

constexpr PortMask bit(std::size_t place) { return PortMask{1} << place; }

// The ports of the free dimensions of a hypercube on the far side of the bits in which `here`
// differs from the root: above the highest one (`is_above`), or below the lowest.
PortMask hypercube_ports(NodeId here, NodeId root, PortMask free, bool is_above) {
  const PortMask differing = index(here) ^ index(root);
  if (differing == 0) return free;
  if (is_above) return free & ~(bit(64 - static_cast<std::size_t>(__builtin_clzll(differing))) - 1);
  return free & (bit(static_cast<std::size_t>(__builtin_ctzll(differing))) - 1);
}

int modulo(int number, int side) { return (number % side + side) % side; }

// Whether the farthest nodes that a route along a closed dimension of `side` nodes may have come
// from, or go on to, lie beyond one that is `offset` hops from the root in the + direction: on the
// way that goes +, and on the one that goes -. An exact tie goes +.
bool goes_on_up(int offset, int side) { return 2 * (offset + 1) <= side; }
bool goes_on_down(int offset, int side) {
  const int back = modulo(-offset, side);
  return (offset == 0 || 2 * back < side) && 2 * (back + 1) < side;
}

// The inputs of a join along a dimension in which `here` is at `own` and the root at `target`.
PortMask line_inputs(const Topology& topology, std::size_t dimension, int own, int target) {
  const int side = topology.sides()[dimension];
  if (!topology.wraps()) {
    const PortMask from_above = own >= target && own < side - 1 ? 1 : 0;
    const PortMask from_below = own <= target && own > 0 ? 2 : 0;
    return (from_above | from_below) << 2 * dimension;
  }
  const int offset = modulo(target - own, side);
  const PortMask going_up = goes_on_up(offset, side) ? 2 : 0;
  const PortMask going_down = goes_on_down(offset, side) ? 1 : 0;
  return (going_up | going_down) << 2 * dimension;
}

// The outputs of a tree worm along a dimension.
PortMask line_outputs(const Topology& topology, std::size_t dimension, int own, int target) {
  const int side = topology.sides()[dimension];
  if (!topology.wraps()) {
    const PortMask up = own >= target && own < side - 1 ? 1 : 0;
    const PortMask down = own <= target && own > 0 ? 2 : 0;
    return (up | down) << 2 * dimension;
  }
  const int offset = modulo(own - target, side);
  const PortMask up = goes_on_up(offset, side) ? 1 : 0;
  const PortMask down = goes_on_down(offset, side) ? 2 : 0;
  return (up | down) << 2 * dimension;
}

// The tree of a table; null: the routes are those of dimensions.
const SpanningTree* tree_of(const Routing& routing) {
  return routing.table() == nullptr ? nullptr : routing.table()->tree();
}

}  // namespace

DimensionMask free_dimensions(const Topology& topology, DimensionMask free) {
  const DimensionMask all = (DimensionMask{1} << topology.dimension_count()) - 1;
  return free == 0 ? all : free;
}

DimensionMask group_mask(const Topology& topology, DimensionMask free) {
  return free == free_dimensions(topology, 0) ? 0 : free;
}

std::string dimensions_in_words(DimensionMask free) {
  std::string words = (free & (free - 1)) == 0 ? "dimension " : "dimensions ";
  for (DimensionMask rest = free; rest != 0; rest &= rest - 1) {
    if (rest != free) words += ", ";
    words += std::to_string(__builtin_ctz(rest));
  }
  return words;
}

bool is_in_group(const Topology& topology, NodeId node, NodeId root, DimensionMask free) {
  const DimensionMask fixed = free_dimensions(topology, 0) & ~free_dimensions(topology, free);
  for (const int bit : bits(fixed)) {
    const auto dimension = static_cast<std::size_t>(bit);
    if (topology.coordinate(node, dimension) != topology.coordinate(root, dimension)) return false;
  }
  return true;
}

DimensionMask differing_dimensions(const Topology& topology, const std::vector<NodeId>& nodes) {
  DimensionMask differing = 0;
  for (const NodeId node : nodes) {
    for (std::size_t i = 0; i < topology.dimension_count(); ++i) {
      const bool differs = topology.coordinate(node, i) != topology.coordinate(nodes.front(), i);
      if (differs) differing |= DimensionMask{1} << i;
    }
  }
  return differing;
}

std::string group_fault(const Routing& routing, MessageKind kind, DimensionMask free) {
  if (routing.table() == nullptr) return {};
  const Topology& topology = routing.topology();
  const std::string what = to_string(kind);
  if (routing.table()->tree() == nullptr) {
    return "routing " + routing.name() + " is for unicasts and deposits only, and this is a " +
           what + " message; of the tables, table:updown has trees and joins";
  }
  if (group_mask(topology, free) == 0) return {};
  return "routing " + routing.name() + " has trees and joins of all nodes only, and this is a " +
         what + " message of a group; routes by dimensions have groups";
}

std::vector<NodeId> group_nodes(const Topology& topology, NodeId root, DimensionMask free) {
  std::vector<NodeId> nodes;
  nodes.reserve(group_size(topology, free));
  for (std::size_t i = 0; i < topology.node_count(); ++i) {
    if (is_in_group(topology, node_id(i), root, free)) nodes.push_back(node_id(i));
  }
  return nodes;
}

std::size_t group_size(const Topology& topology, DimensionMask free) {
  if (topology.is_graph()) return topology.node_count();
  std::size_t nodes = 1;
  for (const int dimension : bits(free_dimensions(topology, free))) {
    nodes *= static_cast<std::size_t>(topology.sides()[static_cast<std::size_t>(dimension)]);
  }
  return nodes;
}

PortMask join_inputs(const Routing& routing, NodeId here, NodeId root, DimensionMask free) {
  if (const SpanningTree* tree = tree_of(routing)) return tree->inputs(here, root);
  const Topology& topology = routing.topology();
  const DimensionMask dimensions = free_dimensions(topology, free);
  if (topology.is_hypercube()) {
    return hypercube_ports(here, root, dimensions, routing.order() != RoutingOrder::ascending);
  }
  PortMask inputs = 0;
  for (std::size_t i = 0; i < topology.dimension_count(); ++i) {
    const int own = topology.coordinate(here, i);
    const int target = topology.coordinate(root, i);
    if ((dimensions >> i & 1U) != 0) inputs |= line_inputs(topology, i, own, target);
    if (own != target) break;
  }
  return inputs;
}

std::vector<NodeId> join_routers(const Routing& routing, NodeId root, DimensionMask free) {
  const Topology& topology = routing.topology();
  std::vector<NodeId> routers = group_nodes(topology, root, free);
  for (std::size_t i = topology.node_count(); i < topology.router_count(); ++i) {
    if (join_inputs(routing, node_id(i), root, free) != 0) routers.push_back(node_id(i));
  }
  return routers;
}

std::optional<int> join_speaker(const Routing& routing, NodeId here, NodeId root) {
  if (index(here) < routing.topology().node_count()) return std::nullopt;
  return __builtin_ctzll(join_inputs(routing, here, root, 0));
}

std::optional<Hop> join_hop(const Routing& routing, NodeId here, NodeId root) {
  const SpanningTree* const tree = tree_of(routing);
  if (tree == nullptr) return routing.route(here, root, 0);
  if (here == root) return std::nullopt;
  const Topology& topology = routing.topology();
  const bool has_switches = topology.router_count() > topology.node_count();
  return Hop{tree->towards(here, root).output, has_switches ? VcClass::first : class_of_layer(0)};
}

PortMask tree_outputs(const Routing& routing, NodeId here, NodeId root, DimensionMask free) {
  if (const SpanningTree* tree = tree_of(routing)) return tree->outputs(here, root);
  const Topology& topology = routing.topology();
  const DimensionMask dimensions = free_dimensions(topology, free);
  if (topology.is_hypercube()) {
    return hypercube_ports(here, root, dimensions, routing.order() == RoutingOrder::ascending);
  }
  PortMask outputs = 0;
  for (std::size_t i = topology.dimension_count(); i-- > 0;) {
    const int own = topology.coordinate(here, i);
    const int target = topology.coordinate(root, i);
    if ((dimensions >> i & 1U) != 0) outputs |= line_outputs(topology, i, own, target);
    if (own != target) break;
  }
  return outputs;
}

std::vector<Channel> tree_path(const Routing& routing, NodeId root, NodeId there) {
  const SpanningTree* const tree = tree_of(routing);
  if (tree == nullptr) return routing.path(root, there);
  std::vector<Channel> channels;
  for (NodeId here = root; here != there;) {
    channels.push_back({here, tree->towards(here, there).output});
    here = *routing.topology().neighbour(here, channels.back().port);
  }
  return channels;
}

PortMask tree_outputs_of_class_p(const Topology& topology, NodeId here, NodeId root,
                                 PortMask outputs) {
  if (!topology.wraps()) return 0;
  PortMask of_class_p = 0;
  for (const int port_number : bits(outputs)) {
    const auto port = static_cast<std::size_t>(port_number);
    const int side = topology.sides()[port / 2];
    const int own = topology.coordinate(here, port / 2);
    const int target = topology.coordinate(root, port / 2);
    const bool is_up = port % 2 == 0;
    const int last = modulo(is_up ? target + side / 2 : target - (side - 1) / 2, side);
    if (is_up ? last < own : last > own) of_class_p |= bit(port);
  }
  return of_class_p;
}

}  // namespace allport
