// SPDX-License-Identifier: Apache-2.0
// This check proves or refutes that a schedule of blocks implements its collective, by carrying it
// out symbolically: which blocks a node holds, and which contributions its sum of each block
// contains.
#pragma once

#include <cstddef>

#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/block_flow.h"

namespace allport {

struct BlockFindings {
  /// No node receives a block twice or one that it held, and every node receives the blocks that it
  /// must hold. Of sums: nobody adds a contribution to a block twice, and the sums that a node must
  /// hold have all contributions.
  Finding exactly_once;
  /// A node sends what it received in earlier steps, or what it held from the start.
  Finding causality;
  /// In addition to these: no node gives up contributions.
  Finding collective;
};

/// Carries out `schedule`, whose flow is `flow`.
BlockFindings check_blocks(const Schedule& schedule, const Collective& collective,
                           const BlockFlow& flow, const Topology& topology);

}  // namespace allport
