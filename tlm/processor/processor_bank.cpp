// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/processor_bank.h"

#include <algorithm>

namespace allport {

ProcessorBank::ProcessorBank(const sc_core::sc_module_name& name, const NodeConfig& config,
                             const CycleClock& clock, MessagePool& pool, std::size_t nodes)
    : sc_module(name),
      socket("socket"),
      config_(config),
      clock_(clock),
      pool_(pool),
      free_at_(nodes, 0),
      turn_at_(nodes, never) {
  socket.bind(*this);
  SC_HAS_PROCESS(ProcessorBank);
  SC_METHOD(on_timer);
  sensitive << timer_;
  dont_initialize();
}

void ProcessorBank::reset() {
  std::fill(free_at_.begin(), free_at_.end(), 0);
  std::fill(turn_at_.begin(), turn_at_.end(), never);
  receptions_.clear();
  turns_ = {};
  timer_.cancel();
  timer_at_ = never;
  settled_ = -1;
}

tlm::tlm_sync_enum ProcessorBank::nb_transport_bw(tlm::tlm_generic_payload& message,
                                                  tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (config_.tr > 0) {
    receptions_.push({now() + config_.tr, &message});
    set_timer();
    return tlm::TLM_ACCEPTED;
  }
  const auto node = static_cast<std::uint32_t>(index(message_extension(message)->receiver));
  settled_ = now();
  on_message(node, message);
  call(node);
  phase = tlm::END_RESP;
  return tlm::TLM_UPDATED;
}

// The fabric hands over all messages of a cycle in one go, before or after the timers of the same
// moment: a delta later they are there.
void ProcessorBank::on_timer() {
  timer_at_ = now();  // further calls in this cycle need no timer
  if (heeds_receptions() && settled_ != now()) {
    settled_ = now();
    next_trigger(sc_core::SC_ZERO_TIME);
    return;
  }
  act_all();
  timer_at_ = never;
  set_timer();
}

void ProcessorBank::act_all() {
  const Cycle present = now();
  while (!receptions_.empty() && receptions_.front().due <= present) {
    tlm::tlm_generic_payload& message = *receptions_.front().message;
    receptions_.pop();
    receive(message);
  }
  while (!turns_.empty() && turns_.top().cycle <= present) {
    const Turn turn = turns_.top();
    turns_.pop();
    if (turn_at_[turn.node] != turn.cycle) continue;  // it has acted since
    act(turn.node);
  }
}

void ProcessorBank::call(std::uint32_t node) {
  if (!heeds_receptions()) {
    act(node);
    return;
  }
  turn_at_[node] = now();
  turns_.push({now(), node});
  set_timer();
}

void ProcessorBank::act(std::uint32_t node) {
  const Cycle present = now();
  turn_at_[node] = never;
  Cycle ready = next_ready(node);
  while (free_at_[node] <= present && ready <= present) {
    free_at_[node] = present + config_.ts;
    send(node, take_next(node));
    ready = next_ready(node);
  }
  if (ready == never) return;
  turn_at_[node] = std::max(ready, free_at_[node]);
  turns_.push({turn_at_[node], node});
  set_timer();
}

void ProcessorBank::receive(tlm::tlm_generic_payload& message) {
  const auto node = static_cast<std::uint32_t>(index(message_extension(message)->receiver));
  message.acquire();  // END_RESP ends the transaction
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_fw(message, phase, delay);
  on_message(node, message);
  message.release();
  call(node);
}

void ProcessorBank::send(std::uint32_t node, tlm::tlm_generic_payload& message) {
  MessageExtension& extension = *message_extension(message);
  extension.source = node_id(node);
  extension.preparation = config_.ts;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (socket->nb_transport_fw(message, phase, delay) == tlm::TLM_COMPLETED) {
    SC_REPORT_FATAL("/allport/processor_bank", "the fabric refused a message of the program");
  }
  message.release();
}

void ProcessorBank::set_timer() {
  Cycle next = receptions_.empty() ? never : receptions_.front().due;
  if (!turns_.empty()) next = std::min(next, turns_.top().cycle);
  if (next >= timer_at_) return;
  timer_at_ = next;
  const auto ahead = static_cast<sc_dt::uint64>(std::max<Cycle>(next - now(), 0));
  timer_.cancel();
  timer_.notify(sc_core::sc_time::from_value(ahead * clock_.clock_period().value()));
}

}  // namespace allport
