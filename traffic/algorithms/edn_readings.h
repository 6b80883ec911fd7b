// SPDX-License-Identifier: Apache-2.0
// [Hou98] describes the broadcast by extended dominating nodes (EDN) of [TsaiMcKinley96] without
// its messages. This is the search for all blocks on the 4 x 4 torus that fit the description; such
// a block is a *reading* of EDN. What the text says, and the search demands:
//
// - d + 1 sets, each step from one to the next, for d steps (section 4), and 3d sending latencies
//   (section 6.1), so that every node sends three messages in a step: 1, 4 and 16 nodes have it;
// - 4 delta hops in two steps (section 6.1): the longest routes of the two steps have four hops
//   together. Two and two hops have 1216 blocks, of 12 informed sets in the first step, three and
//   one have 16 of one set, one and three have none;
// - every node receives exactly once, and the messages of a step share no channel (sections 3, 4).
//
// A message may go any shortest way, so a displacement of two units has both signs. Messages of a
// step go nearest first, and of the receivers of the first step the one with the longest chain is
// served last: this gives the printed time, 6 ts + 4 delta tc + 2 (L tc + tr) for a block. The text
// leaves this order open, as it does other orders with the same time.
//
// Larger tori repeat the block, and for odd d the Z_block of [Hou98, fig. 5] comes last. A reading
// and its mirror images take the same time if the Z_block is mirrored too; as that is given, all
// images of a block are searched and counted, and no symmetry prunes.
#pragma once

#include <vector>

#include "traffic/algorithms/torus_block.h"

namespace allport {

/// The blocks whose longest routes have exactly `first_hops`, 1 .. 3, in the first step and
/// `second_hops`, 1 .. 3, in the second. S is the first member of each.
std::vector<TorusBlock> edn_blocks(int first_hops, int second_hops);

/// All readings: those of two and two hops, then those of three and one. Within these they are in
/// the order of their sends, S in the first step, then in the second S and the receivers of the
/// first; nearer sends before farther ones, and these by +x, -x, +y, -y.
const std::vector<TorusBlock>& edn_readings();

/// The reading that `edn` takes: the first with one pattern for all nodes, up to mirror images, of
/// which the simulation on 32 x 32 says all that the text says of figure 8 (docs/algorithms.md,
/// section 10).
const TorusBlock& edn_block();

/// Whether all members send by the same displacements in the second step, or by mirror images of
/// these in x, y or both.
bool has_one_pattern(const TorusBlock& block);

}  // namespace allport
