// SPDX-License-Identifier: Apache-2.0
// The header of a message wherever it is kept: in a processor's program, in its transaction, in the
// message log. Its source and its last destination are kept beside the header.
#pragma once

#include "rtl_model/base/ids.h"
#include "rtl_model/base/via_list.h"
#include "rtl_model/topology/message_kind.h"

namespace allport {

struct MessageHeader {
  MessageKind kind = MessageKind::unicast;
  TieMask ties = 0;    ///< dimensions whose exact tie goes in the - direction
  ViaList via{};       ///< multidestination: the destinations before the last one
  int order = 0;       ///< position in the sender's program
  int collective = 0;  ///< number of the collective to which it belongs, in the run

  MessageHeader& header() { return *this; }
  const MessageHeader& header() const { return *this; }
};

}  // namespace allport
