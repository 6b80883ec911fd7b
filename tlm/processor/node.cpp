// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/node.h"

#include <algorithm>
#include <limits>

namespace allport {

Node::Node(const sc_core::sc_module_name& name, const NodeConfig& config, const CycleClock& clock,
           MessagePool& pool, NodeId node)
    : sc_module(name), socket("socket"), config_(config), clock_(clock), pool_(pool), node_(node) {
  socket.bind(*this);
  SC_HAS_PROCESS(Node);
  SC_METHOD(on_timer);
  sensitive << timer_;
  dont_initialize();
}

void Node::reset() {
  free_at_ = 0;
  receptions_.clear();
  timer_.cancel();
  settled_ = -1;
}

tlm::tlm_sync_enum Node::nb_transport_bw(tlm::tlm_generic_payload& message, tlm::tlm_phase& phase,
                                         sc_core::sc_time&) {
  if (phase == tlm::END_REQ) {
    message.release();
    return tlm::TLM_ACCEPTED;
  }
  if (config_.tr > 0) {
    receptions_.push({now() + config_.tr, &message});
    set_timer();
    return tlm::TLM_ACCEPTED;
  }
  settled_ = now();
  on_message(message);
  call();
  phase = tlm::END_RESP;
  return tlm::TLM_UPDATED;
}

// The fabric hands over all messages of a cycle in one go, before or after the timers of the same
// moment: a delta later they are there.
void Node::on_timer() {
  if (heeds_receptions() && settled_ != now()) {
    settled_ = now();
    next_trigger(sc_core::SC_ZERO_TIME);
    return;
  }
  act();
}

void Node::call() {
  if (!heeds_receptions()) {
    act();
  } else if (!is_acting_) {
    timer_.notify(sc_core::SC_ZERO_TIME);
  }
}

// Does what is due in the present cycle and sets the timer for what comes next.
void Node::act() {
  if (is_acting_) return;  // a message sent in the course of another action
  is_acting_ = true;
  const Cycle present = now();
  while (!receptions_.empty() && receptions_.front().due <= present) {
    tlm::tlm_generic_payload& message = *receptions_.front().message;
    receptions_.pop();
    receive(message);
  }
  while (free_at_ <= present) {
    const std::optional<Cycle> ready = next_ready();
    if (!ready || *ready > present) break;
    free_at_ = present + config_.ts;
    send(take_next());
  }
  is_acting_ = false;
  set_timer();
}

void Node::receive(tlm::tlm_generic_payload& message) {
  message.acquire();  // END_RESP ends the transaction
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_fw(message, phase, delay);
  on_message(message);
  message.release();
}

void Node::send(tlm::tlm_generic_payload& message) {
  message_extension(message)->preparation = config_.ts;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (socket->nb_transport_fw(message, phase, delay) == tlm::TLM_COMPLETED) {
    SC_REPORT_FATAL("/allport/node", "the network interface refused a message of the program");
  }
}

void Node::set_timer() {
  constexpr Cycle never = std::numeric_limits<Cycle>::max();
  Cycle next = receptions_.empty() ? never : receptions_.front().due;
  if (const std::optional<Cycle> ready = next_ready()) {
    next = std::min(next, std::max(*ready, free_at_));
  }
  if (next == never) return;
  const auto ahead = static_cast<sc_dt::uint64>(std::max<Cycle>(next - now(), 0));
  timer_.cancel();
  timer_.notify(sc_core::sc_time::from_value(ahead * clock_.clock_period().value()));
}

}  // namespace allport
