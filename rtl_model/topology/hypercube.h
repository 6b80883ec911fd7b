// SPDX-License-Identifier: Apache-2.0
// The n-cube has 2^n nodes; port d of node v leads to v xor 2^d and arrives there on port d.
#pragma once

#include <cstddef>
#include <optional>

#include "rtl_model/topology/topology.h"

namespace allport {

class Hypercube final : public Topology {
 public:
  /// `dimensions`: 1 .. max_hypercube_dimension; throws std::invalid_argument for any other value.
  explicit Hypercube(int dimensions);

  std::optional<NodeId> neighbour(NodeId node, PortId port) const override;
  PortId arrival_port(NodeId /*node*/, PortId port) const override { return port; }
  std::size_t dimension_of(PortId port) const override { return index(port); }
  int coordinate(NodeId node, std::size_t dimension) const override;
  int diameter() const override { return static_cast<int>(dimension_count()); }
  std::size_t bisection_channels() const override { return node_count(); }
};

}  // namespace allport
