// SPDX-License-Identifier: Apache-2.0
// An Injector is the sending end of one virtual channel of an injection channel, that of a message
// class: an unbounded queue of messages in the order of the processor's program, sent flit by flit.
// A head is on the channel in cycle max(prepared + jitter, the cycle after the previous tail), if
// no other class has its turn; with B credits outstanding it waits for one. The demands of the
// switching mode hold here too: a head may need room for its whole message, and the body of a
// circuit waits for the acknowledgement behind its head.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tlm>

#include "rtl_model/router/switching.h"
#include "tlm/interface/ring_queue.h"
#include "tlm/message/message.h"

namespace allport {

class Injector {
 public:
  /// `flit_bytes`: bytes on the data lines of a flit, 1 .. 8; `credits`: the depth B of the buffer
  /// beyond.
  /// `carries_length`: whether heads carry the length of their message.
  Injector(int flit_bytes, int credits, Switching switching = Switching::wormhole,
           bool carries_length = false);

  void reset();
  /// The bytes that the flits of a message carry behind those of its list of destinations; they
  /// outlive its request.
  struct Data {
    const unsigned char* first = nullptr;
    std::size_t bytes = 0;
  };
  /// Queues `message`, of `flits` flits that carry `data`, whose head may be on the channel from
  /// cycle `start` on.
  void push(tlm::tlm_generic_payload& message, Cycle start, int flits, Data data);
  /// The same for flits that carry the payload of the message itself.
  void push(tlm::tlm_generic_payload& message, Cycle start, int flits) {
    push(message, start, flits, {message.get_data_ptr(), message.get_data_length()});
  }
  bool is_empty() const { return queue_.empty(); }

  struct Pending {
    tlm::tlm_generic_payload* message = nullptr;
    Cycle start = 0;
    int flits = 0;
    Data data;
  };
  /// The number of messages that have flits here.
  std::size_t queue_size() const { return queue_.size(); }
  /// The message at `place` of the queue; the first one may be on its way.
  const Pending& queued(std::size_t place) const { return queue_.at(place); }
  /// Whether the next flit is a head.
  bool is_at_head() const { return next_flit_ == 0; }
  /// Takes a credit; returns whether the next flit lacked it.
  bool accept_credit() { return credits_++ < needed_credits_; }
  /// Notes that the circuit of the message being sent is complete.
  void accept_ack() { needed_credits_ = 1; }

  /// The cycle from which the next flit may be on the channel.
  Cycle next_start() const {
    const Cycle after_last = last_cycle_ + 1;
    return next_flit_ == 0 ? std::max(queue_.front().start, after_last) : after_last;
  }
  /// Whether the next flit may be on the channel in cycle `now`.
  bool can_send(Cycle now) const {
    return credits_ >= needed_credits_ && !queue_.empty() && next_start() <= now;
  }
  /// Puts the next flit on the channel in cycle `now`; if it is the tail, the queue advances.
  Flit send(Cycle now);
  /// The message whose tail was sent last; the caller ends its request.
  tlm::tlm_generic_payload& sent_message() const { return *sent_message_; }

 private:
  std::uint64_t payload(const Data& carried) const;
  void fill_header(Flit& head, const tlm::tlm_generic_payload& message, int flits) const;
  void prepare_next(bool is_head_sent);

  int flit_bytes_;
  int initial_credits_;
  Switching switching_;
  bool carries_length_;
  int credits_;
  int needed_credits_ = 1;  // for the next flit; more than there can be: it waits for an ack
  int next_flit_ = 0;
  int list_flits_ = 0;  // of the message being sent: those before its payload's
  Cycle last_cycle_ = -1;
  RingQueue<Pending> queue_;
  MessageId id_ = no_message;  // the message being sent
  tlm::tlm_generic_payload* sent_message_ = nullptr;
};

}  // namespace allport
