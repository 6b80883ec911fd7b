// SPDX-License-Identifier: Apache-2.0
// A ScheduleWorkload carries out planned collectives: when a node has the message of a collective,
// it sends it on to the nodes that its plan names, in the plan's order. In a collective of blocks
// each message waits until the node has the blocks that it carries; while it waits, messages of
// collectives begun later may go before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "tlm/processor/block_memory.h"
#include "tlm/processor/inbox.h"
#include "tlm/processor/planned_send.h"
#include "tlm/processor/workload.h"

namespace allport {

class ScheduleWorkload final : public Workload {
 public:
  /// Once `stop` is set, no further message is ready; null: there is no such flag.
  ScheduleWorkload(MessagePool& pool, MessageBytes bytes, StopFlag stop = nullptr)
      : pool_(pool), bytes_(bytes), stop_(stop) {}
  bool is_stopped() const { return is_set(stop_); }

  /// Loads the plans of the coming run; `memory` has the blocks of its collectives of blocks. Both
  /// must outlive the run.
  void load(const ProgramTable& plans, BlockMemory* memory = nullptr);
  /// Starts `collective` at `node`, which is a source and has its message, `payload`, in cycle
  /// `now`.
  void start(NodeId node, int collective, tlm::tlm_generic_payload& payload, Cycle now) {
    begin(node, collective, &payload, now);
  }
  /// Starts `collective`, one of blocks, at `node`, which takes part in it from cycle `now` on.
  void start(NodeId node, int collective, Cycle now) { begin(node, collective, nullptr, now); }

  /// `collective` starts at `node` in `cycle`.
  struct TimedStart {
    Cycle cycle = 0;
    NodeId node{};
    int collective = 0;
    Cycle wakes = never;  ///< of this start and the later ones of its node: the first that sends
  };
  /// The message with which a node starts a collective, acquired once.
  using MakeMessage = std::function<tlm::tlm_generic_payload&(NodeId node, int collective)>;
  /// After load(): each of `starts`, in the order of cycles, starts its collective in its cycle,
  /// before what the node receives in that cycle; `make` is asked for the messages of those that
  /// are not of blocks.
  void arm(const std::vector<TimedStart>& starts, MakeMessage make);

  // Workload
  void reset() override;
  Cycle next_ready(NodeId node) const override;
  tlm::tlm_generic_payload& take_next(NodeId node, Cycle now) override;
  void on_message(NodeId node, tlm::tlm_generic_payload& message, Cycle now) override;
  bool depends_on_receptions() const override { return true; }

 private:
  struct Task {  // the rest of a node's plan for a collective, in the node's queue
    int collective = 0;
    std::uint32_t next_send = 0;
    std::uint32_t behind = 0;
    tlm::tlm_generic_payload* payload = nullptr;  // the message that it sends; null: blocks
    Cycle begun = 0;                              // when the node had it, or its first blocks
  };
  struct Queue {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  struct Turn {  // a task in its queue
    std::uint32_t task = 0;
    std::uint32_t before = 0;
  };
  bool has_blocks(int collective) const {
    return memory_ != nullptr && memory_->has_blocks(collective);
  }
  const std::vector<PlannedSend>& sends(NodeId node, int collective) const {
    return plans_->sends(node, static_cast<std::size_t>(collective));
  }
  void begin(NodeId node, int collective, tlm::tlm_generic_payload* payload, Cycle now);
  tlm::tlm_generic_payload* keep(int collective, tlm::tlm_generic_payload& payload);
  void append(NodeId node, const Task& task);
  bool is_ready(NodeId node, const Task& task) const;
  bool sends_at_once(const TimedStart& start) const;
  Cycle next_start(NodeId node) const;
  void admit(NodeId node, Cycle now);
  Turn ready_task(NodeId node) const;
  void end(Queue& queue, const Turn& turn);
  tlm::tlm_generic_payload& message_of(NodeId node, const Task& task, const PlannedSend& send);
  Cycle created(NodeId node, const Task& task, const PlannedSend& send) const;

  MessagePool& pool_;
  const MessageBytes bytes_;
  const StopFlag stop_;
  const ProgramTable* plans_ = nullptr;
  BlockMemory* memory_ = nullptr;
  Inbox inbox_;                                    // of collectives with joins
  std::vector<tlm::tlm_generic_payload*> shared_;  // by collective, acquired
  std::vector<bool> has_begun_;                    // by node, then collective
  std::vector<Queue> queues_;                      // by node, in the order in which they began
  std::vector<Task> tasks_{1};                     // entry 0 is unused
  std::uint32_t free_task_ = 0;
  std::vector<std::deque<TimedStart>> starts_;  // by node, in order; empty: there are none
  MakeMessage make_;
};

}  // namespace allport
