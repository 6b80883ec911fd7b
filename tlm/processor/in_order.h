// SPDX-License-Identifier: Apache-2.0
// An InOrder ends the receptions that the arrival of one message allows: its own, and those of
// messages that came before it and were sent after it.
#pragma once

#include <tlm>
#include <utility>

#include "tlm/message/message.h"
#include "tlm/processor/timekeeper.h"

namespace allport {

class InOrder {
 public:
  /// `arrived`: the message that has come; null: it stayed in the memory of its rank.
  explicit InOrder(tlm::tlm_generic_payload* arrived)
      : arrived_(arrived), id_(arrived == nullptr ? no_message : message_extension(*arrived)->id) {}

  /// Ends the reception of `message`, which is null from then on. A message that stayed in the
  /// memory of its rank has none.
  void have(tlm::tlm_generic_payload*& message, ProcessorHands& hands) const {
    if (message == nullptr) return;
    if (message != arrived_) message_extension(*message)->awaited = id_;
    hands.have(*std::exchange(message, nullptr));
  }

 private:
  const tlm::tlm_generic_payload* const arrived_;
  const MessageId id_;
};

}  // namespace allport
