// SPDX-License-Identifier: Apache-2.0
// Phases has the collectives as atoms that are spread: one phase, or two that follow each other.
#pragma once

#include <cstddef>
#include <vector>

#include "traffic/schedule/collective.h"
#include "traffic/synthesis/matching.h"

namespace allport {

struct Phase {
  AtomGoals goals;
  std::vector<std::vector<BlockId>> blocks;  ///< blocks of each atom
  bool is_backwards = false;                 ///< whether it is spread from where it ends
  bool adds = false;                         ///< whether receivers add what they get
  std::size_t most_atoms = 1;                ///< atoms that a block, or the whole, can be cut into
};

class Phases {
 public:
  /// `goal` must outlive this.
  explicit Phases(const Collective& goal);

  const std::vector<NodeId>& members() const { return members_; }
  std::vector<BlockId> all_blocks() const;
  /// Reduces and bcasts are to and from this node; the root of the collective unless it is set.
  void set_root(NodeId root) { root_ = root; }

  // Of atoms: as many as are asked for, 1 .. most_atoms, of each block or of the whole; 0: one.
  /// All blocks from the root to all who must hold them.
  Phase bcast(std::size_t atoms) const;
  /// The bcast to all members backwards, adding.
  Phase reduce(std::size_t atoms) const;
  /// Each member's block to all members.
  Phase allgather(std::size_t atoms) const;
  /// That backwards, adding.
  Phase reduce_scatter(std::size_t atoms) const;
  /// The phase of a collective that has one: scatter, gather, alltoall, an exchange among
  /// neighbours, and the last two.
  Phase only(std::size_t atoms) const;

 private:
  Phase scatter(std::size_t atoms) const;
  Phase alltoall(std::size_t atoms) const;
  Phase exchange(std::size_t atoms) const;
  std::size_t parts() const { return goal_.part_count(); }
  static std::size_t add_atoms(Phase& phase, std::size_t first, std::size_t count,
                               std::size_t atoms);

  const Collective& goal_;
  std::vector<NodeId> members_;
  NodeId root_;
};

}  // namespace allport
