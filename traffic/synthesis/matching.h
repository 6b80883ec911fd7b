// SPDX-License-Identifier: Apache-2.0
// match_atoms() does greedy matching on the time-expanded network [Won24]: in each round every link
// takes a message of blocks that its beginning has and that are wanted at its end; then the next
// round begins. What goes together here is an atom, one block or several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "traffic/synthesis/plan_links.h"

namespace allport {

/// Where atoms begin and where they are wanted.
struct AtomGoals {
  std::vector<NodeId> origins;  ///< node that an atom begins at, by atom
  /// The node that an atom goes to, by atom, leaving all others; empty: copies of all atoms go to
  /// all `readers`.
  std::vector<NodeId> targets{};
  std::vector<NodeId> readers{};
};

/// Who chooses in a round.
enum class Matching {
  draws,      ///< wanted atoms, in random order; each draws a link [Won24]
  rarest,     ///< the same, but those come first of which there are the fewest copies
  links,      ///< links, by port and node; they take atoms in order
  dimension,  ///< the same, but only those of the first dimension in which anything can go
};

/// How links are matched with atoms.
struct MatchingStyle {
  Matching matching = Matching::draws;
  std::size_t grain = 0;  ///< most atoms of a message; 0: any number
  std::size_t width = 0;  ///< most messages of a node in a round; 0: any number
};

/// A message of a round.
struct AtomMessage {
  std::uint32_t link = 0;
  StepIndex round = 1;
  std::vector<std::uint32_t> atoms;
};

/// The messages of all rounds, in order. An atom with a target comes one hop nearer to it with each
/// message; copies go to readers and to nodes on shortest ways to them. Throws
/// std::invalid_argument that names the nodes when no way leads to where an atom is wanted.
std::vector<AtomMessage> match_atoms(const AtomGoals& goals, const PlanLinks& links,
                                     const MatchingStyle& style, std::uint64_t seed);

/// The number of receptions of such a plan: at most this many for copies.
std::size_t reception_count(const AtomGoals& goals, const PlanLinks& links);

}  // namespace allport
