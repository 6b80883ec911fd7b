// SPDX-License-Identifier: Apache-2.0
#include "tlm/interface/network_interface.h"

#include <algorithm>
#include <string>

#include "tlm/message/request.h"

namespace allport {

NetworkInterface::NetworkInterface(const sc_core::sc_module_name& name, Fabric& fabric, NodeId node,
                                   MessageLog& log, MessagePool& pool, int flit_bytes)
    : sc_module(name),
      socket("socket"),
      fabric_(fabric),
      node_(node),
      log_(log),
      flit_bytes_(flit_bytes) {
  const RouterConfig& config = fabric.config();
  for (int port = 0; port < config.internal_ports; ++port) {
    injectors_.emplace_back(flit_bytes, config.buffer_depth_flits, config.switching);
    ejectors_.emplace_back(std::string(this->name()) + ".ejector_" + std::to_string(port), log,
                           pool, flit_bytes);
  }
  socket.bind(*this);
  fabric.attach(node, *this);
}

void NetworkInterface::reset() {
  for (Injector& injector : injectors_) injector.reset();
  for (Ejector& ejector : ejectors_) ejector.reset();
  busy_q_ = 0;
  blocking_.clear();
}

tlm::tlm_sync_enum NetworkInterface::nb_transport_fw(tlm::tlm_generic_payload& message,
                                                     tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    const tlm::tlm_response_status status = check(message);
    if (status != tlm::TLM_OK_RESPONSE) {
      message.set_response_status(status);
      return tlm::TLM_COMPLETED;
    }
    if (message.has_mm()) message.acquire();
    queue(message, delay);
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::END_RESP) {
    end_response(message, delay);
    return tlm::TLM_COMPLETED;
  }
  report_forward_phase("/allport/network_interface", name(), phase);
  return tlm::TLM_COMPLETED;
}

void NetworkInterface::b_transport(tlm::tlm_generic_payload& message, sc_core::sc_time& delay) {
  const tlm::tlm_response_status status = check(message);
  message.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE) return;
  blocking_.push_back(&message);
  queue(message, delay);
  delay = sc_core::SC_ZERO_TIME;
  const auto under_way = [&] {
    return std::find(blocking_.begin(), blocking_.end(), &message) != blocking_.end();
  };
  while (under_way()) wait(blocking_done_);
}

tlm::tlm_response_status NetworkInterface::check(tlm::tlm_generic_payload& message) const {
  const tlm::tlm_response_status status = check_request(message);
  if (status != tlm::TLM_OK_RESPONSE) return status;
  const MessageExtension& extension = *message_extension(message);
  const RouterConfig& config = fabric_.config();
  if (!kind_fault(extension.kind, config.switching, fabric_.routing()).empty()) {
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  const int flits = flits_of(message.get_data_length(), flit_bytes_);
  if (buffers_messages(config.switching) && flits > config.buffer_depth_flits) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const bool is_list = extension.kind == MessageKind::multidestination;
  if (!is_list && !extension.via.empty()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const bool reachable = goes_to_all(extension.kind) || is_reachable(message, extension.via);
  return reachable ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

// Every destination a node, none of them this one and none named twice.
bool NetworkInterface::is_reachable(const tlm::tlm_generic_payload& message,
                                    const ViaList& via) const {
  if (message.get_address() >= fabric_.node_count()) return false;
  std::vector<NodeId> nodes = via.nodes();
  nodes.push_back(static_cast<NodeId>(message.get_address()));
  std::sort(nodes.begin(), nodes.end());
  return index(nodes.back()) < fabric_.node_count() &&
         std::adjacent_find(nodes.begin(), nodes.end()) == nodes.end() &&
         !std::binary_search(nodes.begin(), nodes.end(), node_);
}

int NetworkInterface::injection_port(const tlm::tlm_generic_payload& message,
                                     const MessageExtension& extension) const {
  if (goes_to_all(extension.kind)) return 0;
  const auto last = static_cast<NodeId>(message.get_address());
  const NodeId destination = extension.via.empty() ? last : extension.via.front();
  const auto hop = fabric_.routing().route(node_, destination, extension.ties);
  return fabric_.config().internal_port(static_cast<int>(index(hop->port)));
}

void NetworkInterface::queue(tlm::tlm_generic_payload& message, const sc_core::sc_time& delay) {
  MessageExtension& extension = *message_extension(message);
  const Cycle begun = fabric_.cycle() + static_cast<Cycle>(delay / fabric_.clock_period());
  const unsigned bytes = message.get_data_length();
  const int flits = flits_of(bytes, flit_bytes_);
  extension.source = node_;
  extension.internal_port = injection_port(message, extension);
  extension.id =
      log_.add({node_, static_cast<NodeId>(message.get_address()), extension.order,
                extension.collective, extension.kind, extension.ties, extension.via, flits, bytes,
                payload_checksum(message.get_data_ptr(), bytes), extension.created});
  const Cycle start = begun + extension.preparation + extension.jitter;
  Injector& injector = injectors_[static_cast<std::size_t>(extension.internal_port)];
  const bool was_idle = injector.is_empty();
  injector.push(message, start, flits);
  busy_q_ |= PortMask{1} << extension.internal_port;
  if (was_idle) fabric_.wake(node_, injector.next_start());
}

bool NetworkInterface::inject(Cycle now) {
  bool wants_next_cycle = false;
  for (PortMask rest = busy_q_; rest != 0; rest &= rest - 1) {
    const int port = __builtin_ctzll(rest);
    Injector& injector = injectors_[static_cast<std::size_t>(port)];
    if (!injector.can_send(now)) continue;
    const Flit flit = injector.send(now);
    fabric_.inject(node_, port, flit);
    if (flit.head) log_.on_injected(flit.message, now);
    if (injector.is_empty()) {
      busy_q_ &= ~(PortMask{1} << port);
    } else if (injector.next_start() > now + 1) {
      fabric_.wake(node_, injector.next_start());
    } else {
      wants_next_cycle = true;
    }
    if (flit.tail) end_request(injector.sent_message());
  }
  return wants_next_cycle;
}

void NetworkInterface::accept_credit(int port, Cycle now) {
  Injector& injector = injectors_[static_cast<std::size_t>(port)];
  const bool was_missing = injector.accept_credit();
  if (was_missing && injector.can_send(now)) fabric_.wake(node_, now);
}

void NetworkInterface::accept_ack(int port, Cycle now) {
  injectors_[static_cast<std::size_t>(port)].accept_ack();
  fabric_.wake(node_, now);
}

void NetworkInterface::end_request(tlm::tlm_generic_payload& message) {
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

void NetworkInterface::eject(int port, const Flit& flit, Cycle now) {
  tlm::tlm_generic_payload* message = ejectors_[static_cast<std::size_t>(port)].take(flit, now);
  if (message == nullptr) return;
  MessageExtension& extension = *message_extension(*message);
  extension.receiver = node_;
  extension.internal_port = port;
  message->set_response_status(tlm::TLM_OK_RESPONSE);
  if (observer_ != nullptr) observer_->on_delivered(*message, extension);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum status = socket->nb_transport_bw(*message, phase, delay);
  const bool has_ended =
      status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (has_ended) end_response(*message, delay);
}

void NetworkInterface::end_response(tlm::tlm_generic_payload& message,
                                    const sc_core::sc_time& delay) {
  const Cycle now = fabric_.cycle() + static_cast<Cycle>(delay / fabric_.clock_period());
  if (observer_ != nullptr) observer_->on_received(*message_extension(message), now);
  message.release();
}

}  // namespace allport
