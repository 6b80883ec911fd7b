// SPDX-License-Identifier: Apache-2.0
// Pipelined multicasts: the message goes in pieces, each a message of its own, and a node forwards
// a piece when it has it [CasanovaSlides, pipelined ring broadcast].
#pragma once

#include "traffic/algorithms/algorithms.h"
#include "traffic/schedule/block_flow.h"
#include "traffic/theory/timing_model.h"

namespace allport {

/// `whole`, a multicast by unicasts, in `pieces` blocks: a node sends the first piece to all it
/// serves, in the order of its program, then the second, and so on. Steps are assigned anew: the
/// first one after that of the piece's reception in which the injection port is free.
Schedule in_pieces(const Schedule& whole, int pieces, const Routing& routing, int internal_ports);

/// Cycles until everybody has all of the message of `whole`, sent in `pieces`: the recursion of
/// docs/timing.md section 4 over in_pieces(), without making that schedule. `message` has the
/// flits of the whole message.
Cycle predicted_pieces_latency(const Schedule& whole, int pieces, const Routing& routing,
                               int internal_ports, const TimingParameters& message);

/// The pieces for which predicted_pieces_latency() is least, the fewest of several such numbers:
/// 1 .. flits, and no more than make max_best_messages messages together.
int best_pieces(const Schedule& whole, const Routing& routing, int internal_ports,
                const TimingParameters& message);

/// Most messages into which best_pieces() cuts a multicast of less than so many destinations.
constexpr std::size_t max_best_messages = std::size_t{1} << 18;

/// The blocks of a schedule of pieces: one more than the largest; 0: the unicasts carry none.
std::size_t piece_count(const Schedule& schedule);

}  // namespace allport
