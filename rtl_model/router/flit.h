// SPDX-License-Identifier: Apache-2.0
// A Flit is the flow-control unit, as it appears on the wires of a channel. Header fields are valid
// in a head flit only. `message` is a side-band for observers: no router looks at it. It is plain
// C++; rtl_model/systemc/flit.h makes it a value of SystemC's signals.
#pragma once

#include <cstdint>

#include "rtl_model/base/ids.h"
#include "rtl_model/base/via_list.h"
#include "rtl_model/router/combine.h"
#include "rtl_model/topology/message_kind.h"

namespace allport {

/// Names a message to observers: its index in the run's message log.
enum class MessageId : std::uint32_t {};
constexpr MessageId no_message{0xffffffffU};

struct Flit {
  std::uint64_t data = 0;  ///< payload bytes, first byte lowest
  NodeId address{};        ///< header: the destination, or the source of a tree or path worm
  MessageId message = no_message;
  /// Header: dimensions whose exact tie goes in the - direction; of a label worm, the dimension of
  /// the hop that its sender chose, if it did; of a tree, join or join-tree, whose exact ties go +,
  /// the free dimensions of its group.
  TieMask ties = 0;
  ViaList via;  ///< header: the destinations of a multidestination or label worm after `address`
  std::uint16_t length = 0;  ///< header: flits of its message; 0 if the switching mode ignores it
  JoinTag join;              ///< header: of a join or join-tree, which one and what it computes
  MessageKind kind = MessageKind::unicast;  ///< header
  VcId vc{};                                ///< virtual channel on which it travels
  bool head = false;
  bool tail = false;  ///< a one-flit message has both

  /// Header of a tree, join or join-tree: the free dimensions of its group.
  DimensionMask free() const { return ties; }
};

}  // namespace allport
