// SPDX-License-Identifier: Apache-2.0
// Pipelined multicasts: the message goes in pieces, each a message of its own, and a node forwards
// a piece when it has it [CasanovaSlides, pipelined ring broadcast].
#pragma once

#include "traffic/algorithms.h"
#include "traffic/block_flow.h"

namespace allport {

/// `whole`, a multicast by unicasts, in `pieces` blocks: a node sends the first piece to all it
/// serves, in the order of its program, then the second, and so on. Steps are assigned anew: the
/// first one after that of the piece's reception in which the injection port is free.
Schedule in_pieces(const Schedule& whole, int pieces, const Routing& routing, int internal_ports);

/// The pieces that make (steps - 1 + r)(per_step + flits / r) least: r* =
/// sqrt(flits (steps - 1) / per_step), rounded to the better side, 1 .. flits.
int best_pieces(StepIndex steps, Cycle per_step, int flits);

/// The blocks of a schedule of pieces: one more than the largest; 0: the unicasts carry none.
std::size_t piece_count(const Schedule& schedule);

}  // namespace allport
