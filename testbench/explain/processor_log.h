// SPDX-License-Identifier: Apache-2.0
// The order in which each processor prepares its messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "tlm/message/message_log.h"

namespace allport {

class ProcessorLog {
 public:
  /// `log` must outlive it, and not grow any more.
  ProcessorLog(const MessageLog& log, std::size_t nodes);

  /// The message that its sender prepared before `message`; no_message: that was the first one.
  MessageId before(MessageId message) const { return before_[static_cast<std::size_t>(message)]; }
  /// Calls `visit(blamed, first, cycles)` for the cycles from the creation of `message` until its
  /// sender begins to prepare it, the last ones first: the message that it prepares meanwhile, or,
  /// while it has nothing to prepare, the one of the same collective that is due next.
  template <class Visit>
  void visit_waits(MessageId message, Visit visit) const {
    const MessageRecord& waiting = log_[message];
    Cycle end = waiting.begun;
    MessageId due = message;
    for (MessageId one = before(message); end > waiting.created; one = before(one)) {
      const Cycle idle = one == no_message ? waiting.created : log_[one].prepared();
      const Cycle from = std::max(idle, waiting.created);
      if (from < end) visit(due, from, end - from);
      end = std::min(end, from);
      if (one == no_message || end <= waiting.created) return;
      const Cycle begun = std::max(log_[one].begun, waiting.created);
      if (begun < end) visit(one, begun, end - begun);
      end = std::min(end, begun);
      if (log_[one].collective == waiting.collective) due = one;
    }
  }

 private:
  const MessageLog& log_;
  std::vector<MessageId> before_;  // by message
};

}  // namespace allport
