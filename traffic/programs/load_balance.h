// SPDX-License-Identifier: Apache-2.0
// This program is the dynamic load balancing of [Ranka88] figures 13 and 14. Over one dimension of
// the hypercube after the other a rank and its neighbour average their loads: by exchanging the
// whole loads (heuristic 1), or the sizes first and then what is in excess (heuristic 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/programs/host_use.h"
#include "traffic/programs/rank.h"

namespace allport {

struct LoadBalance {
  std::vector<Values> loads;  ///< the items of work of each rank; a power of two of ranks

  /// Loads of 0 .. 2 x `mean` items, each item a number of its own.
  static LoadBalance random(std::uint32_t ranks, std::uint32_t mean, std::uint64_t seed);
};

/// The sizes of the loads at the end, computed for all ranks by one processor.
std::vector<std::size_t> balanced_sizes(const LoadBalance& problem);

struct LoadBalanceRun {
  std::vector<Values> loads;  ///< at the end
  TaskGraph tasks;
};

/// Heuristic 1 or 2. An item occupies `item_bytes` bytes of a message, 0: as many as a value. The
/// loads go back to a host that gets the results. Throws std::invalid_argument, one sentence,
/// unless the ranks are a power of two.
LoadBalanceRun run_load_balance(const LoadBalance& problem, int heuristic,
                                const ProgramCosts& costs, int item_bytes = 0,
                                HostUse host = HostUse::none);

}  // namespace allport
