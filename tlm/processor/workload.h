// SPDX-License-Identifier: Apache-2.0
// A Workload says what processors send, and what they do with what they receive. One workload
// serves all nodes of a machine; the rule of a processor (processor_rule.h) says who calls it and
// when. Processors that keep their own time have a Timekeeper instead (timekeeper.h).
#pragma once

#include <cstdint>
#include <tlm>

#include "rtl_model/base/ids.h"
#include "rtl_model/systemc/language.h"

namespace allport {

/// A cycle that never comes.
constexpr Cycle never = INT64_MAX;

/// The memory that holds the bytes of a message.
enum class MessageBytes : std::uint8_t {
  own,     ///< its own: a relay sends on the bytes that it received
  shared,  ///< that of the message sent first: for fabrics that do not touch bytes
};

class Workload {
 public:
  virtual ~Workload() = default;

  virtual void reset() = 0;
  /// The cycle from which the next message of `node` may be prepared; never if none is ready.
  virtual Cycle next_ready(NodeId node) const = 0;
  /// Takes the next message of `node`, begun in cycle `now`, out of the workload: a transaction
  /// that is acquired once and complete except for its source and preparation.
  virtual tlm::tlm_generic_payload& take_next(NodeId node, Cycle now) = 0;
  /// Notes that the processor of `node` has `message` (released after the call) in cycle `now`.
  virtual void on_message(NodeId node, tlm::tlm_generic_payload& message, Cycle now) = 0;
  /// Whether what is sent next depends on what has been received: such a processor chooses when all
  /// receptions of the cycle are over.
  virtual bool depends_on_receptions() const = 0;
};

}  // namespace allport
