// SPDX-License-Identifier: Apache-2.0
// A ChunkFlow finds out what the chunks of an MSCCL program are: each cell of each GPU's memory is
// followed through all steps, in their order. A cell holds nothing, a block, or a sum of a block:
// the contributions of some GPUs, of which it is known by which messages they came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "traffic/msccl/chunk_layout.h"
#include "traffic/msccl/step_order.h"
#include "traffic/proof/contributions.h"

namespace allport {

/// What a cell holds.
struct ChunkValue {
  BlockId block = 0;
  bool has_own = true;  ///< whether the GPU's own block or contribution is in it
  /// The messages, ascending, received by this GPU, that brought the rest.
  std::vector<std::uint32_t> messages{};
  /// Of a sum: whose contributions it has. Else the GPU whose cell it was at first.
  Contributions contributions;
};

/// A value by its number in a ChunkFlow.
using ValueId = std::uint32_t;
constexpr ValueId no_value = static_cast<ValueId>(-1);

/// What one send step sends.
struct ChunkMessage {
  StepId send = no_step;
  std::vector<ValueId> values{};  ///< in the order of its chunks, as the sender holds them
};

class ChunkFlow {
 public:
  /// Follows the chunks. Faults are added to `findings`: a chunk that is read before it is there,
  /// or overwritten while it is needed, a contribution added twice, and an output that is not what
  /// the collective demands. All references must outlive it.
  ChunkFlow(const MscclProgram& program, const Collective& goal, const StepOrder& order,
            Finding& findings);

  /// In the order in which they are sent.
  const std::vector<ChunkMessage>& messages() const { return messages_; }
  const ChunkValue& value(ValueId id) const { return values_[id]; }
  /// What `gpu` holds in its output in the end, of that which it must hold.
  std::vector<ValueId> results(std::size_t gpu) const;

 private:
  struct Cell {
    ValueId value = no_value;
    StepId writer = no_step;
    std::uint32_t reads = no_read;  // the first of a list in reads_, since it was written
  };
  struct Read {
    StepId reader;
    std::uint32_t next;
  };
  static constexpr std::uint32_t no_read = static_cast<std::uint32_t>(-1);

  void fill();
  void follow(StepId id, Finding& findings);
  std::vector<ValueId> received(StepId id);
  ValueId read(StepId id, const ChunkPlace& place, Finding& findings);
  void write(StepId id, const ChunkPlace& place, ValueId value, Finding& findings);
  Cell* find(StepId id, const ChunkPlace& place, const char* does, Finding& findings);
  ValueId sum(StepId id, ValueId a, ValueId b, Finding& findings);
  void judge(std::size_t gpu, Finding& findings) const;
  std::string result_fault(const Cell& cell, BlockId block) const;

  const MscclProgram& program_;
  const Collective& goal_;
  const StepOrder& order_;
  ChunkLayout layout_;
  std::vector<std::vector<Cell>> cells_;  // by GPU
  std::vector<Read> reads_;
  std::vector<ChunkValue> values_;
  std::vector<ChunkMessage> messages_;
  std::vector<std::uint32_t> message_of_;  // by send step
};

}  // namespace allport
