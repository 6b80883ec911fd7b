// SPDX-License-Identifier: Apache-2.0
// The kind of a message is what its head flit asks the routers to do (docs/router.md, message
// kinds).
#pragma once

#include <array>
#include <cstdint>

#include "rtl_model/base/name_table.h"

namespace allport {

enum class MessageKind : std::uint8_t {
  unicast,  ///< to one destination
  deposit,  ///< unicast, and every node on the way receives a copy (intermediate reception)
  tree,     ///< replication tree of the source, received by every other node [Jeon01]
  multidestination,  ///< to the destinations of a list, one after another, a copy for each
  path,              ///< along the Gray code from its source, received by every other node
  label,             ///< multidestination, routed by the labels of a mesh [LinMcKinleyNi94]
  join,       ///< contributions of a group, which the routers combine on their way to its root
  join_tree,  ///< join whose result goes from the root back to the whole group as a tree
};

/// Names in schedule files and reports.
template <>
inline constexpr std::array<Named<MessageKind>, 8> name_table<MessageKind>{
    {{MessageKind::unicast, "unicast"},
     {MessageKind::deposit, "deposit"},
     {MessageKind::tree, "tree"},
     {MessageKind::multidestination, "multidestination"},
     {MessageKind::path, "path"},
     {MessageKind::label, "label"},
     {MessageKind::join, "join"},
     {MessageKind::join_tree, "join-tree"}}};
/// All kinds, in the order of their codes.
inline constexpr auto message_kinds = values_of<MessageKind>();

/// Whether a message of this kind is combined from the contributions of a group.
constexpr bool is_join(MessageKind kind) {
  return kind == MessageKind::join || kind == MessageKind::join_tree;
}

/// Whether a message of this kind is of a group, which its header names by root and free
/// dimensions.
constexpr bool has_group(MessageKind kind) { return kind == MessageKind::tree || is_join(kind); }

/// Whether a message of this kind goes to every node but its source, a tree worm to those of its
/// group, and names no destination.
constexpr bool goes_to_all(MessageKind kind) {
  return kind == MessageKind::tree || kind == MessageKind::path;
}

/// Whether a message of this kind goes to the destinations of a list, which gets shorter on its
/// way.
constexpr bool goes_by_list(MessageKind kind) {
  return kind == MessageKind::multidestination || kind == MessageKind::label;
}

}  // namespace allport
