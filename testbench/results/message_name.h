// SPDX-License-Identifier: Apache-2.0
// A MessageName is what results call a message.
#pragma once

#include <optional>
#include <string>

#include "rtl_model/base/ids.h"
#include "rtl_model/topology/message_kind.h"
#include "rtl_model/topology/topology.h"

namespace allport {

/// What tells the joins to one root apart.
struct JoinName {
  MessageKind kind = MessageKind::join;
  DimensionMask free = 0;  ///< 0: all dimensions
  int tag = 0;
};

/// A message by name: `order` is its position in the program of its sender u. v is missing for a
/// tree or path worm. u and v of a join are its root, whose place is `order`; before the root has
/// contributed, two joins may have one place, so `join` says which of them it is.
struct MessageName {
  NodeId u{};
  std::optional<NodeId> v;
  int order = 0;
  std::optional<JoinName> join{};
};

bool operator==(const MessageName& a, const MessageName& b);

/// `5>9#0`, `5>all#0`, by the numbers of the nodes: the name in files.
std::string name_in_words(const MessageName& name);
/// The same by the names of the nodes, which are their numbers but on a graph: `a>d#0`.
std::string name_in_words(const MessageName& name, const Topology& topology);

}  // namespace allport
