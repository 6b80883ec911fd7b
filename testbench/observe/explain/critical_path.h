// SPDX-License-Identifier: Apache-2.0
// The critical path of a collective (docs/explain.md, section 3) leads from the reception that
// completes it last, over the receptions on which the messages depend, back to its start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "testbench/observe/explain/walk.h"
#include "testbench/plan/planned_collective.h"

namespace allport {

/// A message that a processor has.
struct Reception {
  MessageId message = no_message;
  NodeId receiver{};
  int port = 0;    ///< internal port
  Cycle head = 0;  ///< on the ejection channel
  Cycle tail = 0;
  Cycle has = 0;                   ///< the processor has it
  MessageId awaited = no_message;  ///< that which was sent before it and came last, if after it
  /// The latency of its receiver, if this has with it all that its collective owes it; -1: it does
  /// not, or had it before.
  Cycle completes = -1;
};

/// Which reception a message waited for.
class Dependencies {
 public:
  /// All references must outlive it.
  Dependencies(const std::vector<Reception>& receptions,
               const std::vector<PlannedCollective>& collectives, const MessageLog& log);

  /// The reception with which `node` had what the message depends on that it sent, or contributed
  /// to; of several in one cycle that of the lowest sender and order. Null: it had that from the
  /// start.
  const Reception* before(MessageId message, NodeId node) const;

 private:
  bool is_needed(MessageId received, const MessageRecord& sent) const;
  const Unicast& unicast_of(const MessageRecord& record) const;

  const std::vector<Reception>& receptions_;
  const std::vector<PlannedCollective>& collectives_;
  const MessageLog& log_;
  std::vector<std::size_t> order_;  // receptions by collective, receiver, cycle, sender, order
  // By collective with blocks or joins: its unicasts by sender and order.
  std::vector<std::unordered_map<std::uint64_t, const Unicast*>> unicasts_;
};

/// Where the path goes on from a message of `node` whose cycles `waits`, the last ones first, are
/// known: tells one by one for what it waited at its processor, and cuts that off where the sender
/// was idle, since the message due next was not ready. Returns the message whose dependency counts.
MessageId cut_idle(MessageId message, NodeId node, const MessageLog& log,
                   const ProcessorLog& processors, Waits::List& waits);

}  // namespace allport
