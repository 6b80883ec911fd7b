// SPDX-License-Identifier: Apache-2.0
// A BlockFlow says what depends on what in a schedule of blocks: a unicast waits for the receptions
// of earlier steps that bring its sender what it carries. For a block that is moved, that is its
// one reception; for a sum, it is every reception of an earlier step that names the block, whatever
// other blocks the node receives. The check proves this order; the timing model and the processors
// follow it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// Indices into Schedule::unicasts.
using UnicastIndices = std::vector<std::uint32_t>;

/// Some of them that lie in a row.
class UnicastRange {
 public:
  using value_type = std::uint32_t;
  using const_iterator = const std::uint32_t*;

  UnicastRange(const std::uint32_t* first, std::size_t count) : first_(first), count_(count) {}
  const_iterator begin() const { return first_; }
  const_iterator end() const { return first_ + count_; }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }

 private:
  const std::uint32_t* first_;
  std::size_t count_;
};

/// Whether all nodes that `unicast` names are among the first `nodes`.
bool is_between_nodes(const Unicast& unicast, std::size_t nodes);

/// Why the blocks of `unicast` cannot be those of a unicast of `collective`, in one sentence: it
/// carries none, one that does not exist, one twice, or it adds what is no sum; empty when they
/// can.
std::string block_fault(const Unicast& unicast, const Collective& collective,
                        const Topology* topology = nullptr);

/// Whether `unicast` brings `receiver`, one of its destinations, something that it must hold at the
/// end and does not hold before.
bool is_wanted(const Unicast& unicast, NodeId receiver, const Collective& collective);

/// The nodes that have the blocks of `unicast` afterwards: those that it goes via, and then v.
std::vector<NodeId> receivers_of(const Unicast& unicast);
template <typename Action>
void for_each_receiver(const Unicast& unicast, Action action) {
  for (const NodeId node : unicast.via) action(node);
  action(unicast.v);
}

class BlockFlow {
 public:
  /// A block that arrives at a node that has it, or had it before.
  struct Repetition {
    std::uint32_t unicast = 0;
    NodeId receiver{};
    BlockId block = 0;
  };
  /// A block that never arrives at a node that must hold it at the end.
  struct Loss {
    NodeId node{};
    BlockId block = 0;
  };

  /// Unicasts between nodes that are not in the collective are left out. Throws
  /// std::invalid_argument with the first block_fault.
  /// `topology`: the fabric whose nodes the ranks are, for the names in what is wrong; null: there
  /// is none.
  BlockFlow(const Schedule& schedule, const Collective& collective,
            const Topology* topology = nullptr);

  /// The number of `unicast`, which is one of the schedule.
  std::uint32_t number_of(const Unicast& unicast) const {
    return static_cast<std::uint32_t>(&unicast - schedule_.unicasts.data());
  }
  /// The receptions that unicast `i` waits for, ascending.
  UnicastRange waits_for(std::size_t i) const {
    return {awaited_.data() + waits_[i].first, static_cast<std::size_t>(waits_[i].count)};
  }
  /// The first block of unicast `i` that its sender does not have in that step; none: it has all.
  std::optional<BlockId> lacks(std::size_t i) const;
  /// Faults of blocks that are moved; sums have none.
  const std::vector<Repetition>& repetitions() const { return repetitions_; }
  const std::vector<Loss>& losses() const { return losses_; }

  /// The unicasts in an order in which each comes after those that it waits for, and after the
  /// previous one in its sender's program. It is shorter than the schedule if programs wait in a
  /// circle.
  UnicastIndices execution_order() const;
  /// Why processors cannot carry out the schedule, in one sentence; empty if they can. They cannot
  /// if programs wait in a circle, if two messages of a node have the same place, or if a node that
  /// sums does not send in the order of its steps.
  std::string program_fault() const;

  /// What `node` sends, in the order of its program.
  const UnicastIndices& program(NodeId node) const { return programs_[index(node)]; }
  /// What `node` receives, by step.
  const UnicastIndices& receptions(NodeId node) const { return receptions_[index(node)]; }

 private:
  void follow_moves(NodeId node);
  void follow_sums();
  void set_waits(std::uint32_t unicast, UnicastIndices& receptions);
  void collect();
  UnicastIndices waiting_for_each(std::vector<std::uint32_t>& begins) const;

  const Schedule& schedule_;
  const Collective& collective_;
  const Topology* topology_;
  std::vector<UnicastIndices> programs_;    // by node
  std::vector<UnicastIndices> receptions_;  // by node
  struct Waits {                            // the part of `awaited_` that a unicast waits for
    std::uint64_t first : 40;
    std::uint64_t count : 24;
  };
  std::vector<Waits> waits_;                        // by unicast
  UnicastIndices awaited_;                          // receptions
  std::unordered_map<std::size_t, BlockId> lacks_;  // by unicast
  std::vector<Repetition> repetitions_;
  std::vector<Loss> losses_;
};

}  // namespace allport
