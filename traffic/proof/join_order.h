// SPDX-License-Identifier: Apache-2.0
// A schedule with joins must keep these rules so that no join waits for ever (docs/joins.md,
// order): every node of a group contributes exactly once to each of its joins; the graph "issued
// before", united with "received before issued", has no cycle through a join; a node contributes to
// a join-tree only after it has received each tree and join-tree of its own that comes earlier; and
// a tree follows join-trees only behind a join of its group to its root, whose nodes have received
// them. Where joins share virtual channels with trees, they wait like join-trees, and a tree leaves
// only when the joins before it are over.
#pragma once

#include <vector>

#include "traffic/proof/schedule_check.h"

namespace allport {

/// The violations of these rules in `parts`, which run at once; those of a part alone where
/// `has_barriers`.
Finding check_join_order(const std::vector<SoundPart>& parts, bool has_barriers);

/// Pairs of messages of which one is a join, and which share an external channel although neither
/// waits for the other. Indices as in PairViolation.
Finding find_join_contention(const std::vector<SoundPart>& parts, bool has_barriers);

}  // namespace allport
