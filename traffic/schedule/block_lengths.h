// SPDX-License-Identifier: Apache-2.0
// BlockLengths knows how long the blocks of a collective are. A message of several blocks has their
// bytes one after another, and each block begins on a flit of its own: the message has as many
// flits as they have together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/schedule/collective.h"

namespace allport {

class BlockLengths {
 public:
  /// `flits`, of `flit_bytes` bytes each, and `bytes`: of the message of a bcast, whose pieces
  /// differ by one flit at most, the longer ones first, and the last of which ends with the
  /// message; of the vector of a reduce or allreduce, cut in the same way, whose last flit is full;
  /// of each block of another operation, whose last flit is full. Parts share the flits of their
  /// block in the same way. The block of a barrier is one flit.
  BlockLengths(const Collective& collective, int flits, int flit_bytes, std::size_t bytes);

  int flits(BlockId block) const { return place(block).flits; }
  std::size_t bytes(BlockId block) const {
    const std::size_t whole = static_cast<std::size_t>(flits(block)) * flit_bytes_;
    return block + 1 == block_count_ ? whole - missing_bytes_ : whole;
  }
  /// The number of blocks.
  std::size_t block_count() const { return block_count_; }
  /// Of all blocks before `block`, 0 .. block_count(): their bytes where all flits are full, and
  /// how many of them have a flit.
  std::size_t bytes_before(std::size_t block) const {
    return (rounds(block) * flits_ + place(block).flits_before) * flit_bytes_;
  }
  std::size_t blocks_before(std::size_t block) const {
    return rounds(block) * full_blocks_ + place(block).blocks_before;
  }
  /// The length of the message of `unicast`.
  std::int64_t flits_of(const Unicast& unicast) const;
  std::size_t bytes_of(const Unicast& unicast) const;

 private:
  struct Place {
    int flits = 0;
    std::uint32_t blocks_before = 0;  // that have a flit
    std::uint64_t flits_before = 0;
  };
  std::size_t rounds(std::size_t block) const {
    return block < places_.size() ? 0 : block / places_.size();
  }
  const Place& place(std::size_t block) const {
    return places_[block - rounds(block) * places_.size()];
  }

  std::size_t block_count_;
  std::size_t flit_bytes_;
  std::size_t missing_bytes_;  // in the last flit of the message
  // The blocks one after another, or the parts of one block where all blocks are alike.
  std::vector<Place> places_;
  std::size_t flits_ = 0;        // of all of these
  std::size_t full_blocks_ = 0;  // those of them that have a flit
};

}  // namespace allport
