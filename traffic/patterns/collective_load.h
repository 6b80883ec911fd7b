// SPDX-License-Identifier: Apache-2.0
// Collectives are a load here: each node starts collectives of its own at random times, so that
// many are under way at once (docs/guide/multicast-load.md). Every node draws from its own
// SplitMix64, seeded node_seed(seed, 2^20 + 1, node): for each collective one draw
// gives the silence before it, and then come the draws of its destinations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rtl_model/topology/topology.h"

namespace allport {

/// The collectives that the nodes start, and when they are measured.
struct CollectiveLoad {
  double rate = 0;  ///< collectives that a node starts per cycle, more than 0, up to 1
  std::optional<std::size_t> random;  ///< number of destinations drawn; none: all other nodes
  Cycle warmup = 0;                   ///< first cycle measured, 0 .. cycles - 1
  Cycle cycles = 0;                   ///< number of cycles in which collectives start
  std::uint64_t seed = 1;
};

/// A collective that `source` starts in `cycle`.
struct CollectiveStart {
  Cycle cycle = 0;
  NodeId source{};
  std::vector<std::uint32_t> drawn;  ///< destinations relative to the source; empty: all others
};

/// The most collectives that a run may start.
constexpr std::size_t max_collective_starts = std::size_t{1} << 20;

/// The collectives that `sources` start, by cycle, then node, on a fabric of `nodes` nodes. Throws
/// std::invalid_argument, one sentence, for numbers out of range and for more than
/// max_collective_starts.
std::vector<CollectiveStart> draw_starts(const CollectiveLoad& load,
                                         const std::vector<NodeId>& sources, std::size_t nodes);

}  // namespace allport
