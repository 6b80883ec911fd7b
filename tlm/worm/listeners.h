// SPDX-License-Identifier: Apache-2.0
// These classes hear the events in the fabric of worms.
#pragma once

#include <cstdint>

#include "rtl_model/router/flit.h"
#include "tlm/worm/state.h"

namespace allport {

/// The tail of a worm is on ejection channel `port` of its destination.
struct WormReception {
  MessageId message = no_message;
  std::uint32_t destination = 0;
  int port = 0;
  Cycle injected = 0;  ///< cycle of the head on the injection channel
  Cycle head = 0;      ///< cycle of the head on the ejection channel
  Cycle tail = 0;      ///< cycle of the tail on the ejection channel
};

/// Hears of the events on the channels at the moment at which they happen.
class WormListener {
 public:
  virtual ~WormListener() = default;
  /// The tail of `message` is on the injection channel of `node` in cycle `now`.
  virtual void on_sent(NodeId node, MessageId message, Cycle now) = 0;
  virtual void on_received(const WormReception& reception) = 0;
};

/// In router `node` `waiting` was kept off output `output` by `holding`, from cycle `first` on.
struct WormContention {
  NodeId node{};
  int output = 0;
  MessageId waiting = no_message;
  MessageId holding = no_message;
  Cycle first = 0;
  Cycle cycles = 0;
  /// Of a head that waited for a virtual channel, its buffer, in a run that may stand still; -1.
  int input_vc = -1;
};

/// Hears of contention (docs/router.md) when it is over.
class WormContentionListener {
 public:
  virtual ~WormContentionListener() = default;
  virtual void on_contention(const WormContention& wait) = 0;
};

/// Hears of the flits that passages move (tlm/worm/state.h). `next` is the passage of the same worm
/// in the next router; null: there is none.
class WormMovementListener {
 public:
  virtual ~WormMovementListener() = default;
  /// Whether it may hear of all that a worm has moved when that is received, after what others have
  /// moved in later cycles.
  virtual bool may_hear_late() const { return false; }
  /// The head of `passage` has its virtual channel from cycle `now` on.
  virtual void on_granted(WormIndex id, const Passage& passage, const Passage* next, Cycle now) = 0;
  /// A flit leaves in every cycle from `now` on, until on_stop().
  virtual void on_start(WormIndex id, Cycle now) = 0;
  /// The last flit left in the cycle before `now`.
  virtual void on_stop(WormIndex id, Cycle now) = 0;
  /// One flit leaves in cycle `now`.
  virtual void on_move(WormIndex id, Cycle now) = 0;
  /// From cycle `from` on it did `periods` times what it had done in the `period` cycles before:
  /// bit i of `moves` says whether a flit left i + 1 cycles before `from`.
  virtual void on_slept(WormIndex id, std::uint64_t moves, Cycle period, Cycle periods,
                        Cycle from) = 0;
};

}  // namespace allport
