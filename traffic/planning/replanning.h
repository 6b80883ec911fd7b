// SPDX-License-Identifier: Apache-2.0
// A plan that was made for a whole fabric is carried out without some of its ranks by one rule: who
// would have had something from a rank that is gone has it from whom that rank would have had it,
// block by block, and from the one before that where this one is gone as well
// (docs/decisions/0047-replanning.md).
#pragma once

#include <functional>
#include <vector>

#include "traffic/schedule/schedule.h"

namespace allport {

/// `plan`, unicasts that achieve its goal among all ranks, for the ranks that are not `is_gone`.
/// Blocks that are not `is_wanted` belong to a rank that is gone, and are not sent; messages of a
/// multicast without blocks carry the whole message. The steps are those of `plan` and, where a
/// rank sends for another one, may have several of its messages on a port.
Schedule without_ranks(const Schedule& plan, const std::vector<bool>& is_gone,
                       const std::function<bool(BlockId)>& is_wanted);

}  // namespace allport
