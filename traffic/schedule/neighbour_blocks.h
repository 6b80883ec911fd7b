// SPDX-License-Identifier: Apache-2.0
// These functions say who sends a block of its own to whom in an exchange among neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rtl_model/topology/topology.h"

namespace allport {

/// The neighbours of a node.
enum class Stencil {
  ports,   ///< those to which its ports lead, port by port: 2n of a grid, n of a hypercube
  box,     ///< of a grid, all 3^n - 1 whose coordinates differ by at most one
  corner,  ///< of a grid, the 2^n - 1 of these that are not above it in any coordinate: W, N, NW
};

/// The neighbours of `stencil` on `topology`, of each the offset in each dimension: -1, 0 or 1; the
/// ports in order, the others with dimension 0 fastest, -1 first. On a hypercube, 1 stands for the
/// node across the dimension. Throws std::invalid_argument for box and corner on a hypercube, and
/// where these are more than max_planned_messages in all.
std::vector<std::vector<int>> offsets_of(Stencil stencil, const Topology& topology);

/// Whether the nodes of `topology` have such neighbours, and few enough of them.
bool has_neighbours(Stencil stencil, const Topology& topology);

/// The node `offset` from `node`; none beyond the edge of a mesh.
std::optional<NodeId> node_at(const Topology& topology, NodeId node,
                              const std::vector<int>& offset);

/// Block r * D + d is that of rank r for its d-th neighbour, of D. Where there is no such
/// neighbour, beyond the edge of a mesh, there is no such block.
class NeighbourBlocks {
 public:
  /// The number of a rank that is not there, and exchanges no block.
  static constexpr std::size_t no_place = ~std::size_t{0};

  /// Of the nodes of `ranks`; node r has the number `places[r]`, or r if the list is empty.
  NeighbourBlocks(Stencil stencil, const Topology& ranks, const std::vector<std::size_t>& places);

  std::size_t rank_count() const { return sent_.size(); }
  /// D.
  std::size_t per_rank() const { return per_rank_; }
  std::size_t block_count() const { return receivers_.size(); }
  std::size_t sender(std::size_t block) const { return block / per_rank_; }
  /// The rank that `block` is for; none: there is no such block.
  std::optional<std::size_t> receiver(std::size_t block) const {
    if (receivers_[block] == nobody) return std::nullopt;
    return receivers_[block];
  }
  /// The blocks of a rank, and those for it, ascending.
  const std::vector<std::uint32_t>& sent_by(std::size_t rank) const { return sent_[rank]; }
  const std::vector<std::uint32_t>& received_by(std::size_t rank) const { return received_[rank]; }

 private:
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  std::size_t per_rank_ = 0;
  std::vector<std::uint32_t> receivers_;  // by block
  std::vector<std::vector<std::uint32_t>> sent_;
  std::vector<std::vector<std::uint32_t>> received_;
};

}  // namespace allport
