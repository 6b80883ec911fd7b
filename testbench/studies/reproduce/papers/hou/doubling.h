// SPDX-License-Identifier: Apache-2.0
// doubling_claim() is on what [Hou98] says of recursive doubling on tori.
#pragma once

#include "testbench/studies/reproduce/claim.h"
#include "testbench/studies/reproduce/planned_tree.h"

namespace allport {

/// The one-port process that was extended to tori: judged by `utorus`, counted by channels, and by
/// classes of virtual channels, which are the channels of [Hou98, fig. 2].
Claim doubling_claim();

/// Whether any two unicasts of `tree`, planned on one port, that share a class of a channel's
/// virtual channels are ordered as Definition 4 of [Robinson93] has it: the later one's sender is
/// the earlier one's, or got the message through it.
bool is_free_by_classes(const PlannedTree& tree);

}  // namespace allport
