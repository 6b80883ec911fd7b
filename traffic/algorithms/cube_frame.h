// SPDX-License-Identifier: Apache-2.0
// A CubeFrame gives hypercube addresses as an algorithm planned for descending routing sees them:
// relative to the source, and bit-reversed under ascending routing. Each algorithm is thus written
// once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rtl_model/topology/routing.h"

namespace allport {

class CubeFrame {
 public:
  /// `routing` must be the routing of a hypercube.
  CubeFrame(const Routing& routing, NodeId source)
      : dimensions_(routing.topology().dimension_count()),
        mirrored_(routing.order() == RoutingOrder::ascending),
        source_(static_cast<std::uint32_t>(index(source))) {}

  std::size_t dimensions() const { return dimensions_; }
  std::uint32_t address(NodeId node) const {
    return mirror(static_cast<std::uint32_t>(index(node)) ^ source_);
  }
  NodeId node(std::uint32_t address) const { return node_id(mirror(address) ^ source_); }

 private:
  std::uint32_t mirror(std::uint32_t bits) const {
    if (!mirrored_) return bits;
    std::uint32_t reversed = 0;
    for (std::size_t i = 0; i < dimensions_; ++i)
      reversed |= (bits >> i & 1U) << (dimensions_ - 1 - i);
    return reversed;
  }

  std::size_t dimensions_;
  bool mirrored_;
  std::uint32_t source_;
};

}  // namespace allport
