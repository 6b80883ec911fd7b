// SPDX-License-Identifier: Apache-2.0
// The indices of the model are strong types: a node cannot be passed where a port is meant.
#pragma once

#include <cstddef>
#include <cstdint>

namespace allport {

/// A processor and its router: 0 .. node_count - 1. Torus, mesh, ring: x + W*y + W*H*z ...
enum class NodeId : std::uint32_t {};

/// A router's external port (one input and one output channel to the same neighbour):
/// hypercube: the dimension; torus, mesh, ring: 2i is + and 2i+1 is - in dimension i.
enum class PortId : std::uint8_t {};

/// A virtual channel of a physical channel: 0 .. vcs - 1.
enum class VcId : std::uint8_t {};

/// A message-passing step of a schedule: 1, 2, ...
using StepIndex = int;

/// Clock cycles; cycle c lies between clock edge c and edge c + 1, cycle 0 is the first after
/// reset.
using Cycle = std::int64_t;

/// One bit per dimension, set if an exact half-ring tie is taken in the - direction.
using TieMask = std::uint32_t;

/// One bit per dimension, set if it is free: a group is the nodes that agree with its root in all
/// other dimensions. 0 stands for all dimensions, the whole fabric.
using DimensionMask = std::uint32_t;

/// One bit per external port of a router.
using PortMask = std::uint64_t;

constexpr std::size_t index(NodeId node) { return static_cast<std::size_t>(node); }
constexpr std::size_t index(PortId port) { return static_cast<std::size_t>(port); }
constexpr std::size_t index(VcId vc) { return static_cast<std::size_t>(vc); }

constexpr NodeId node_id(std::size_t i) { return static_cast<NodeId>(i); }
constexpr PortId port_id(std::size_t i) { return static_cast<PortId>(i); }
constexpr VcId vc_id(std::size_t i) { return static_cast<VcId>(i); }

/// A physical external channel: the output `port` of the router of `node`.
struct Channel {
  NodeId node{};
  PortId port{};

  friend constexpr bool operator==(Channel a, Channel b) {
    return a.node == b.node && a.port == b.port;
  }
  friend constexpr bool operator!=(Channel a, Channel b) { return !(a == b); }
  friend constexpr bool operator<(Channel a, Channel b) {
    return a.node != b.node ? a.node < b.node : a.port < b.port;
  }
};

}  // namespace allport
