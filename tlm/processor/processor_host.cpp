// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/processor_host.h"

#include "tlm/message/message.h"

namespace allport {

ProcessorHost::ProcessorHost(const sc_core::sc_module_name& name, const NodeConfig& config,
                             const CycleClock& clock, Workload& workload)
    : sc_module(name), socket("socket"), config_(config), clock_(clock), workload_(workload) {
  socket.bind(*this);
  SC_HAS_PROCESS(ProcessorHost);
  SC_METHOD(on_timer);
  sensitive << timer_;
  dont_initialize();
}

void ProcessorHost::reset() {
  receptions_.clear();
  settling_.reset();
  timer_.cancel();
}

tlm::tlm_sync_enum ProcessorHost::nb_transport_bw(tlm::tlm_generic_payload& message,
                                                  tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase == tlm::END_REQ) {
    message.release();
    return tlm::TLM_ACCEPTED;
  }
  if (config_.tr > 0) {
    receptions_.push(message, now() + config_.tr);
    set_timer();
    return tlm::TLM_ACCEPTED;
  }
  const NodeId node = message_extension(message)->receiver;
  settling_.settle(now());
  workload_.on_message(node, message, now());
  call(node);
  phase = tlm::END_RESP;
  return tlm::TLM_UPDATED;
}

void ProcessorHost::on_timer() {
  if (depends_on_receptions() && settling_.must_wait(now())) {
    next_trigger(sc_core::SC_ZERO_TIME);
    return;
  }
  act();
}

NodeId ProcessorHost::receive(tlm::tlm_generic_payload& message) {
  const NodeId node = message_extension(message)->receiver;
  message.acquire();  // END_RESP ends the transaction
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_fw(message, phase, delay);
  workload_.on_message(node, message, now());
  message.release();
  return node;
}

Cycle ProcessorHost::begin_messages(Sender& sender, NodeId node) {
  return sender.begin_messages(
      workload_, node, config_.ts, now(),
      [this, node](tlm::tlm_generic_payload& message) { send(node, message); });
}

void ProcessorHost::send(NodeId node, tlm::tlm_generic_payload& message) {
  MessageExtension& extension = *message_extension(message);
  extension.source = node;
  extension.preparation = config_.ts;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum answer = socket->nb_transport_fw(message, phase, delay);
  if (answer == tlm::TLM_COMPLETED) {
    SC_REPORT_FATAL("/allport/processor", "the fabric refused a message of the workload");
  }
  if (answer == tlm::TLM_UPDATED) message.release();  // END_REQ came at once
}

void ProcessorHost::ring_in(Cycle cycle) {
  timer_.cancel();
  if (const auto ahead = clock_.ahead(std::max<Cycle>(cycle - now(), 0))) timer_.notify(*ahead);
}

}  // namespace allport
