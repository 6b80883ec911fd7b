// SPDX-License-Identifier: Apache-2.0
// A pipelined multicast cuts the message into pieces, each a message of its own, and a node
// forwards a piece as soon as it has it [CasanovaSlides, pipelined ring broadcast].
#pragma once

#include <cstddef>

#include "traffic/algorithms/algorithms.h"
#include "traffic/schedule/block_flow.h"
#include "traffic/theory/timing_model.h"

namespace allport {

/// `whole`, a multicast by unicasts, cut into `pieces` blocks: a node sends the first piece to all
/// nodes that it serves, in the order of its program, then the second, and so on. Steps are
/// assigned anew: a piece goes in the first step after its reception in which the injection port is
/// free. If the unicasts carry blocks 0 .. T - 1, those of a block are a tree: piece i goes down
/// tree i mod T, and the pieces of a round, one for each tree, go side by side.
Schedule in_pieces(const Schedule& whole, int pieces, const Routing& routing, int internal_ports);

/// Cycles until every destination has all of the message of `whole`, sent in `pieces`: the
/// recursion of docs/timing.md section 4 over in_pieces(), without making that schedule. `message`
/// has the flits of the whole message, without those of the `fields`, which one piece has.
Cycle predicted_pieces_latency(const Schedule& whole, int pieces, const Routing& routing,
                               int internal_ports, const TimingParameters& message,
                               const AddressFields& fields = {});

/// The number of pieces, 1 .. flits, for which predicted_pieces_latency() is least, and the
/// smallest of several such numbers. It never makes more than max_best_messages messages in all.
int best_pieces(const Schedule& whole, const Routing& routing, int internal_ports,
                const TimingParameters& message);

/// Largest number of messages that best_pieces() makes of a multicast with fewer destinations.
constexpr std::size_t max_best_messages = std::size_t{1} << 18;

/// The number of blocks of a schedule of pieces, one more than the largest; 0: the unicasts carry
/// none.
std::size_t piece_count(const Schedule& schedule);

}  // namespace allport
