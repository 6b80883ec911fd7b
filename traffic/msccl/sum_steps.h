// SPDX-License-Identifier: Apache-2.0
// A node of a schedule has one sum of each block: a message of step t carries what the node has
// received of the block in earlier steps, each reception added to the sum, or in its place.
// SumSteps finds the steps of an MSCCL program's messages, and which of them add, so that each
// carries exactly what it carries in the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "traffic/msccl/chunk_flow.h"
#include "traffic/schedule/schedule.h"

namespace allport {

class SumSteps {
 public:
  /// Sets `step` and `adds` of `unicasts`, one for each message of `flow`; each comes with its time
  /// as its step. Throws std::invalid_argument naming GPU, thread block and step when there are no
  /// such steps. All references must outlive it.
  SumSteps(const StepOrder& order, const ChunkFlow& flow, const Collective& goal,
           std::vector<Unicast>& unicasts);

 private:
  // What happens to one block at one node, by number of message; sends in the node's program.
  struct Events {
    std::vector<std::uint32_t> sends;
    std::vector<ValueId> sent;  // what each send carries, and, if it must be held, the result
    std::vector<std::uint32_t> receptions;
  };
  struct Bound {  // the later one's step is at least the earlier one's and `distance` more
    std::uint32_t later;
    StepIndex distance;
  };

  [[noreturn]] void refuse(StepId step, BlockId block) const;
  Events& events(std::size_t node, BlockId block);
  void collect(const Collective& goal);
  void note_use(ValueId id);
  void choose_adding();
  void bound(std::uint32_t earlier, std::uint32_t later, StepIndex distance);
  void bound_events(const Events& events);
  void raise();
  void verify(const Events& events, std::size_t node) const;

  const StepOrder& order_;
  const ChunkFlow& flow_;
  std::vector<Unicast>& unicasts_;
  std::size_t blocks_;
  std::unordered_map<std::uint64_t, Events> events_;  // by node and block
  std::vector<bool> is_added_;
  std::vector<bool> is_copied_;
  std::vector<std::vector<Bound>> bounds_;  // by earlier message
};

}  // namespace allport
