// SPDX-License-Identifier: Apache-2.0
// The contention criteria for schedules of blocks, which have no tree of who got the message
// through whom. What a unicast depends on takes its place: the receptions that it, or an earlier
// send of its sender's program, waits for, and what those depended on. Two unicasts a and b that
// share a channel, b in the later step, are no violation
//   of Definition 4 if b is sent by a's sender or depends on something that a's sender sent;
//   of Theorem 1 if b depends on a, or on a later send of a's sender on the same first channel, or
//   is such a send itself.
// For one block that goes down a tree, these are the criteria of find_contention().
#pragma once

#include <functional>
#include <vector>

#include "traffic/proof/contention.h"
#include "traffic/schedule/block_flow.h"

namespace allport {

/// Judges all pairs of `sends`, sorted by step, u, order, of the schedule whose flow is `flow()`;
/// it is asked for only where sends of several queues share a channel. `vcs` is that of
/// ChannelUsers.
ContentionFindings find_block_contention(const Sends& sends,
                                         const std::function<const BlockFlow&()>& flow,
                                         const Routing& routing, int vcs,
                                         const CheckLimits& limits);

}  // namespace allport
