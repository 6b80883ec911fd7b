// SPDX-License-Identifier: Apache-2.0
// These functions try the lemmas and the first theorems of [Robinson93], section 3, which speak of
// the paths of e-cube routing: on all paths of small cubes, and on drawn ones of a large cube.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "rtl_model/topology/routing.h"

namespace allport {

/// How often a statement was tried, and how often it was not so.
struct Tried {
  std::size_t cases = 0;
  std::size_t broken = 0;

  void add(bool is_so) {
    ++cases;
    if (!is_so) ++broken;
  }
  /// `0 of 4096`.
  std::string in_words() const;
};

/// `drawn` cases on a large cube behind all of the small ones; the same seed draws the same. The
/// text resolves addresses from high to low; in the other order most of the statements are false.
struct PathTrials {
  std::size_t drawn;
  std::uint64_t seed;
  RoutingOrder order = RoutingOrder::descending;
};

/// Dimensions of the largest cube of which all paths are tried, and all pairs of paths (theorem 2),
/// and of the one with drawn paths.
constexpr int cube_of_all_paths = 6;
constexpr int cube_of_all_pairs = 5;
constexpr int cube_of_drawn_paths = 12;

Tried lemma_1(const PathTrials& trials);  ///< what a path has changed of the address, and when
Tried falling_dimensions(const PathTrials& trials);  ///< those of a path, each once
Tried lemma_2(const PathTrials& trials);             ///< the addresses of a subcube lie together
Tried theorem_1(const PathTrials& trials);           ///< paths from one node by different channels
Tried theorem_2(const PathTrials& trials);           ///< paths within and without a subcube
/// Two unicasts of one source by Definition 4: those by one channel leave one after the other.
Tried theorem_3();

}  // namespace allport
