// SPDX-License-Identifier: Apache-2.0
// A user names a message by its sender, a receiver and its place in the sender's program. These
// functions say whether a received message has that name, and how far its own name is from it.
#pragma once

#include <cstdint>
#include <tuple>

#include "rtl_model/topology/message_kind.h"
#include "testbench/results/message_name.h"

namespace allport {

/// Whether `name` means the message of `kind` that has the place `order` in the program of `sender`
/// and was received by `receiver`. Without a receiver it means a tree or path worm.
inline bool names(const MessageName& name, MessageKind kind, NodeId sender, NodeId receiver,
                  int order) {
  return name.u == sender && name.order == order &&
         (name.v ? *name.v == receiver : goes_to_all(kind));
}

/// How far the name of a received message is from `name`: by sender, then receiver, then place in
/// the program.
inline auto distance(const MessageName& name, NodeId sender, NodeId receiver, int order) {
  const auto far = [](auto a, auto b) { return a < b ? b - a : a - b; };
  return std::make_tuple(far(index(sender), index(name.u)),
                         name.v ? far(index(receiver), index(*name.v)) : 0,
                         far(std::int64_t{order}, std::int64_t{name.order}));
}

}  // namespace allport
