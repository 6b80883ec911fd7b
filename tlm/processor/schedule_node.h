// SPDX-License-Identifier: Apache-2.0
// A processor that runs its part of planned collectives: when it has the message of a collective,
// it sends it on to the nodes its program names, in the program's order. In a collective of blocks
// each message of the program waits until the node has the blocks it carries.
#pragma once

#include <vector>

#include "tlm/processor/block_memory.h"
#include "tlm/processor/node.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// One message of a node's program.
struct PlannedSend {
  NodeId destination{};
  MessageKind kind = MessageKind::unicast;
  TieMask ties = 0;
  int order = 0;     ///< position in the program
  Cycle jitter = 0;  ///< delay at the injection port
  ViaList via{};     ///< multidestination: the destinations before that one
  /// The unicast it carries out, where that carries blocks; none: the whole message.
  const Unicast* unicast = nullptr;
  int after = 0;  ///< of a sum: how many receptions it contains
};

/// Makes `message` the one that `send` plans for `collective`, begun in cycle `now`; its bytes are
/// the caller's.
void address(tlm::tlm_generic_payload& message, const PlannedSend& send, int collective, Cycle now);

/// What each node sends in each collective of a run.
class ProgramTable {
 public:
  ProgramTable(std::size_t nodes, std::size_t collectives);
  std::vector<PlannedSend>& sends(NodeId node, std::size_t collective);
  const std::vector<PlannedSend>& sends(NodeId node, std::size_t collective) const;
  std::size_t collectives() const { return collectives_; }
  /// The message that `extension` belongs to, in its sender's program (which is in order).
  const PlannedSend& sent(const MessageExtension& extension) const;

 private:
  std::size_t collectives_;
  std::vector<std::vector<PlannedSend>> sends_;  // by node, then collective
};

class ScheduleNode final : public Node {
 public:
  using Node::Node;

  void reset() override;
  /// Loads the programs of the coming run; `memory` has the blocks of its collectives of blocks.
  void load(const ProgramTable& programs, BlockMemory* memory = nullptr);
  /// The node is a source of `collective` and has its message, `payload`, now.
  void start(int collective, tlm::tlm_generic_payload& payload);
  /// The node takes part in `collective`, of blocks, from now on.
  void start(int collective);

 protected:
  std::optional<Cycle> next_ready() const override;
  tlm::tlm_generic_payload& take_next() override;
  void on_message(tlm::tlm_generic_payload& message) override;
  bool heeds_receptions() const override { return true; }

 private:
  struct Task {  // the rest of a program, with the message it sends
    int collective = 0;
    std::size_t next = 0;
    tlm::tlm_generic_payload* payload = nullptr;  // none: blocks
  };
  void begin(int collective, tlm::tlm_generic_payload& payload);
  const PlannedSend& next_of(const Task& task) const;
  bool is_ready(const Task& task) const;
  tlm::tlm_generic_payload& message_of(const Task& task, const PlannedSend& send);

  const ProgramTable* programs_ = nullptr;
  BlockMemory* memory_ = nullptr;
  std::vector<Task> tasks_;      // in the order in which they began
  std::vector<bool> has_begun_;  // per collective
};

}  // namespace allport
