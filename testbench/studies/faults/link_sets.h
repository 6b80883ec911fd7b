// SPDX-License-Identifier: Apache-2.0
// Sets of links by their numbers: all of one size, or as many as are wanted of them, drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace allport {

/// Links of a LinkGraph by their numbers, ascending.
using LinkSet = std::vector<std::size_t>;

struct LinkSets {
  std::vector<LinkSet> sets;
  double all = 0;          ///< how many there are of this size; exact up to 2^53
  bool are_drawn = false;  ///< whether `sets` are a sample of them
};

/// The sets of `size` of `links` links, in order, or a sample of `most` different ones, in order,
/// where there are more: SplitMix64 with `seed` draws one link after another. `size` is at most
/// `links`.
LinkSets link_sets(std::size_t links, std::size_t size, std::size_t most, std::uint64_t seed);

}  // namespace allport
