// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/block_lengths.h"

namespace allport {

BlockLengths::BlockLengths(const Collective& collective, int flits, int flit_bytes,
                           std::size_t bytes)
    : collective_(collective),
      flits_(collective.operation() == Operation::barrier ? 1 : flits),
      flit_bytes_(static_cast<std::size_t>(flit_bytes)),
      missing_bytes_(collective.operation() == Operation::bcast
                         ? static_cast<std::size_t>(flits) * flit_bytes_ - bytes
                         : 0) {}

std::size_t BlockLengths::bytes(BlockId block) const {
  const std::size_t whole = static_cast<std::size_t>(flits(block)) * flit_bytes_;
  return block + 1 == collective_.block_count() ? whole - missing_bytes_ : whole;
}

std::int64_t BlockLengths::flits_of(const Unicast& unicast) const {
  std::int64_t sum = 0;
  for (const BlockId block : unicast.blocks) sum += flits(block);
  return sum;
}

std::size_t BlockLengths::bytes_of(const Unicast& unicast) const {
  std::size_t sum = 0;
  for (const BlockId block : unicast.blocks) sum += bytes(block);
  return sum;
}

}  // namespace allport
