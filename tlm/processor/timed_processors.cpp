// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/timed_processors.h"

#include <algorithm>
#include <string>

#include "tlm/message/message.h"

namespace allport {

TimedProcessors::TimedProcessors(const sc_core::sc_module_name& name, const CycleClock& clock,
                                 Timekeeper& keeper, std::size_t nodes, std::size_t sockets)
    : sc_module(name), clock_(clock), keeper_(keeper), turn_at_(nodes + 1, never) {
  for (std::size_t i = 0; i < sockets; ++i) {
    sockets_.push_back(std::make_unique<Socket>(("socket_" + std::to_string(i)).c_str()));
    sockets_.back()->bind(*this);
  }
  SC_HAS_PROCESS(TimedProcessors);
  SC_METHOD(on_timer);
  sensitive << timer_;
  dont_initialize();
}

void TimedProcessors::reset() {
  std::fill(turn_at_.begin(), turn_at_.end(), never);
  turns_ = {};
  timer_at_ = never;
  settling_.reset();
  timer_.cancel();
}

tlm::tlm_sync_enum TimedProcessors::nb_transport_bw(tlm::tlm_generic_payload& message,
                                                    tlm::tlm_phase& phase, sc_core::sc_time&) {
  const MessageExtension& extension = *message_extension(message);
  const Cycle now = clock_.cycle();
  if (phase == tlm::END_REQ) {
    if (keeper_.observes_sent()) {
      keeper_.on_sent(extension.source, message, now);
      expect(extension.source, now);
    }
    message.release();
    return tlm::TLM_ACCEPTED;
  }
  settling_.settle(now);
  keeper_.on_arrival(extension.receiver, message, now);
  expect(extension.receiver, now);
  return tlm::TLM_ACCEPTED;
}

void TimedProcessors::send(NodeId node, tlm::tlm_generic_payload& message, Cycle preparation) {
  MessageExtension& extension = *message_extension(message);
  extension.source = node;
  extension.preparation = preparation;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum answer = socket(node)->nb_transport_fw(message, phase, delay);
  if (answer == tlm::TLM_COMPLETED) {
    SC_REPORT_FATAL("/allport/processor", "the fabric refused a message of a task or program");
  }
  if (answer == tlm::TLM_UPDATED) message.release();  // END_REQ came at once
}

void TimedProcessors::have(tlm::tlm_generic_payload& message) {
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket(message_extension(message)->receiver)->nb_transport_fw(message, phase, delay);
}

void TimedProcessors::on_timer() {
  if (settling_.must_wait(clock_.cycle())) {
    next_trigger(sc_core::SC_ZERO_TIME);
    return;
  }
  act();
}

// Until everything is done the timer need not be set for the present cycle.
void TimedProcessors::act() {
  const Cycle present = clock_.cycle();
  timer_at_ = present;
  while (!turns_.empty() && turns_.top().cycle <= present) {
    const Turn turn = turns_.top();
    turns_.pop();
    if (turn_at_[index(turn.node)] != turn.cycle) continue;  // it has acted since
    turn_at_[index(turn.node)] = never;
    const Cycle next = keeper_.act(turn.node, present, *this);
    if (next != never) expect(turn.node, next);
  }
  timer_at_ = never;
  set_timer();
}

void TimedProcessors::expect(NodeId node, Cycle cycle) {
  if (turn_at_[index(node)] <= cycle) return;
  turn_at_[index(node)] = cycle;
  turns_.push({cycle, node});
  set_timer();
}

void TimedProcessors::set_timer() {
  if (turns_.empty() || turns_.top().cycle >= timer_at_) return;
  timer_at_ = turns_.top().cycle;
  timer_.cancel();
  const auto ahead = clock_.ahead(std::max<Cycle>(timer_at_ - clock_.cycle(), 0));
  if (ahead) timer_.notify(*ahead);
}

}  // namespace allport
