// SPDX-License-Identifier: Apache-2.0
// Proves or refutes that a schedule of blocks implements its collective, by carrying it out
// symbolically: which blocks a node holds, and which contributions its sum contains.
#pragma once

#include <cstddef>

#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/block_flow.h"

namespace allport {

struct BlockFindings {
  /// No node receives a block twice or one that it held, and every node receives the blocks that it
  /// must hold. A sum contains each contribution once.
  Finding exactly_once;
  /// A node sends what it received in earlier steps, or what it held from the start.
  Finding causality;
  /// In addition to these: no node gives up contributions.
  Finding collective;
};

/// Carries out `schedule`, whose flow is `flow`. Throws std::invalid_argument for sums among more
/// than max_summing_nodes nodes.
BlockFindings check_blocks(const Schedule& schedule, const Collective& collective,
                           const BlockFlow& flow);

/// Largest number of nodes of a reduction that is checked, as each has a set of contributions.
constexpr std::size_t max_summing_nodes = std::size_t{1} << 15;

}  // namespace allport
