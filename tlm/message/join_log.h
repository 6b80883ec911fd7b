// SPDX-License-Identifier: Apache-2.0
// A JoinLog has the joins of a run, each of which is one message for all observers, and the
// contributions to them. A join is named by its root, its group and its tag; if a node contributes
// to the same name again, it means the next join of that name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "rtl_model/router/flit.h"
#include "tlm/message/message_header.h"

namespace allport {

class JoinLog {
 public:
  /// The bytes that each node contributed, by node.
  using Contributions = std::map<NodeId, std::vector<unsigned char>>;

  /// The join of `root` to which the next contribution of `node` with this `header` belongs;
  /// no_message: it is the first contribution to that join.
  MessageId next(NodeId node, NodeId root, const MessageHeader& header) const;
  /// Notes that `node` contributes to join `id`. True: from now on the join is named after this
  /// contribution, because it is the root's own or, as long as that is missing, the one of the
  /// lowest node. So the name does not depend on which of two nodes was asked first in a cycle.
  bool note(NodeId node, NodeId root, const MessageHeader& header, MessageId id);
  /// Notes the bytes of that contribution.
  void contribute(MessageId id, NodeId node, const unsigned char* data, std::size_t bytes) {
    contributions_[id].emplace(node, std::vector<unsigned char>(data, data + bytes));
  }
  /// Whether `node` has contributed to join `id` of `root`, which has this `header`.
  bool has_contributed(MessageId id, NodeId node, NodeId root, const MessageHeader& header) const;
  /// The contributions to join `id` that have been begun.
  const Contributions& of(MessageId id) const { return contributions_.at(id); }
  void clear();

 private:
  using Name = std::tuple<NodeId, DimensionMask, MessageKind, std::uint16_t>;
  struct Joins {
    std::vector<MessageId> ids;
    std::vector<NodeId> named_after;              // the node after whose contribution each is named
    std::map<NodeId, std::size_t> contributions;  // of each node
  };
  static Name name_of(NodeId root, const MessageHeader& header) {
    return {root, header.group, header.kind, header.join.bits()};
  }

  std::map<Name, Joins> joins_;
  std::map<MessageId, Contributions> contributions_;
};

}  // namespace allport
