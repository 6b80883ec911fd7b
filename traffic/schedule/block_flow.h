// SPDX-License-Identifier: Apache-2.0
// What depends on what in a schedule of blocks: a unicast waits for the receptions of earlier steps
// that bring its sender what it carries. Of a block that is moved that is its one reception; of a
// sum it is every reception of earlier steps. What the check proves, the timing model and the
// processors follow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// Indices into Schedule::unicasts.
using UnicastIndices = std::vector<std::uint32_t>;

/// Why the blocks of `unicast` cannot be those of a unicast of `collective`, in one sentence: it
/// carries none, one that does not exist, one twice, or it adds what is no sum; empty when they
/// can.
std::string block_fault(const Unicast& unicast, const Collective& collective);

/// Whether `unicast` brings `receiver`, one of its destinations, what that must hold in the end and
/// does not hold before.
bool is_wanted(const Unicast& unicast, NodeId receiver, const Collective& collective);

/// The nodes that have the blocks of `unicast` behind it: v, and before it those it goes via.
std::vector<NodeId> receivers_of(const Unicast& unicast);

class BlockFlow {
 public:
  /// A block that comes to a node that has it, or had it before.
  struct Repetition {
    std::uint32_t unicast = 0;
    NodeId receiver{};
    BlockId block = 0;
  };
  /// A block that never comes to a node that must hold it in the end.
  struct Loss {
    NodeId node{};
    BlockId block = 0;
  };

  /// Unicasts between nodes that the collective does not have are left out. Throws
  /// std::invalid_argument with the first block_fault.
  BlockFlow(const Schedule& schedule, const Collective& collective);

  /// The receptions that unicast `i` waits for, ascending.
  const UnicastIndices& waits_for(std::size_t i) const { return waits_for_[i]; }
  /// The first block of unicast `i` that its sender does not have in its step; none: it has all.
  std::optional<BlockId> lacks(std::size_t i) const { return lacks_[i]; }
  /// Of blocks that are moved; sums have none.
  const std::vector<Repetition>& repetitions() const { return repetitions_; }
  const std::vector<Loss>& losses() const { return losses_; }

  /// The unicasts in an order in which each comes behind those it waits for, and behind the one
  /// before it in its sender's program. Shorter than the schedule where programs wait in a circle.
  UnicastIndices execution_order() const;
  /// Why processors cannot carry out the schedule, in one sentence; empty when they can: programs
  /// wait in a circle, two messages of a node have the same place, or a node that sums sends in
  /// another order than that of its steps.
  std::string program_fault() const;

  /// What `node` sends, in the order of its program.
  const UnicastIndices& program(NodeId node) const { return programs_[index(node)]; }
  /// What `node` receives, by step.
  const UnicastIndices& receptions(NodeId node) const { return receptions_[index(node)]; }

 private:
  void follow_moves(NodeId node);
  void follow_sums(NodeId node);

  const Schedule& schedule_;
  const Collective& collective_;
  std::vector<UnicastIndices> programs_;    // by node
  std::vector<UnicastIndices> receptions_;  // by node
  std::vector<UnicastIndices> waits_for_;   // by unicast
  std::vector<std::optional<BlockId>> lacks_;
  std::vector<Repetition> repetitions_;
  std::vector<Loss> losses_;
};

}  // namespace allport
