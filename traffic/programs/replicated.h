// SPDX-License-Identifier: Apache-2.0
// In [Ranka88] figure 15 rank i needs f_i(g(x)): (c) rank 0 computes g(x) and broadcasts it; (d)
// every rank computes g(x) for itself.
#pragma once

#include <cstdint>

#include "traffic/programs/rank.h"

namespace allport {

struct ReplicatedTimes {
  double g_us = 0;  ///< of g
  double f_us = 0;  ///< of an f_i
};

/// f_0(g(x)) .. of `ranks` ranks by one processor, which computes g once.
Values composed(std::int32_t x, std::uint32_t ranks);

struct ReplicatedRun {
  Values result;  ///< by rank
  TaskGraph tasks;
};

/// The program on `ranks` ranks, a power of two for (c). Throws std::invalid_argument, one
/// sentence, otherwise.
ReplicatedRun run_replicated(std::int32_t x, bool is_recomputed, std::uint32_t ranks,
                             const ProgramCosts& costs, const ReplicatedTimes& times);

}  // namespace allport
