// SPDX-License-Identifier: Apache-2.0
// exchange_in_pairs() is recursive doubling of sums between neighbours, on any fabric that has it:
// in each round nodes meet in pairs whose sums have no contribution in common, and each adds the
// other's.
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/synthesis/plan_links.h"

namespace allport {

/// A link over which one of a pair sends in a round, 1, 2, ..
struct PairMessage {
  std::uint32_t link = 0;
  StepIndex round = 1;
};

/// The exchanges after which each of `members` has the sum of all contributions; pairs are made
/// greedily, by port and node. Empty: they lead nowhere, or links that pairs need are missing.
std::vector<PairMessage> exchange_in_pairs(const PlanLinks& links,
                                           const std::vector<NodeId>& members);

}  // namespace allport
