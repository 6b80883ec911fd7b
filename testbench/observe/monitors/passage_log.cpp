// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/passage_log.h"

#include <algorithm>

namespace allport {

void PassageLog::on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) {
  if (!flit.head && !flit.tail) return;
  const auto message = static_cast<std::size_t>(flit.message);
  if (message >= passages_.size()) passages_.resize(2 * message + 1);
  std::vector<ChannelPassage>& passages = passages_[message];
  const Channel channel{node, port_id(static_cast<std::size_t>(output))};
  if (flit.head) passages.push_back({channel, on_channel, flit.tail ? on_channel : -1});
  if (flit.head || !flit.tail) return;
  const auto begun = std::find_if(
      passages.rbegin(), passages.rend(),
      [&](const ChannelPassage& one) { return one.channel == channel && one.tail < 0; });
  if (begun != passages.rend()) begun->tail = on_channel;
}

const std::vector<ChannelPassage>& PassageLog::of(MessageId message) const {
  static const std::vector<ChannelPassage> none;
  const auto at = static_cast<std::size_t>(message);
  return at < passages_.size() ? passages_[at] : none;
}

}  // namespace allport
