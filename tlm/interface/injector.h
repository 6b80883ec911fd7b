// SPDX-License-Identifier: Apache-2.0
// An Injector is the sending end of one virtual channel of an injection channel, that of a message
// class: it makes flits of transactions, in the order and at the times of an InjectionQueue. The
// start of a message is the cycle prepared + jitter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tlm>

#include "rtl_model/base/fetch_ahead.h"
#include "rtl_model/router/switching.h"
#include "tlm/interface/injection_queue.h"
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
  bool is_empty() const { return queue_.is_empty(); }

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
  bool is_at_head() const { return queue_.is_at_head(); }
  /// Whether the next flit, of which there is one, is a tail.
  bool is_at_tail() const { return queue_.is_at_tail(); }
  /// Takes a credit; returns whether the next flit lacked it.
  bool accept_credit() { return queue_.accept_credit(); }
  /// Notes that the circuit of the message being sent is complete.
  void accept_ack() { queue_.accept_ack(); }

  /// The cycle from which the next flit may be on the channel.
  Cycle next_start() const { return queue_.next_start(); }
  /// Whether the next flit may be on the channel in cycle `now`.
  bool can_send(Cycle now) const { return queue_.can_send(now); }
  // For the cache, before send(); the second step needs what the first one fetches:
  void fetch_message() const {
    if (!is_empty()) fetch(&queue_.front());
  }
  void fetch_data() const {
    if (!is_empty()) fetch(queue_.front().data.first + queue_.next_flit() * flit_bytes_);
  }
  /// Puts the next flit on the channel in cycle `now`; if it is the tail, the queue advances.
  Flit send(Cycle now);
  /// The message whose tail was sent last; the caller ends its request.
  tlm::tlm_generic_payload& sent_message() const { return *sent_message_; }

 private:
  std::uint64_t payload(const Data& carried) const;
  void fill_header(Flit& head, const tlm::tlm_generic_payload& message, int flits) const;

  int flit_bytes_;
  bool carries_length_;
  int list_flits_ = 0;  // of the message being sent: those before its payload's
  InjectionQueue<Pending> queue_;
  MessageId id_ = no_message;  // the message being sent
  tlm::tlm_generic_payload* sent_message_ = nullptr;
};

}  // namespace allport
