// SPDX-License-Identifier: Apache-2.0
// A ProcessorLog keeps the order in which each processor prepares its messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tlm/message/message_log.h"

namespace allport {

class ProcessorLog {
 public:
  /// `log` must outlive it, and not grow any more.
  ProcessorLog(const MessageLog& log, std::size_t nodes);

  /// The message that `node` prepared before `message`, which it sent or contributed to;
  /// no_message: that was the first one.
  MessageId before(MessageId message, NodeId node) const;
  /// Calls `visit(blamed, first, cycles)` for the cycles from the creation of what `node` sent of
  /// `message` until it begins to prepare it, the last ones first: the message that it prepares
  /// meanwhile, or, while it has nothing to prepare, the one of the same collective that is due
  /// next.
  template <class Visit>
  void visit_waits(MessageId message, NodeId node, Visit visit) const {
    const MessageRecord& waiting = log_.sent(message, node);
    Cycle end = waiting.begun;
    MessageId due = message;
    for (MessageId one = message; end > waiting.created;) {
      one = before(one, node);
      const MessageRecord* const other = one == no_message ? nullptr : &log_.sent(one, node);
      const Cycle idle = other == nullptr ? waiting.created : other->prepared();
      const Cycle from = std::max(idle, waiting.created);
      if (from < end) visit(due, from, end - from);
      end = std::min(end, from);
      if (other == nullptr || end <= waiting.created) return;
      const Cycle begun = std::max(other->begun, waiting.created);
      if (begun < end) visit(one, begun, end - begun);
      end = std::min(end, begun);
      if (other->collective == waiting.collective) due = one;
    }
  }

 private:
  const MessageLog& log_;
  std::vector<MessageId> before_;  // by message; of a join it is nothing
  std::unordered_map<std::uint64_t, MessageId> before_contributions_;
};

}  // namespace allport
