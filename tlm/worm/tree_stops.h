// SPDX-License-Identifier: Apache-2.0
// tree_stops() gives the routers on the way of a message that several nodes send or receive, with
// the channels that it takes there (docs/router.md, kinds of messages; docs/joins.md, edges).
#pragma once

#include <cstdint>
#include <vector>

#include "rtl_model/router/router_config.h"
#include "tlm/worm/request.h"

namespace allport {

/// A channel by which a message leaves a router.
struct TreeHop {
  std::uint8_t output = 0;
  std::uint16_t candidates = 1;  ///< virtual channels that its head may be given, one bit each; 0:
                                 ///< those of the class that it came by
  std::uint32_t to = 0;          ///< index of the stop beyond; none beyond an ejection channel
};

/// A router on its way. A join-tree has two stops in each router but that of its root.
struct TreeStop {
  NodeId node{};
  bool is_fed = false;               ///< whether flits come from the node itself
  std::vector<std::uint8_t> inputs;  ///< the local one first, if there is one, then by port
  std::vector<TreeHop> hops;         ///< by output
  int delay = 0;                     ///< cycles for which flits are held there
};

/// The stops of the message of `request`, which is no unicast and has a port: of a join one for
/// each router where it is combined, ascending; of others the source's first, and of those that are
/// no tree one behind the other.
std::vector<TreeStop> tree_stops(const WormRequest& request, const RouterConfig& config,
                                 const Routing& routing);

}  // namespace allport
