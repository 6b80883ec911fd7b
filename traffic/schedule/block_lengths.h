// SPDX-License-Identifier: Apache-2.0
// BlockLengths knows how long the blocks of a collective are. A message of several blocks has their
// bytes one after another, and each block begins on a flit of its own: the message has as many
// flits as they have together.
#pragma once

#include <cstddef>
#include <cstdint>

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

  int flits(BlockId block) const { return collective_.flits_of(block, flits_); }
  std::size_t bytes(BlockId block) const;
  /// The length of the message of `unicast`.
  std::int64_t flits_of(const Unicast& unicast) const;
  std::size_t bytes_of(const Unicast& unicast) const;

 private:
  Collective collective_;
  int flits_;
  std::size_t flit_bytes_;
  std::size_t missing_bytes_;  // in the last flit of the message
};

}  // namespace allport
