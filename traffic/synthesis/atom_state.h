// SPDX-License-Identifier: Apache-2.0
// An AtomState says which node has which atom while a plan is made, and who wants it next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/synthesis/matching.h"

namespace allport {

/// An atom that is wanted: a copy at `node`, or nearer to its target than `node`, where it is.
struct AtomWish {
  std::uint32_t atom = 0;
  NodeId node{};
};

class AtomState {
 public:
  /// Throws std::invalid_argument as match_atoms() does. Both must outlive the state.
  AtomState(const AtomGoals& goals, const PlanLinks& links);

  const PlanLinks& links() const { return links_; }
  bool is_done() const { return missing_ == 0; }

  /// By atom, then node.
  std::vector<AtomWish> wishes() const;
  /// Atoms with a target: the farthest from it come first, otherwise in the order in which they
  /// are; copies stay as they are.
  void put_farthest_first(std::vector<AtomWish>& wishes) const;
  /// The links over which the wish may be granted, whether or not the atom is at their beginning.
  const LinkIndices& ways(const AtomWish& wish) const {
    return is_moved() ? links_.out_of(wish.node) : links_.into(wish.node);
  }
  /// The atoms at the beginning of the link, ascending; with targets, the farthest from them first.
  std::vector<std::uint32_t> candidates(std::uint32_t link) const;
  /// Whether the atom is at the beginning of the link, wanted at its end and not promised.
  bool can_go(std::uint32_t atom, std::uint32_t link) const;

  /// The nodes that have the atom or are promised it; of an atom with a target, 1.
  std::size_t copies(std::uint32_t atom) const { return copies_[atom]; }

  /// The atom crosses the link in this round.
  void promise(std::uint32_t atom, std::uint32_t link);
  /// What was promised has arrived.
  void end_round();

  /// Takes copies out of the messages, all of them in order of rounds, that no reader gets and
  /// nobody sends on, and messages that then carry nothing.
  void leave_out_useless(std::vector<AtomMessage>& messages) const;

 private:
  struct Promise {
    std::uint32_t atom;
    NodeId from;
    NodeId to;
  };

  bool is_moved() const { return !goals_.targets.empty(); }
  std::size_t at(std::uint32_t atom, NodeId node) const {
    return atom * links_.node_count() + index(node);
  }
  int hops_left(std::uint32_t atom, NodeId node) const {
    return hops_[index(goals_.targets[atom])][index(node)];
  }
  void begin_moves();
  void begin_copies();
  void allow_ways(NodeId origin, std::vector<bool>& allowed) const;

  const AtomGoals& goals_;
  const PlanLinks& links_;
  std::size_t missing_ = 0;                         // arrivals
  std::vector<std::vector<int>> hops_;              // to a target, by target and node
  std::vector<std::vector<std::uint32_t>> stored_;  // atoms, by node
  std::vector<std::size_t> copies_;                 // by atom
  std::vector<NodeId> place_;                       // of moves: where an atom is
  std::vector<bool> is_promised_;  // of moves, by atom; of copies, by atom and node
  std::vector<bool> has_;          // of copies, by atom and node
  std::vector<bool> wants_;        // of copies, by atom and node: it does not have it yet, but will
  std::vector<Promise> promises_;
};

}  // namespace allport
