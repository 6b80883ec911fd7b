// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/hypercube.h"

#include <stdexcept>

namespace allport {

namespace {

int checked_dimensions(int dimensions) {
  if (dimensions < 1 || dimensions > max_hypercube_dimension) {
    throw std::invalid_argument("topology hypercube:" + std::to_string(dimensions) +
                                ": the dimension must be 1.." +
                                std::to_string(max_hypercube_dimension));
  }
  return dimensions;
}

}  // namespace

Hypercube::Hypercube(int dimensions)
    : Topology(TopologyKind::hypercube, "hypercube:" + std::to_string(dimensions),
               std::vector<int>(static_cast<std::size_t>(checked_dimensions(dimensions)), 2),
               static_cast<std::size_t>(dimensions)) {}

std::optional<NodeId> Hypercube::neighbour(NodeId node, PortId port) const {
  return node_id(index(node) ^ (std::size_t{1} << index(port)));
}

int Hypercube::coordinate(NodeId node, std::size_t dimension) const {
  return static_cast<int>(index(node) >> dimension & 1U);
}

}  // namespace allport
