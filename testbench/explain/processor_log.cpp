// SPDX-License-Identifier: Apache-2.0
#include "testbench/explain/processor_log.h"

namespace allport {

ProcessorLog::ProcessorLog(const MessageLog& log, std::size_t nodes)
    : log_(log), before_(log.size(), no_message) {
  std::vector<MessageId> last(nodes, no_message);
  for (const Sending& one : log.sendings()) {
    MessageId& previous = last[index(one.node)];
    if (is_join(log[one.message].kind)) {
      before_contributions_[key_at(one.message, one.node)] = previous;
    } else {
      before_[static_cast<std::size_t>(one.message)] = previous;
    }
    previous = one.message;
  }
}

MessageId ProcessorLog::before(MessageId message, NodeId node) const {
  if (!is_join(log_[message].kind)) return before_[static_cast<std::size_t>(message)];
  return before_contributions_.at(key_at(message, node));
}

}  // namespace allport
