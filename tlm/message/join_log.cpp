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

bool JoinLog::note(NodeId node, NodeId root, const MessageHeader& header, MessageId id) {
  Joins& joins = joins_[name_of(root, header)];
  const std::size_t place = joins.contributions[node]++;
  if (place == joins.ids.size()) {
    joins.ids.push_back(id);
    joins.named_after.push_back(node);
    return true;
  }
  NodeId& named_after = joins.named_after[place];
  if (named_after == root || (node != root && index(named_after) < index(node))) return false;
  named_after = node;
  return true;
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
