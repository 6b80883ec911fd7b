// SPDX-License-Identifier: Apache-2.0
// An InjectionQueue is the order and the time of the flits that go onto one virtual channel of an
// injection channel: an unbounded queue of messages in the order of the processor's program, sent
// flit by flit. A head is on the channel from the start of its message and the cycle after the
// previous tail on, if no other class has its turn; with B credits outstanding a flit waits for
// one. The demands of the switching mode hold here too: a head may need room for its whole message,
// and the body of a circuit waits for the acknowledgement behind its head.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "rtl_model/base/ids.h"
#include "rtl_model/router/switching.h"
#include "tlm/interface/ring_queue.h"

namespace allport {

/// `Message` has its `flits` and the cycle `start`, from which its head may be on the channel.
template <class Message>
class InjectionQueue {
 public:
  /// `credits`: the depth B of the buffer beyond.
  InjectionQueue(int credits, Switching switching)
      : initial_credits_(credits), switching_(switching), credits_(credits) {}

  void reset() {
    queue_.clear();
    credits_ = initial_credits_;
    needed_credits_ = 1;
    next_flit_ = 0;
    last_cycle_ = -1;
  }
  void push(const Message& message) {
    queue_.push(message);
    if (queue_.size() == 1) prepare_next(false);
  }
  bool is_empty() const { return queue_.empty(); }
  /// The number of messages that have flits here.
  std::size_t size() const { return queue_.size(); }
  /// The message at `place` of the queue; the first one may be on its way.
  const Message& at(std::size_t place) const { return queue_.at(place); }
  const Message& front() const { return queue_.front(); }

  /// The number of the next flit within its message.
  int next_flit() const { return next_flit_; }
  /// Whether the next flit is a head, and a tail.
  bool is_at_head() const { return next_flit_ == 0; }
  bool is_at_tail() const { return next_flit_ + 1 == queue_.front().flits; }
  /// Takes a credit; returns whether the next flit lacked it.
  bool accept_credit() { return credits_++ < needed_credits_; }
  /// Notes that the circuit of the message being sent is complete.
  void accept_ack() { needed_credits_ = 1; }
  /// The cycle from which the next flit may be on the channel.
  Cycle next_start() const {
    const Cycle after_last = last_cycle_ + 1;
    return next_flit_ == 0 ? std::max<Cycle>(queue_.front().start, after_last) : after_last;
  }
  /// Whether the next flit may be on the channel in cycle `now`.
  bool can_send(Cycle now) const {
    return credits_ >= needed_credits_ && !queue_.empty() && next_start() <= now;
  }
  /// Notes that the next flit is on the channel in cycle `now`; if it is the tail, the queue
  /// advances.
  void send(Cycle now) {
    const bool is_head = is_at_head();
    const bool is_tail = is_at_tail();
    ++next_flit_;
    --credits_;
    last_cycle_ = now;
    if (is_tail) {
      next_flit_ = 0;
      queue_.pop();
    }
    if (switching_ != Switching::wormhole && (is_head || is_tail)) prepare_next(!is_tail);
  }

 private:
  // Sets what the next flit needs, in the modes that demand more than a credit.
  void prepare_next(bool is_head_sent) {
    if (is_head_sent && switching_ == Switching::circuit) {
      needed_credits_ = std::numeric_limits<int>::max();
    } else {
      const int flits = queue_.empty() ? 1 : queue_.front().flits;
      needed_credits_ = needed_credits(switching_, !is_head_sent, flits);
    }
  }

  int initial_credits_;
  Switching switching_;
  int credits_;
  int needed_credits_ = 1;  // for the next flit; more than there can be: it waits for an ack
  int next_flit_ = 0;
  Cycle last_cycle_ = -1;
  RingQueue<Message> queue_;
};

}  // namespace allport
