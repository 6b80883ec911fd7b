// SPDX-License-Identifier: Apache-2.0
// A Timekeeper is for processors that keep their own time: it says what they do when, for all nodes
// of a machine, behind the module that has their sockets and timer (timed_processors.h). Tasks,
// programs and node models are timekeepers; the plain rule of processor_rule.h needs none.
#pragma once

#include <tlm>

#include "rtl_model/base/ids.h"

namespace allport {

/// What a timekeeper can do in the present cycle.
class ProcessorHands {
 public:
  virtual ~ProcessorHands() = default;
  /// Begins to prepare `message` at `node`, for `preparation` cycles, in the present cycle.
  virtual void send(NodeId node, tlm::tlm_generic_payload& message, Cycle preparation) = 0;
  /// Ends the reception of `message`: its processor has it. It is released unless it was acquired.
  virtual void have(tlm::tlm_generic_payload& message) = 0;
  /// Makes `node` act in `cycle`, the present one or a later one, at the latest.
  virtual void expect(NodeId node, Cycle cycle) = 0;
};

class Timekeeper {
 public:
  virtual ~Timekeeper() = default;

  virtual void reset() = 0;
  /// Notes that the tail of `message` is on an ejection channel of `node` in cycle `now`. The
  /// timekeeper calls ProcessorHands::have() when the processor has it.
  virtual void on_arrival(NodeId node, tlm::tlm_generic_payload& message, Cycle now) = 0;
  /// Whether it wants to know when messages have left.
  virtual bool observes_sent() const = 0;
  /// Notes that the tail of `message` is on an injection channel of `node` in cycle `now`.
  virtual void on_sent(NodeId node, tlm::tlm_generic_payload& message, Cycle now) = 0;
  /// Does what is due at `node` in cycle `now`, when all tails of the cycle have come; returns the
  /// cycle in which it must be called next, unless something comes earlier; never: in none.
  virtual Cycle act(NodeId node, Cycle now, ProcessorHands& hands) = 0;
};

}  // namespace allport
