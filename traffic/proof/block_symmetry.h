// SPDX-License-Identifier: Apache-2.0
// Blocks are alike when one goes the way of the other, shifted with the nodes to which they belong:
// in the same steps, from nodes to nodes that are as far from these, added or not. Where nodes are
// alike to the collective, what is proved of one block holds of all that are alike. This is
// established message by message and nothing of it is assumed: not of the algorithm, and not of
// the fabric, whose routes the flow of blocks does not depend on.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "rtl_model/base/name_table.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// How all nodes are shifted: along the dimensions of the fabric, around; by an exclusive or with
/// the bits of their numbers; or by adding to their numbers, modulo how many there are.
enum class NodeShift { coordinates, bits, numbers };

template <>
inline constexpr std::array<Named<NodeShift>, 3> name_table<NodeShift>{
    {{NodeShift::coordinates, "coordinates"},
     {NodeShift::bits, "bits"},
     {NodeShift::numbers, "numbers"}}};

struct AlikeBlocks {
  NodeShift shift;
  std::vector<BlockId> blocks;  ///< one of each kind of alike blocks, ascending
  Schedule ways;                ///< the schedule with these alone
};

/// A shift by which the blocks of `schedule`, those of `collective` that are not empty, are
/// alike, at most half as many kinds as blocks; none: there is none, or the schedule is one that
/// only a whole check can judge. It takes one pass over the carried blocks.
std::optional<AlikeBlocks> find_alike_blocks(const Schedule& schedule, const Collective& collective,
                                             const Topology& topology);

/// The number of blocks that the messages of `schedule` carry together.
std::size_t carried_blocks(const Schedule& schedule);

}  // namespace allport
