// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/grid.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace allport {

namespace {

const char* kind_name(TopologyKind kind) {
  switch (kind) {
    case TopologyKind::torus:
      return "torus:";
    case TopologyKind::mesh:
      return "mesh:";
    default:
      return "ring:";
  }
}

std::string grid_name(TopologyKind kind, const std::vector<int>& sides) {
  std::string name = kind_name(kind);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (i > 0) name += 'x';
    name += std::to_string(sides[i]);
  }
  return name;
}

std::vector<int> checked_sides(TopologyKind kind, const std::vector<int>& sides) {
  const std::string where = "topology " + grid_name(kind, sides) + ": ";
  if (sides.empty() || sides.size() > max_grid_dimensions) {
    throw std::invalid_argument(where + "the number of dimensions must be 1.." +
                                std::to_string(max_grid_dimensions));
  }
  if (kind == TopologyKind::ring && sides.size() != 1) {
    throw std::invalid_argument(where + "a ring has one side, as in ring:8");
  }
  std::size_t nodes = 1;
  for (const int side : sides) {
    if (side < 2) {
      throw std::invalid_argument(where + "side " + std::to_string(side) +
                                  " is too small; every side must be at least 2");
    }
    nodes *= static_cast<std::size_t>(side);
    if (nodes > max_node_count) {
      throw std::invalid_argument(where + "too many nodes; the limit is " +
                                  std::to_string(max_node_count));
    }
  }
  return sides;
}

}  // namespace

Grid::Grid(TopologyKind kind, const std::vector<int>& sides)
    : Topology(kind, grid_name(kind, sides), checked_sides(kind, sides), 2 * sides.size()) {
  std::size_t stride = 1;
  for (const int side : sides) {
    strides_.push_back(stride);
    stride *= static_cast<std::size_t>(side);
  }
  coordinates_.reserve(node_count() * sides.size());
  for (std::size_t node = 0; node < node_count(); ++node) {
    for (std::size_t i = 0; i < sides.size(); ++i) {
      coordinates_.push_back(
          static_cast<int>(node / strides_[i] % static_cast<std::size_t>(sides[i])));
    }
  }
}

std::optional<NodeId> Grid::neighbour(NodeId node, PortId port) const {
  const std::size_t dimension = dimension_of(port);
  const int side = sides()[dimension];
  const bool up = index(port) % 2 == 0;
  const int here = coordinate(node, dimension);
  int there = here + (up ? 1 : -1);
  if (there < 0 || there >= side) {
    if (!wraps()) return std::nullopt;
    there = up ? 0 : side - 1;
  }
  const std::size_t base = index(node) - static_cast<std::size_t>(here) * strides_[dimension];
  return node_id(base + static_cast<std::size_t>(there) * strides_[dimension]);
}

int Grid::diameter() const {
  int hops = 0;
  for (const int side : sides()) hops += wraps() ? side / 2 : side - 1;
  return hops;
}

// A side that is odd cannot be halved: its middle layer is cut along the next longest one, and so
// on. With wraparound every line is cut twice. The tests compare it with all halves of small
// fabrics.
std::size_t Grid::bisection_channels() const {
  std::vector<int> longest_first = sides();
  std::sort(longest_first.begin(), longest_first.end(), std::greater<>());
  std::size_t layer = node_count();
  std::size_t links = 0;
  for (const int side : longest_first) {
    layer /= static_cast<std::size_t>(side);
    links += layer;
    if (side % 2 == 0) break;
  }
  return links * 2 * (wraps() ? 2 : 1);
}

NodeId Grid::shifted(NodeId node, const std::vector<int>& offset) const {
  std::size_t id = 0;
  for (std::size_t i = 0; i < dimension_count(); ++i) {
    const int side = sides()[i];
    const int there = ((coordinate(node, i) + offset[i]) % side + side) % side;
    id += static_cast<std::size_t>(there) * strides_[i];
  }
  return node_id(id);
}

}  // namespace allport
