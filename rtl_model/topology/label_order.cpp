// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/label_order.h"

namespace allport {

namespace {

// Whether the snake passes `dimension` downwards where `node` is.
bool is_reversed(const Topology& mesh, NodeId node, std::size_t dimension) {
  int sum = 0;
  for (std::size_t i = dimension + 1; i < mesh.dimension_count(); ++i) {
    sum += mesh.coordinate(node, i);
  }
  return sum % 2 != 0;
}

// Whether the label `one` is not beyond `other` for a message that goes up, or down.
bool is_within(std::size_t one, std::size_t other, bool goes_up) {
  return goes_up ? one <= other : one >= other;
}

std::string named(const Topology& mesh, NodeId node) {
  return std::to_string(index(node)) + " (label " + std::to_string(label_of(mesh, node)) + ")";
}

}  // namespace

std::size_t label_of(const Topology& mesh, NodeId node) {
  std::size_t label = 0;
  for (std::size_t i = mesh.dimension_count(); i > 0; --i) {
    const int side = mesh.sides()[i - 1];
    const int place = mesh.coordinate(node, i - 1);
    const int digit = is_reversed(mesh, node, i - 1) ? side - 1 - place : place;
    label = label * static_cast<std::size_t>(side) + static_cast<std::size_t>(digit);
  }
  return label;
}

std::optional<PortId> label_step(const Topology& mesh, NodeId here, NodeId destination,
                                 std::size_t dimension) {
  const bool goes_up = label_of(mesh, destination) > label_of(mesh, here);
  const bool is_plus = goes_up != is_reversed(mesh, here, dimension);
  const PortId port = port_id(2 * dimension + (is_plus ? 0 : 1));
  if (!mesh.neighbour(here, port)) return std::nullopt;
  return port;
}

// A step in a later dimension leads farther along the snake than one in an earlier dimension.
PortId label_port(const Topology& mesh, NodeId here, NodeId destination) {
  const std::size_t goal = label_of(mesh, destination);
  const bool goes_up = goal > label_of(mesh, here);
  PortId chosen{};
  for (std::size_t i = 0; i < mesh.dimension_count(); ++i) {
    const std::optional<PortId> port = label_step(mesh, here, destination, i);
    if (!port) continue;
    if (is_within(label_of(mesh, *mesh.neighbour(here, *port)), goal, goes_up)) chosen = *port;
  }
  return chosen;
}

std::string label_fault(const Topology& mesh, NodeId source, const std::vector<NodeId>& stops,
                        TieMask chosen) {
  const bool goes_up = label_of(mesh, stops.front()) > label_of(mesh, source);
  NodeId here = source;
  for (const NodeId stop : stops) {
    if (here != stop && is_within(label_of(mesh, here), label_of(mesh, stop), goes_up)) {
      here = stop;
      continue;
    }
    return "the destinations of a label worm must rise or fall by label from the sender on, but " +
           named(mesh, here) + " comes before " + named(mesh, stop);
  }
  if (chosen == 0) return {};
  const auto dimension = static_cast<std::size_t>(__builtin_ctz(chosen));
  const std::string hop = "the first hop in dimension " + std::to_string(dimension);
  if (dimension >= mesh.dimension_count()) {
    const std::size_t count = mesh.dimension_count();
    return hop + " is not possible: " +
           (count == 1
                ? "the only dimension of " + mesh.name() + " is 0"
                : "the dimensions of " + mesh.name() + " are 0.." + std::to_string(count - 1));
  }
  const std::optional<PortId> port = label_step(mesh, source, stops.front(), dimension);
  if (!port) return hop + " leads out of " + mesh.name();
  const NodeId next = *mesh.neighbour(source, *port);
  if (is_within(label_of(mesh, next), label_of(mesh, stops.front()), goes_up)) return {};
  return hop + " leads to " + named(mesh, next) + ", beyond the first destination " +
         named(mesh, stops.front());
}

}  // namespace allport
