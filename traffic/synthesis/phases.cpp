// SPDX-License-Identifier: Apache-2.0
#include "traffic/synthesis/phases.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace allport {

namespace {

Phase backwards(Phase phase, bool adds) {
  phase.is_backwards = true;
  phase.adds = adds;
  return phase;
}

}  // namespace

Phases::Phases(const Collective& goal) : goal_(goal), root_(goal.root()) {
  for (std::size_t i = 0; i < goal.rank_count(); ++i) members_.push_back(goal.member(i));
}

std::vector<BlockId> Phases::all_blocks() const {
  std::vector<BlockId> blocks(goal_.block_count());
  std::iota(blocks.begin(), blocks.end(), BlockId{0});
  return blocks;
}

// Atoms of the blocks first .. first + count - 1, each of every so-manieth, so that they are of one
// length and none is empty as long as there are enough blocks that are not. Returns their number.
std::size_t Phases::add_atoms(Phase& phase, std::size_t first, std::size_t count,
                              std::size_t atoms) {
  phase.most_atoms = count;
  const std::size_t number = std::clamp<std::size_t>(atoms, 1, count);
  for (std::size_t atom = 0; atom < number; ++atom) {
    std::vector<BlockId>& blocks = phase.blocks.emplace_back();
    for (std::size_t i = atom; i < count; i += number) {
      blocks.push_back(static_cast<BlockId>(first + i));
    }
  }
  return number;
}

Phase Phases::bcast(std::size_t atoms) const {
  Phase phase;
  phase.goals.origins.resize(add_atoms(phase, 0, goal_.block_count(), atoms), root_);
  phase.goals.readers = goal_.operation() == Operation::bcast ? goal_.receivers() : members_;
  return phase;
}

Phase Phases::reduce(std::size_t atoms) const { return backwards(bcast(atoms), true); }

Phase Phases::allgather(std::size_t atoms) const {
  Phase phase;
  phase.goals.readers = members_;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const std::size_t count = add_atoms(phase, i * parts(), parts(), atoms);
    phase.goals.origins.insert(phase.goals.origins.end(), count, members_[i]);
  }
  return phase;
}

Phase Phases::reduce_scatter(std::size_t atoms) const { return backwards(allgather(atoms), true); }

Phase Phases::scatter(std::size_t atoms) const {
  Phase phase;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i] == root_) continue;
    const std::size_t count = add_atoms(phase, i * parts(), parts(), atoms);
    phase.goals.origins.insert(phase.goals.origins.end(), count, root_);
    phase.goals.targets.insert(phase.goals.targets.end(), count, members_[i]);
  }
  return phase;
}

Phase Phases::alltoall(std::size_t atoms) const {
  Phase phase;
  for (std::size_t from = 0; from < members_.size(); ++from) {
    for (std::size_t to = 0; to < members_.size(); ++to) {
      const std::size_t block = from * members_.size() + to;
      if (from == to || goal_.is_empty(static_cast<BlockId>(block * parts()))) continue;
      const std::size_t count = add_atoms(phase, block * parts(), parts(), atoms);
      phase.goals.origins.insert(phase.goals.origins.end(), count, members_[from]);
      phase.goals.targets.insert(phase.goals.targets.end(), count, members_[to]);
    }
  }
  return phase;
}

Phase Phases::exchange(std::size_t atoms) const {
  Phase phase;
  const NeighbourBlocks& all = *goal_.neighbours();
  for (std::size_t block = 0; block < all.block_count(); ++block) {
    const auto receiver = all.receiver(block);
    if (!receiver) continue;
    const std::size_t count = add_atoms(phase, block * parts(), parts(), atoms);
    phase.goals.origins.insert(phase.goals.origins.end(), count, members_[all.sender(block)]);
    phase.goals.targets.insert(phase.goals.targets.end(), count, members_[*receiver]);
  }
  return phase;
}

Phase Phases::only(std::size_t atoms) const {
  if (goal_.neighbours() != nullptr) return exchange(atoms);
  switch (goal_.operation()) {
    case Operation::scatter:
      return scatter(atoms);
    case Operation::gather:
      return backwards(scatter(atoms), false);
    case Operation::alltoall:
      return alltoall(atoms);
    case Operation::reduce_scatter:
      return reduce_scatter(atoms);
    default:
      return allgather(atoms);
  }
}

}  // namespace allport
