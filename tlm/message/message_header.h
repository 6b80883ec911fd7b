// SPDX-License-Identifier: Apache-2.0
// A MessageHeader is the header of a message wherever it is kept: in a processor's program, in its
// transaction, in the message log. Its source and its last destination are kept beside the header.
#pragma once

#include <cstdint>

#include "rtl_model/base/ids.h"
#include "rtl_model/base/via_list.h"
#include "rtl_model/router/combine.h"
#include "rtl_model/topology/message_kind.h"

namespace allport {

struct MessageHeader {
  MessageKind kind = MessageKind::unicast;
  /// Dimensions whose exact tie goes in the - direction; of a label worm, the dimension of its
  /// first hop, if the sender chose it.
  TieMask ties = 0;
  ViaList via{};            ///< multidestination, label: the destinations before the last one
  int order = 0;            ///< position in the sender's program
  int collective = 0;       ///< number of the collective to which it belongs, in the run
  DimensionMask group = 0;  ///< tree, join, join-tree: its free dimensions; 0: all
  JoinTag join{};           ///< join, join-tree: which one of its group, and what it computes
  /// Flits of its list of destinations (traffic/schedule/address_fields.h), before the payload's.
  int address_flits = 0;
  std::uint8_t message_class = 0;  ///< 0 .. C - 1

  MessageHeader& header() { return *this; }
  const MessageHeader& header() const { return *this; }
};

}  // namespace allport
