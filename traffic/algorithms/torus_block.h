// SPDX-License-Identifier: Apache-2.0
// A UnitBlock is a broadcast to 4 x 4 units of a torus, as a building block of [Hou98, section 5]:
// on a 2^d x 2^d torus it is carried out with units of N/4, N/16, .. nodes, each time by every node
// that has the message, and for odd d one step by Z_blocks comes last. As every unit is informed
// once, every node is, on all of these tori: who has the message before units of q nodes are the
// nodes 4q apart in both dimensions, and afterwards those q apart.
#pragma once

#include <vector>

#include "traffic/algorithms/algorithms.h"
#include "traffic/algorithms/torus_rounds.h"

namespace allport {

/// The tori of blocks.
inline constexpr Fabrics power_of_two_tori{"2^d x 2^d tori", is_power_of_two_torus};

/// The side of a block, in units.
constexpr int block_side = 4;

struct BlockSend {
  Offset from;  ///< the sender's place as seen from the source of the block, in units
  Offset by;    ///< in units
  StepIndex step;
};

struct UnitBlock {
  std::vector<BlockSend> sends;  ///< those of one sender in the order of its program
  StepIndex steps() const;
};

/// A receiver of the first of two steps, or the block's source S, and what it sends in the second.
struct BlockMember {
  Offset place;  ///< from S, in units; {0, 0} is S itself
  std::vector<Offset> second_step;
};

/// A block of two steps. S serves the receivers of the first step in this order.
using TorusBlock = std::vector<BlockMember>;

UnitBlock unit_block(const TorusBlock& block);

/// The displacements of a Z_block, in the order of the sends. On side 2 the last takes its tie in
/// the - direction, so that all three first channels differ.
const std::vector<Offset>& z_block();

/// Phase after phase with units of N/4, N/16, .. nodes, and for N = 2 * 4^k the step of Z_blocks.
Schedule plan_by_blocks(const PlanRequest& request, const UnitBlock& block);
inline Schedule plan_by_blocks(const PlanRequest& request, const TorusBlock& block) {
  return plan_by_blocks(request, unit_block(block));
}

/// The block alone: its schedule on torus:4x4 from node 0.
Schedule schedule_of(const UnitBlock& block);

}  // namespace allport
