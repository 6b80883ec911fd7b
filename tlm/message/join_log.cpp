// SPDX-License-Identifier: Apache-2.0
#include "tlm/message/join_log.h"

#include <algorithm>

namespace allport {

MessageId JoinLog::next(NodeId node, NodeId root, const MessageHeader& header) const {
  const auto found = joins_.find(name_of(root, header));
  if (found == joins_.end()) return no_message;
  const Joins& joins = found->second;
  const auto count = joins.contributions.find(node);
  const std::size_t place = count == joins.contributions.end() ? 0 : count->second;
  return place < joins.ids.size() ? joins.ids[place] : no_message;
}

void JoinLog::note(NodeId node, NodeId root, const MessageHeader& header, MessageId id) {
  Joins& joins = joins_[name_of(root, header)];
  if (++joins.contributions[node] > joins.ids.size()) joins.ids.push_back(id);
}

bool JoinLog::has_contributed(MessageId id, NodeId node, NodeId root,
                              const MessageHeader& header) const {
  const auto found = joins_.find(name_of(root, header));
  if (found == joins_.end()) return false;
  const auto count = found->second.contributions.find(node);
  if (count == found->second.contributions.end()) return false;
  const auto last = found->second.ids.begin() + static_cast<std::ptrdiff_t>(count->second);
  return std::find(found->second.ids.begin(), last, id) != last;
}

void JoinLog::clear() {
  joins_.clear();
  contributions_.clear();
}

}  // namespace allport
