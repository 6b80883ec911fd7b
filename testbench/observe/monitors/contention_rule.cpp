// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/contention_rule.h"

#include <algorithm>

#include "rtl_model/topology/group_routes.h"

namespace allport {

namespace {

// Whether routes of this kind are those of e-cube or dimension order; a tree worm's are, branch by
// branch.
bool follows_the_order(const MessageRecord& message) {
  return message.kind == MessageKind::unicast || message.kind == MessageKind::deposit ||
         message.kind == MessageKind::tree;
}

/// Follows a message from its source to an output.
class Way {
 public:
  Way(NodeId node, int output, const Routing& routing)
      : routing_(routing),
        node_(node),
        channel_{node, port_id(static_cast<std::size_t>(output))},
        is_external_(static_cast<std::size_t>(output) < routing.topology().port_count()) {}

  /// The external channels before the output, up to where it reaches the output for the first time.
  std::vector<Channel> of(const MessageRecord& message) {
    way_.clear();
    switch (message.kind) {
      case MessageKind::tree:
        return tree_path(routing_, message.source, node_);
      case MessageKind::path:
        follow_path_worm(message.source);
        break;
      case MessageKind::multidestination:
      case MessageKind::label:
        follow_list(message);
        break;
      case MessageKind::join:  // it is nobody's queue
      case MessageKind::join_tree:
        break;
      case MessageKind::unicast:
      case MessageKind::deposit:
        follow(routing_.path(message.source, message.destination, message.ties), true);
    }
    return way_;
  }

 private:
  // Whether it reaches the output by `channels`; `has_copies`: every node that a channel leads to
  // gets a copy.
  bool follow(const std::vector<Channel>& channels, bool has_copies) {
    return std::any_of(channels.begin(), channels.end(),
                       [&](Channel channel) { return follow(channel, has_copies); });
  }
  bool follow(Channel channel, bool has_copies) {
    if (is_external_ && channel == channel_) return true;
    way_.push_back(channel);
    const bool is_there = routing_.topology().neighbour(channel.node, channel.port) == node_;
    return !is_external_ && has_copies && is_there;
  }

  void follow_path_worm(NodeId source) {
    NodeId here = source;
    while (const std::optional<PortId> port = routing_.path_branch(here, source)) {
      if (follow(Channel{here, *port}, true)) return;
      here = *routing_.topology().neighbour(here, *port);
    }
  }

  // A copy is made at the end of a leg.
  void follow_list(const MessageRecord& message) {
    std::vector<NodeId> stops = message.via.nodes();
    stops.push_back(message.destination);
    NodeId here = message.source;
    for (const NodeId stop : stops) {
      const TieMask ties = here == message.source ? message.ties : 0;
      if (follow(routing_.path(here, stop, ties, message.kind), false)) return;
      if (!is_external_ && stop == node_) return;
      here = stop;
    }
  }

  const Routing& routing_;
  const NodeId node_;
  const Channel channel_;
  const bool is_external_;
  std::vector<Channel> way_;
};

}  // namespace

bool share_way(const MessageRecord& a, const MessageRecord& b, NodeId node, int output,
               const Routing& routing) {
  // Under a table two routes of one sender may part and meet again.
  const bool is_ordered =
      routing.table() == nullptr && follows_the_order(a) && follows_the_order(b);
  if (is_ordered && a.ties == b.ties) return true;
  Way way(node, output, routing);
  return way.of(a) == way.of(b);
}

bool share_way(const std::vector<Channel>& a, const std::vector<Channel>& b, NodeId node) {
  const auto has_come = [node](Channel channel) { return channel.node == node; };
  const auto end_a = std::find_if(a.begin(), a.end(), has_come);
  const auto end_b = std::find_if(b.begin(), b.end(), has_come);
  return std::equal(a.begin(), end_a, b.begin(), end_b);
}

}  // namespace allport
