// SPDX-License-Identifier: Apache-2.0
// A chain lists a multicast's nodes, its source first, in the order in which U-cube and its kin
// split it. It is cube-ordered if the nodes of every subcube stand next to each other in it
// [Robinson93, definition 5]; a subcube is what agrees in the address bits that are routed first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "rtl_model/topology/routing.h"

namespace allport {

/// Addresses in the order of a chain, as a CubeFrame has them.
using CubeChain = std::vector<std::uint32_t>;

/// What shows that a chain is not cube-ordered: the elements at `first` and `last` are of one
/// subcube of `dimensions` dimensions, and the one at `between`, between these, is not.
struct ChainBreak {
  std::size_t first;
  std::size_t between;
  std::size_t last;
  std::size_t dimensions;
};

/// The first break in the largest subcubes that are broken; none: `chain`, whose addresses are
/// distinct and of `dimensions` bits, is cube-ordered.
std::optional<ChainBreak> chain_break(const CubeChain& chain, std::size_t dimensions);

/// The same of distinct nodes of a hypercube, under its routing.
std::optional<ChainBreak> chain_break(const std::vector<NodeId>& chain, const Routing& routing);

/// The subcube of `found`, a bit or x for each dimension: `01xx`, under ascending routing `xx01`.
std::string subcube_of(const ChainBreak& found, const std::vector<NodeId>& chain,
                       const Routing& routing);

/// `8 (1000) and 12 (1100) are of the subcube 1xxx, and 3 (0011), which is between them, is not`
std::string in_words(const ChainBreak& found, const std::vector<NodeId>& chain,
                     const Routing& routing);

/// Sorts a cube-ordered chain of addresses of `dimensions` bits so that in every subcube without
/// the source the more populated half comes first [Robinson93, fig. 7]; it stays cube-ordered.
/// 4-cube, 0 1 3 5 7 11 12 14 15 -> 0 1 3 5 7 14 15 12 11
void weighted_sort(CubeChain& chain, std::size_t dimensions);

/// Calls `use` with every cube-ordered chain that begins with 0 and has another element, over all
/// sets of destinations of a cube of `dimensions` dimensions: 1, 9, 409 and 1,345,209 of them for 1
/// to 4 dimensions, which is the limit.
void for_each_cube_chain(std::size_t dimensions, const std::function<void(const CubeChain&)>& use);

/// Puts `chain`, which is cube-ordered and of addresses of `dimensions` bits, into an order drawn
/// from all cube-ordered ones with its first element: the halves of every subcube in either order.
void shuffle_cube_chain(CubeChain& chain, std::size_t dimensions, SplitMix64& generator);

}  // namespace allport
