// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/block_lengths.h"

namespace allport {

BlockLengths::BlockLengths(const Collective& collective, int flits, int flit_bytes,
                           std::size_t bytes)
    : block_count_(collective.block_count()),
      flit_bytes_(static_cast<std::size_t>(flit_bytes)),
      missing_bytes_(collective.operation() == Operation::bcast
                         ? static_cast<std::size_t>(flits) * flit_bytes_ - bytes
                         : 0) {
  const int whole = collective.operation() == Operation::barrier ? 1 : flits;
  const bool is_each_its_own = collective.is_cut() || collective.has_pair_lengths();
  places_.resize(is_each_its_own ? collective.block_count() : collective.part_count());
  for (std::size_t block = 0; block < places_.size(); ++block) {
    Place& place = places_[block];
    place.flits = collective.flits_of(static_cast<BlockId>(block), whole);
    place.blocks_before = static_cast<std::uint32_t>(full_blocks_);
    place.flits_before = flits_;
    full_blocks_ += place.flits > 0 ? 1 : 0;
    flits_ += static_cast<std::size_t>(place.flits);
  }
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
