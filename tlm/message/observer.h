// SPDX-License-Identifier: Apache-2.0
// A MessageObserver hears the events that can be observed at the network interfaces.
#pragma once

#include <tlm>

#include "tlm/message/message.h"

namespace allport {

class MessageObserver {
 public:
  virtual ~MessageObserver() = default;
  /// The tail of `message` is on the ejection channel (extension: receiver, head, tail).
  virtual void on_delivered(const tlm::tlm_generic_payload& message,
                            const MessageExtension& extension) = 0;
  /// The receiver's processor has `message` in cycle `now`.
  virtual void on_received(const MessageExtension& extension, Cycle now) = 0;
};

}  // namespace allport
