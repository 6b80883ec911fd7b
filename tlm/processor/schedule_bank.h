// SPDX-License-Identifier: Apache-2.0
// Many processors that run their parts of planned collectives, each as a ScheduleNode does: when it
// has the message of a collective it sends it on to the nodes its program names. The bytes of a
// message stay where its source put them: every transaction points there; blocks are copied.
#pragma once

#include <vector>

#include "tlm/processor/processor_bank.h"
#include "tlm/processor/schedule_node.h"

namespace allport {

class ScheduleBank final : public ProcessorBank {
 public:
  using ProcessorBank::ProcessorBank;

  void reset() override;
  /// Loads the programs of the coming run; `memory` has the blocks of its collectives of blocks.
  void load(const ProgramTable& programs, BlockMemory* memory = nullptr);
  /// `node` is a source of `collective` and has its message, `payload`, now.
  void start(NodeId node, int collective, tlm::tlm_generic_payload& payload);
  /// `node` takes part in `collective`, of blocks, from now on.
  void start(NodeId node, int collective);

 protected:
  Cycle next_ready(std::uint32_t node) const override;
  tlm::tlm_generic_payload& take_next(std::uint32_t node) override;
  void on_message(std::uint32_t node, tlm::tlm_generic_payload& message) override;
  bool heeds_receptions() const override { return true; }

 private:
  struct Task {  // the rest of a node's program for a collective; a node's tasks stand in a queue
    int collective = 0;
    std::uint32_t next_send = 0;
    std::uint32_t behind = 0;
  };
  struct Queue {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  struct Turn {  // a task in its queue
    std::uint32_t task = 0;
    std::uint32_t before = 0;
  };
  void begin(std::uint32_t node, int collective);
  bool is_ready(std::uint32_t node, const Task& task) const;
  Turn ready_task(std::uint32_t node) const;
  void end(std::uint32_t node, const Turn& turn);
  tlm::tlm_generic_payload& message_of(std::uint32_t node, const Task& task,
                                       const PlannedSend& send);

  const ProgramTable* programs_ = nullptr;
  BlockMemory* memory_ = nullptr;
  std::vector<tlm::tlm_generic_payload*> payloads_;  // by collective, acquired
  std::vector<bool> has_begun_;                      // by node, then collective
  std::vector<Queue> queues_;                        // by node
  std::vector<Task> tasks_{1};                       // 0: none
  std::uint32_t free_task_ = 0;
};

}  // namespace allport
