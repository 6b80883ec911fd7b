// SPDX-License-Identifier: Apache-2.0
// This is the rule of a processor (docs/timing.md, section 4): it prepares its messages one after
// another, ts cycles each; it has a message tr cycles after its tail, however many come at once;
// and if what it sends depends on what it has received, it chooses when all receptions of the cycle
// are over. There is neither time nor a socket here: a Node and a Bank are two hosts of processors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <tlm>

#include "tlm/interface/ring_queue.h"
#include "tlm/processor/workload.h"

namespace allport {

struct NodeConfig {
  Cycle ts = 0;           ///< sender's latency: cycles to prepare a message
  Cycle tr = 0;           ///< receiver's latency: from the tail until the processor has it
  int flit_bytes = 4;     ///< payload bytes of a flit, 1 .. 64
  std::size_t bytes = 4;  ///< payload bytes of a message
  bool payload_is_symbolic = false;  ///< whether a few bytes stand for all of a message's
};

/// The sender's half of a processor; as small as a number, because there may be a million.
class Sender {
 public:
  /// The cycle in which it begins its next message, as far as is known now; never if nothing is
  /// ready.
  Cycle next(const Workload& workload, NodeId node) const {
    return next_of(workload.next_ready(node));
  }
  /// Begins in cycle `now` the messages that are ready while the processor is free, and hands each
  /// to `send`. Returns the same as next() then.
  template <class Send>
  Cycle begin_messages(Workload& workload, NodeId node, Cycle ts, Cycle now, Send send) {
    Cycle ready = workload.next_ready(node);
    while (free_at_ <= now && ready <= now) {
      free_at_ = now + ts;
      send(workload.take_next(node, now));
      ready = workload.next_ready(node);
    }
    return next_of(ready);
  }

 private:
  Cycle next_of(Cycle ready) const { return ready == never ? never : std::max(ready, free_at_); }

  Cycle free_at_ = 0;  // when the previous message is prepared
};

/// The receiver's half, for any number of processors.
class Receptions {
 public:
  /// Notes that the tail of `message` has come; its processor has it in cycle `due`, which must not
  /// be before those given earlier.
  void push(tlm::tlm_generic_payload& message, Cycle due) { queue_.push({due, &message}); }
  /// Removes a message that its processor has by cycle `now`; null if there is none.
  tlm::tlm_generic_payload* take(Cycle now) {
    if (next() > now) return nullptr;
    tlm::tlm_generic_payload* const message = queue_.front().message;
    queue_.pop();
    return message;
  }
  /// The cycle in which a processor has the next one; never if none is on its way.
  Cycle next() const { return queue_.empty() ? never : queue_.front().due; }
  void clear() { queue_.clear(); }

 private:
  struct Reception {
    Cycle due = 0;
    tlm::tlm_generic_payload* message = nullptr;
  };
  RingQueue<Reception> queue_;
};

/// Whether all receptions of the present cycle are over. A fabric hands over all messages of a
/// cycle in one go, before or after the timers of the same moment: one delta cycle later they have
/// all come.
class Settling {
 public:
  /// Notes that a message has been handed over in cycle `now`.
  void settle(Cycle now) { settled_ = now; }
  /// Whether a processor that chooses in cycle `now` must wait for a delta cycle; at most once per
  /// cycle.
  bool must_wait(Cycle now) { return settled_ != now && (settled_ = now, true); }
  void reset() { settled_ = -1; }

 private:
  Cycle settled_ = -1;
};

}  // namespace allport
