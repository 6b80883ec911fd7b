// SPDX-License-Identifier: Apache-2.0
// The contention criteria for schedules of blocks, where there is no tree of who got the message
// through whom. In its place stands what a unicast depends on: the receptions that it, or an
// earlier send of its sender's program, waits for, and what those depended on. Of two unicasts a, b
// that share a channel and are of different steps,
//   Definition 4 lets pass those where b, of the later step, is sent by a's sender or depends on
//   something it sent;
//   Theorem 1 those where b depends on a, or on a later send of a's sender by the same first
//   channel, or is such a send itself.
// For one block that goes down a tree both are what find_contention() judges.
#pragma once

#include "traffic/proof/contention.h"
#include "traffic/schedule/block_flow.h"

namespace allport {

/// Judges all pairs of `sends`, sorted by step, u, order, of the schedule whose flow is `flow`.
ContentionFindings find_block_contention(const std::vector<Send>& sends, const BlockFlow& flow,
                                         ChannelUsers& users, const CheckLimits& limits);

}  // namespace allport
