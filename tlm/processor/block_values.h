// SPDX-License-Identifier: Apache-2.0
// BlockValues has what a rank holds of the blocks of a collective that programs call, with the
// bytes that these have given. Moved blocks are kept as they came. A sum that is sent in a step
// contains the receptions of earlier steps, whatever else has come, and these are added in the
// order of the plan: what comes out does not depend on when it comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "traffic/tasks/collective_planner.h"

namespace allport {

class BlockValues {
 public:
  using Bytes = std::vector<unsigned char>;
  /// Adds `bytes` bytes at `other` to those at `sum`, value by value.
  using Add = void (*)(unsigned char* sum, const unsigned char* other, std::size_t bytes);

  /// `place` begins with its blocks, one after another in `bytes` bytes at `data`. `add`: of what
  /// is summed up; null: the blocks are moved.
  BlockValues(std::shared_ptr<const PlannedCall> call, std::uint32_t place, const void* data,
              std::size_t bytes, Add add);

  /// What message `number` of the plan, which the place sends now, carries.
  Bytes message(std::uint32_t number);
  /// Takes what message `number` has brought.
  void receive(std::uint32_t number, Bytes bytes);
  /// What the place has at the end: the blocks that it must hold, one after another; of a reduce,
  /// all blocks at every place.
  Bytes result();

 private:
  struct Arrival {  // not yet added
    std::uint32_t number = 0;
    Bytes bytes;
  };
  struct Block {
    Bytes bytes;
    std::vector<Arrival> arrivals;
  };

  bool is_whole() const { return call_->collective.block_count() == 1; }
  void put(std::uint32_t number, BlockId block, Bytes bytes);
  void add_arrivals_before(StepIndex step, Block& block);
  Bytes joined(const std::vector<BlockId>& blocks) const;

  const std::shared_ptr<const PlannedCall> call_;
  const std::uint32_t place_;
  const Add add_;
  std::unordered_map<BlockId, Block> blocks_;
};

}  // namespace allport
