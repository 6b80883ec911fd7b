// SPDX-License-Identifier: Apache-2.0
// A WormRequest is what a node asks of the fabric of worms.
#pragma once

#include "rtl_model/base/via_list.h"
#include "rtl_model/router/flit.h"
#include "rtl_model/topology/message_kind.h"

namespace allport {

/// A message to be sent: of any kind, of a join or join-tree a contribution.
struct WormRequest {
  MessageId message = no_message;  ///< the same for all contributions to a join
  NodeId source{};
  NodeId destination{};  ///< of a join its root; a tree or path has none
  TieMask ties = 0;
  int flits = 1;
  Cycle start = 0;  ///< its head may be on the injection channel from this cycle on
  int port = -1;    ///< its injection channel, 0, 1, ..; -1: of a unicast that of injection_port()
  MessageKind kind = MessageKind::unicast;
  DimensionMask group = 0;  ///< of a tree or join: its free dimensions; 0: all
  int message_class = 0;    ///< 0 .. C - 1
  ViaList via{};            ///< multidestination, label: the destinations before the last one

  /// The root of a tree or join.
  NodeId root() const { return is_join(kind) ? destination : source; }
};

/// A message that waits at its node, or is on its way onto the injection channel.
struct WormQueued {
  MessageId message = no_message;
  bool is_at_head = true;  ///< whether none of its flits has left
  Cycle start = 0;         ///< its head may be on the channel from this cycle on
};

}  // namespace allport
