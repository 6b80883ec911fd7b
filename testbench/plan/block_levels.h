// SPDX-License-Identifier: Apache-2.0
// A block is recursed on larger and larger tori, and on each the plan is checked: a level that is
// free of contention does not make the next one so.
#pragma once

#include <memory>
#include <vector>

#include "rtl_model/topology/topology.h"
#include "traffic/algorithms/torus_block.h"
#include "traffic/proof/schedule_check.h"

namespace allport {

struct BlockLevel {
  std::shared_ptr<const Topology> topology;
  int level;          ///< how often the block is recursed: 1, 2, ..
  bool has_z_blocks;  ///< whether its units are Z_blocks of 2 x 2 nodes, not nodes
  Schedule schedule;
  ScheduleReport report;
};

/// The plans of `block` on square tori of sides 4, 8, 16, .. up to `largest_side`, from node 0 with
/// `ports` internal ports, and the verdicts on them.
std::vector<BlockLevel> block_levels(const UnitBlock& block, int largest_side, int ports,
                                     const CheckLimits& limits);

}  // namespace allport
