// SPDX-License-Identifier: Apache-2.0
#include "testbench/explain/processor_log.h"

namespace allport {

// Messages are numbered in the order in which their senders begin them.
ProcessorLog::ProcessorLog(const MessageLog& log, std::size_t nodes) : log_(log) {
  std::vector<MessageId> last(nodes, no_message);
  before_.reserve(log.size());
  for (std::size_t i = 0; i < log.size(); ++i) {
    const auto id = static_cast<MessageId>(i);
    MessageId& previous = last[index(log[id].source)];
    before_.push_back(previous);
    previous = id;
  }
}

}  // namespace allport
