// SPDX-License-Identifier: Apache-2.0
// What the head flit of a message asks the routers to do (docs/router.md, message kinds).
#pragma once

#include <cstdint>

namespace allport {

enum class MessageKind : std::uint8_t {
  unicast,  ///< to one destination
  deposit,  ///< unicast, and every node on the way receives a copy (intermediate reception)
  tree,     ///< replication tree of the source, received by every other node [Jeon01]
};

}  // namespace allport
