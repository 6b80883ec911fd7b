// SPDX-License-Identifier: Apache-2.0
// The safety level of a node of a hypercube with missing nodes is k if it reaches all that are
// there in every subcube of k dimensions around it by shortest ways, as far as its neighbours'
// levels tell [Wu95]: with these sorted, s_0 <= .. <= s_(n-1), it is the largest k for which s_i >=
// i for all i < k. A missing node has level 0, and a node of level n is safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace allport {

/// A hypercube of which nodes may be missing.
struct PartialCube {
  std::size_t dimensions = 0;
  std::vector<bool> is_missing;  ///< by address, 2^dimensions
};

/// The level of each address. It is found in n - 1 rounds, in each of which all nodes hear the
/// levels of their neighbours.
std::vector<int> safety_levels(const PartialCube& cube);

/// A tree: the children of each address, in the order in which it sends to them.
using CubeTree = std::vector<std::vector<std::uint32_t>>;

/// The tree by which `root` serves the cube. A node that serves a subcube of k dimensions has a
/// child over each of them, unless it is missing: the i-th by level, of equals by dimension, serves
/// the i dimensions of those before it, and the last is sent to first. `source`, the root or a
/// neighbour of it, has the message already: it sends to the root first.
CubeTree safety_tree(const PartialCube& cube, const std::vector<int>& levels, std::uint32_t root,
                     std::uint32_t source);

/// The nodes that are there and that `tree` does not lead to from `source`, ascending.
std::vector<std::uint32_t> left_out(const CubeTree& tree, const PartialCube& cube,
                                    std::uint32_t source);

/// The tree of a broadcast from `source`. Its root has the highest level of the source and its
/// neighbours, of equals the source and then the lowest dimension: it is the source if that is
/// safe, or else a safe neighbour. Where none is safe and nodes are left out the next root is
/// tried; if all of them leave nodes out, it is the first one's tree.
CubeTree safety_broadcast(const PartialCube& cube, const std::vector<int>& levels,
                          std::uint32_t source);

}  // namespace allport
