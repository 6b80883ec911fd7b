// SPDX-License-Identifier: Apache-2.0
// A Grid is a torus, mesh or ring of any number of dimensions and any side >= 2. The id of a node
// is x + W*y + ... (dimension 0 fastest). Port 2i leads one node up in dimension i, port 2i+1 one
// node down; a flit that leaves by + arrives on -. A torus or ring wraps around; at the edge of a
// mesh a port leads nowhere.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "rtl_model/topology/topology.h"

namespace allport {

class Grid final : public Topology {
 public:
  /// `kind`: torus, mesh or ring (a ring has one side). Throws std::invalid_argument on a side < 2,
  /// more than max_grid_dimensions dimensions or more than max_node_count nodes.
  Grid(TopologyKind kind, const std::vector<int>& sides);

  std::optional<NodeId> neighbour(NodeId node, PortId port) const override;
  PortId arrival_port(NodeId /*node*/, PortId port) const override {
    return port_id(index(port) ^ 1U);
  }
  std::size_t dimension_of(PortId port) const override { return index(port) / 2; }
  int coordinate(NodeId node, std::size_t dimension) const override {
    return coordinates_[index(node) * dimension_count() + dimension];
  }
  int diameter() const override;
  std::size_t bisection_channels() const override;

  /// The node that is `offset[i]` away from `node` in dimension i, modulo the sides.
  NodeId shifted(NodeId node, const std::vector<int>& offset) const;

 private:
  std::vector<int> coordinates_;      // of each node, all dimensions in a row
  std::vector<std::size_t> strides_;  // of the node id, per dimension
};

}  // namespace allport
