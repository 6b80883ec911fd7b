// SPDX-License-Identifier: Apache-2.0
// A QuiescentFabric is a fabric in which nothing can move any more, as the search for a deadlock
// reads it: routers, whatever their model is, and the queues before their injection channels.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rtl_model/systemc/router_state.h"
#include "rtl_model/topology/routing.h"

namespace allport {

class QuiescentFabric {
 public:
  /// A message whose tail is not on its injection channel.
  struct Queued {
    MessageId message = no_message;
    bool is_at_head = true;  ///< whether none of its flits has left
    Cycle start = 0;         ///< its head may be on the channel from this cycle on
  };

  virtual ~QuiescentFabric() = default;

  virtual const Routing& routing() const = 0;
  virtual const RouterConfig& config() const = 0;
  virtual const RouterState& state(NodeId node) const = 0;
  /// The messages of `message_class` at injection channel `port` of `node`, in their order.
  virtual std::vector<Queued> queue(NodeId node, int port, int message_class) const = 0;
  /// The last cycle in which a flit moved.
  virtual Cycle last_movement() const = 0;
  /// The cycle from which no flit of the router of `node` has moved; `otherwise` if it is not
  /// known.
  virtual Cycle still_since(NodeId node, Cycle otherwise) const = 0;

  /// What a node's client waits for before it takes anything of `message_class` out of its
  /// reception buffer: messages that have not been received; if there are none, it may do so at any
  /// time. None: nodes take every flit at once.
  virtual std::optional<std::vector<MessageId>> awaited(NodeId /*node*/,
                                                        int /*message_class*/) const {
    return std::nullopt;
  }
  /// Where awaited() says something: the VCs of `output` that the head at the front of `input_vc`
  /// may be given, one bit each.
  virtual std::uint32_t candidates(NodeId /*node*/, int /*input_vc*/, int /*output*/) const {
    return 0;
  }
  /// The outputs one of which that head needs, where it waits at `output`.
  virtual PortMask alternatives(NodeId /*node*/, int /*input_vc*/, int output) const {
    return PortMask{1} << output;
  }

  /// The cycle to which a deadlock is dated: the longest round trip of a credit (2 + 2d, on
  /// channels as wide as a flit, and x), r, c, a and v after the last movement, with retry 2D more.
  Cycle deadlock_cycle() const {
    return last_movement() + config().longest_round_trip() + config().replication_delay +
           config().combine_delay + config().head_delay() + 2 * config().longest_replay();
  }
};

}  // namespace allport
