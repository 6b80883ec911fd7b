// SPDX-License-Identifier: Apache-2.0
#include "tlm/message/message_log.h"

namespace allport {

// Messages are numbered in the order in which their senders begin them.
std::vector<Sending> MessageLog::sendings() const {
  std::vector<Sending> list;
  const auto& contributions = contributions_.entries();
  auto next = contributions.begin();
  const auto add_contributions = [&](std::size_t before) {
    for (; next != contributions.end() && next->before <= before; ++next) {
      list.push_back({next->join, next->record.source});
    }
  };
  for (std::size_t i = 0; i < size(); ++i) {
    add_contributions(i);
    if (!is_join(records_[i].kind)) list.push_back({static_cast<MessageId>(i), records_[i].source});
  }
  add_contributions(size());
  return list;
}

}  // namespace allport
