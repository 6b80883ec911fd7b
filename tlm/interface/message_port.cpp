// SPDX-License-Identifier: Apache-2.0
#include "tlm/interface/message_port.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "rtl_model/base/range.h"
#include "rtl_model/base/run_end.h"

namespace allport {

MessagePort::MessagePort(const char* socket_name, std::optional<NodeId> owner,
                         const CycleClock& clock, MessageLog& log, int flit_bytes)
    : socket(socket_name), owner_(owner), clock_(clock), log_(log), flit_bytes_(flit_bytes) {
  socket.bind(*this);
}

tlm::tlm_sync_enum MessagePort::nb_transport_fw(tlm::tlm_generic_payload& message,
                                                tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) return begin_request(message, phase, delay);
  if (phase == tlm::END_RESP) {
    const MessageExtension* const extension = message_extension(message);
    if (extension == nullptr || !extension->is_response) {
      refuse_phase("END_RESP of a transaction that is no response, or whose response is over");
    }
    end_response(message, delay);
    return tlm::TLM_COMPLETED;
  }
  if (static_cast<unsigned>(phase) > tlm::END_RESP) return tlm::TLM_ACCEPTED;  // an extended one
  refuse_phase(std::string("phase ") + phase.get_name() +
               " on the forward path; BEGIN_REQ and END_RESP are expected");
}

void MessagePort::refuse_phase(const std::string& what) const {
  const std::string text = std::string(socket.get_base_export().name()) + ": " + what;
  SC_REPORT_FATAL("/allport/message_port", text.c_str());
  std::abort();  // unless it was told to go on
}

tlm::tlm_sync_enum MessagePort::begin_request(tlm::tlm_generic_payload& message,
                                              tlm::tlm_phase& phase,
                                              const sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = check(message);
  message.set_dmi_allowed(false);
  if (status != tlm::TLM_OK_RESPONSE) {
    message.set_response_status(status);
    return tlm::TLM_COMPLETED;
  }
  if (message.has_mm()) message.acquire();
  queue(message, delay);
  if (!is_shared() || !answers_at_once_) return tlm::TLM_ACCEPTED;
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void MessagePort::b_transport(tlm::tlm_generic_payload& message, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status =
      is_shared() ? tlm::TLM_COMMAND_ERROR_RESPONSE : check(message);
  message.set_response_status(status);
  message.set_dmi_allowed(false);
  if (status != tlm::TLM_OK_RESPONSE) return;
  blocking_.push_back(&message);
  queue(message, delay);
  delay = sc_core::SC_ZERO_TIME;
  const auto is_under_way = [&] {
    return std::find(blocking_.begin(), blocking_.end(), &message) != blocking_.end();
  };
  while (is_under_way()) wait(blocking_done_);
}

tlm::tlm_response_status MessagePort::check(const tlm::tlm_generic_payload& message) const {
  const auto* extension = message.get_extension<MessageExtension>();
  const tlm::tlm_response_status status = payload_status(message);
  if (status != tlm::TLM_OK_RESPONSE) return status;
  const auto is_time = [](Cycle cycles) { return cycles >= 0 && cycles <= last_cycle; };
  if (extension == nullptr || !is_time(extension->preparation) || !is_time(extension->jitter)) {
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  const bool may_have_list = extension->kind == MessageKind::unicast;
  if (extension->address_flits < 0 || (extension->address_flits > 0 && !may_have_list)) {
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  if (message.get_data_ptr() == nullptr || message.get_data_length() == 0) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const std::uint64_t flits = flits_of(message, flit_bytes_);
  if (flits > static_cast<std::uint64_t>(limits::flits.high)) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (is_join(extension->kind) && message.get_address() > UINT32_MAX) {
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;  // the root is a node; trees and paths have no address
  }
  return judge(message, source_of(*extension), static_cast<int>(flits));
}

tlm::tlm_response_status MessagePort::refuse_address(const std::string& why) const {
  const std::string text = std::string(socket.get_base_export().name()) + ": " + why;
  SC_REPORT_INFO("/allport/message_port", text.c_str());
  return tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

Cycle MessagePort::cycle_after(const sc_core::sc_time& delay) const {
  return clock_.cycle() + clock_.cycles_in(delay);
}

void MessagePort::queue(tlm::tlm_generic_payload& message, const sc_core::sc_time& delay) {
  MessageExtension& extension = *message_extension(message);
  extension.source = source_of(extension);
  const auto flits = static_cast<int>(flits_of(message, flit_bytes_));
  MessageRecord record;
  record.header() = extension.header();
  record.source = extension.source;
  record.destination = static_cast<NodeId>(message.get_address());
  record.flits = flits;
  record.bytes = payload_bytes(message);
  record.created = extension.created;
  record.begun = cycle_after(delay);
  record.preparation = extension.preparation;
  record.jitter = extension.jitter;
  extension.id = is_join(record.kind) ? log_.add_contribution(record) : log_.add(record);
  carry(message, flits, record.begun + record.preparation + record.jitter);
}

void MessagePort::end_request(tlm::tlm_generic_payload& message) {
  message.set_response_status(tlm::TLM_OK_RESPONSE);
  const auto blocking = std::find(blocking_.begin(), blocking_.end(), &message);
  if (blocking != blocking_.end()) {
    blocking_.erase(blocking);
    blocking_done_.notify();
    return;
  }
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(message, phase, delay);
  if (message.has_mm()) message.release();
}

void MessagePort::deliver(tlm::tlm_generic_payload& message, NodeId receiver, int internal_port) {
  MessageExtension& extension = *message_extension(message);
  extension.receiver = receiver;
  extension.internal_port = internal_port;
  extension.is_response = true;
  message.set_response_status(tlm::TLM_OK_RESPONSE);
  log_.on_delivered(extension.id, extension.head, extension.tail);
  for (MessageObserver* observer : observers_) observer->on_delivered(message, extension);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = socket->nb_transport_bw(message, phase, delay);
  const bool has_ended =
      status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (has_ended) end_response(message, delay);
}

void MessagePort::end_response(tlm::tlm_generic_payload& message, const sc_core::sc_time& delay) {
  for (MessageObserver* observer : observers_) {
    observer->on_received(*message_extension(message), cycle_after(delay));
  }
  message_extension(message)->is_response = false;
  message.release();
}

}  // namespace allport
