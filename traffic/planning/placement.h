// SPDX-License-Identifier: Apache-2.0
// A Placement says where the ranks of a collective sit: rank r, a node of the fabric that the
// algorithm is planned on, is on a node of the real fabric. The orders here are of the nodes of a
// whole shape; a group of nodes that has this shape is in places.h of testbench/plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rtl_model/topology/routing.h"

namespace allport {

/// The node of a rank that is gone.
constexpr NodeId nowhere = node_id(~std::uint32_t{0});

/// The ranks of a collective and their nodes.
struct Placement {
  std::shared_ptr<const Topology> ranks;  ///< fabric whose node r is rank r
  std::vector<NodeId> nodes;              ///< node of each rank, or nowhere
  /// The dimension of the nodes' fabric along which each dimension of `ranks` lies, coordinate by
  /// coordinate: messages then go the planned way round a ring. Empty: they go as they are routed.
  std::vector<std::size_t> dimensions{};

  /// Ranks that are gone.
  std::size_t gone() const;
};

/// A way through all nodes of a grid, each once, from neighbour to neighbour; node = x + W*y + ..
struct Tour {
  std::vector<std::size_t> nodes;
  bool closes;  ///< whether the last node is a neighbour of the first
};

/// A tour of the grid with these `sides`, which closes wherever a Hamiltonian cycle exists: always
/// if dimensions `wrap` around, otherwise if there are two dimensions and an even side.
Tour tour_of(const std::vector<int>& sides, bool wrap);

/// Gray codes [CasanovaSlides]: the nodes of the hypercube `cube` on which the ranks sit, as
/// embedding.h says. Throws std::invalid_argument unless `ranks` is a ring, torus or mesh with as
/// many nodes and sides that are powers of two.
std::vector<NodeId> gray_order(const Topology& ranks, const Topology& cube);

/// Each dimension of `ranks` along a tour of the next dimensions of `shape`. Throws
/// std::invalid_argument unless `ranks` is a ring, torus or mesh whose sides are, in order, those
/// of `shape` or products of neighbouring ones.
std::vector<NodeId> snake_order(const Topology& ranks, const Topology& shape);

/// The numbers 0 .. count - 1 in random order: Fisher-Yates from the back, with SplitMix64.
std::vector<std::size_t> random_order(std::size_t count, std::uint64_t seed);

/// How far apart neighbouring ranks are that are there, in hops.
struct Dilation {
  int longest = 0;
  double mean = 0;
  std::size_t from = 0;  ///< the first rank, by rank and port, whose neighbour is `longest` away
  std::size_t to = 0;    ///< that neighbour
  std::size_t far = 0;   ///< channels between ranks that are longer than a hop
  std::size_t channels = 0;
};
Dilation dilation_of(const Placement& placement, const Routing& routing);

}  // namespace allport
