// SPDX-License-Identifier: Apache-2.0
#include "tlm/interface/network_interface.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "rtl_model/base/bits.h"
#include "rtl_model/base/range.h"
#include "rtl_model/topology/group_routes.h"
#include "tlm/interface/destinations.h"
#include "tlm/interface/group_member.h"
#include "tlm/interface/injection_port.h"

namespace allport {

NetworkInterface::NetworkInterface(const sc_core::sc_module_name& name, Fabric& fabric, NodeId node,
                                   MessageLog& log, MessagePool& pool, int flit_bytes)
    : sc_module(name),
      MessagePort("socket", node, fabric, log, flit_bytes),
      fabric_(fabric),
      node_(node),
      flit_bytes_(flit_bytes),
      classes_(fabric.config().classes),
      of_ejectors_(this->name(), log, pool, flit_bytes, classes_),
      injectors_(place(fabric.config().internal_ports, 0)),
      ejectors_(place(fabric.config().internal_ports, 0)) {
  fabric.attach(node, *this);
}

void NetworkInterface::reset() {
  MessagePort::reset();
  injectors_.reset();
  ejectors_.reset();
  busy_q_ = 0;
}

tlm::tlm_response_status NetworkInterface::judge(const tlm::tlm_generic_payload& message, NodeId,
                                                 int flits) const {
  const auto& extension = *message.get_extension<MessageExtension>();
  const RouterConfig& config = fabric_.config();
  if (flits > limits::router_flits.high) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (extension.message_class >= classes_) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (is_join(extension.kind) && has_classes()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (extension.kind != MessageKind::unicast &&
      !kind_fault(extension.kind, config.switching, fabric_.routing()).empty()) {
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  if (buffers_messages(config.switching) && flits > config.buffer_depth) {
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const NodeId root = is_join(extension.kind) ? static_cast<NodeId>(message.get_address()) : node_;
  if (has_group(extension.kind) && !is_in_its_group(extension, node_, root, fabric_.routing())) {
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  if (is_join(extension.kind)) {
    const std::string port_fault = join_port_fault(message, node_, config, fabric_.routing());
    if (!port_fault.empty()) return refuse_address(port_fault);
    const auto bytes = message.get_data_length();
    const bool fits = lane_fault(extension.join, flit_bytes(), bytes).empty();
    return fits ? tlm::TLM_OK_RESPONSE : tlm::TLM_BURST_ERROR_RESPONSE;
  }
  return reaches_destinations(message, node_, fabric_.routing()) ? tlm::TLM_OK_RESPONSE
                                                                 : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

void NetworkInterface::carry(tlm::tlm_generic_payload& message, int flits, Cycle start) {
  MessageExtension& extension = *message_extension(message);
  extension.internal_port = injection_port(message, node_, fabric_.config(), fabric_.routing());
  if (is_join(extension.kind)) {
    log().joins().contribute(extension.id, node_, message.get_data_ptr(),
                             message.get_data_length());
  } else {
    log().set_checksum(extension.id,
                       payload_checksum(message.get_data_ptr(), message.get_data_length()));
  }
  const RouterConfig& config = fabric_.config();
  Injector& injector = injectors_.use(place(extension.internal_port, extension.message_class),
                                      carried_bytes(flit_bytes_), config.buffer_depth,
                                      config.switching, config.heads_carry_length());
  const bool was_idle = injector.is_empty();
  if (carries_names(flit_bytes_)) {
    injector.push(message, start, flits, carried(message, flits - extension.address_flits));
  } else {
    injector.push(message, start, flits);
  }
  busy_q_ |= PortMask{1} << extension.internal_port;
  if (was_idle) fabric_.wake(node_, injector.next_start());
}

// How many receivers get the message.
std::size_t NetworkInterface::copies(const tlm::tlm_generic_payload& message,
                                     const MessageExtension& extension) const {
  if (extension.kind == MessageKind::tree) {
    return group_size(fabric_.routing().topology(), extension.group) - 1;
  }
  if (goes_to_all(extension.kind)) return fabric_.routing().topology().node_count() - 1;
  const auto last = static_cast<NodeId>(message.get_address());
  if (extension.kind != MessageKind::deposit) return extension.via.nodes().size() + 1;
  return fabric_.routing().path(node_, last, extension.ties).size();
}

// What the wide flits of the message carry, `flits` of them.
Injector::Data NetworkInterface::carried(const tlm::tlm_generic_payload& message, int flits) {
  const auto& extension = *message.get_extension<MessageExtension>();
  const std::vector<WidePayloads::Name>& names =
      log().wide_payloads().keep(extension.id, message.get_data_ptr(), message.get_data_length(),
                                 flits, copies(message, extension));
  return {reinterpret_cast<const unsigned char*>(names.data()),
          names.size() * sizeof(WidePayloads::Name)};
}

// Puts the bytes of wide flits in the place of their names.
void NetworkInterface::reveal(tlm::tlm_generic_payload& message) {
  const MessageId id = message_extension(message)->id;
  const MessageRecord& record = log()[id];
  std::vector<WidePayloads::Name> names(static_cast<std::size_t>(record.payload_flits()));
  std::memcpy(names.data(), message.get_data_ptr(), names.size() * sizeof names.front());
  const auto flit_bytes = static_cast<std::size_t>(flit_bytes_);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t at = i * flit_bytes;
    unsigned char* const to = message.get_data_ptr() + at;
    if (log().wide_payloads().fetch(names[i], flit_bytes, to, record.bytes - at)) continue;
    SC_REPORT_FATAL("/allport/network_interface",
                    (std::string(name()) + ": the data of a flit name no bytes").c_str());
  }
  message.set_data_length(static_cast<unsigned>(record.bytes));
  message.set_streaming_width(static_cast<unsigned>(record.bytes));
  log().wide_payloads().release(id);
}

inline bool NetworkInterface::has_no_message(int port) const {
  for (int one = 0; one < classes_; ++one) {
    const Injector* injector = this->injector(port, one);
    if (injector != nullptr && !injector->is_empty()) return false;
  }
  return true;
}

inline bool NetworkInterface::pass_on(int port, int message_class, Cycle now) {
  Injector& injector = *injectors_.find(place(port, message_class));
  bool wants_next_cycle = false;
  Flit flit = injector.send(now);
  flit.vc = static_cast<VcId>(message_class);
  fabric_.inject(node_, port, flit);
  if (flit.head) log().on_injected(flit.message, now);
  if (injector.is_empty()) {
    if (has_no_message(port)) busy_q_ &= ~(PortMask{1} << port);
  } else if (injector.next_start() > now + 1) {
    fabric_.wake(node_, injector.next_start());
  } else {
    wants_next_cycle = true;
  }
  if (flit.tail) end_request(injector.sent_message());
  return wants_next_cycle;
}

bool NetworkInterface::pass(int port, int message_class, Cycle now) {
  return pass_on(port, message_class, now);
}

bool NetworkInterface::inject(Cycle now) {
  bool wants_next_cycle = false;
  if (has_classes()) {
    SC_REPORT_FATAL("/allport/network_interface",
                    (std::string(name()) +
                     ": on a fabric with several message classes a LimitedInterface gives each "
                     "class its turn")
                        .c_str());
  }
  for (const int port : bits(busy_q_)) {
    if (!may_send(port, 0, now)) continue;
    wants_next_cycle |= pass_on(port, 0, now);
  }
  return wants_next_cycle;
}

bool NetworkInterface::injects_apart(Cycle now) const {
  for (const int port : bits(busy_q_)) {
    const Injector& injector = *this->injector(port, 0);
    if (injector.can_send(now) && (injector.is_at_head() || injector.is_at_tail())) return false;
  }
  return true;
}

void NetworkInterface::accept_credit(int port, int vc, Cycle now) {
  Injector& injector = *injectors_.find(place(port, vc));
  const bool was_missing = injector.accept_credit();
  if (was_missing && injector.can_send(now)) fabric_.wake(node_, now);
}

void NetworkInterface::accept_ack(int port, int vc, Cycle now) {
  injectors_.find(place(port, vc))->accept_ack();
  fabric_.wake(node_, now);
}

void NetworkInterface::fetch_for_injection(int step) const {
  for (const int port : bits(busy_q_)) {
    for (int one = 0; one < classes_; ++one) {
      if (step < Router::steps_of_flit) fabric_.fetch_for_flit(node_, port, one, step);
      if (step < steps_of_credit) {
        fetch_for_credit(port, one, step);
        continue;
      }
      const Injector* injector = this->injector(port, one);
      if (injector == nullptr) continue;
      step == steps_of_credit ? injector->fetch_message() : injector->fetch_data();
    }
  }
}

void NetworkInterface::fetch_for_credit(int port, int vc, int step) const {
  step == 0 ? injectors_.fetch_place(place(port, vc)) : injectors_.fetch_end(place(port, vc));
}

void NetworkInterface::fetch_for_ejection(int port, int vc, int step) const {
  if (step == 0) return ejectors_.fetch_place(place(port, vc));
  if (step == 1) return ejectors_.fetch_end(place(port, vc));
  const Ejector* ejector = ejectors_.find(place(port, vc));
  if (ejector == nullptr) return;
  step == 2 ? ejector->fetch_message() : ejector->fetch_data();
}

void NetworkInterface::eject(int port, const Flit& flit, Cycle now) {
  const auto vc = static_cast<int>(index(flit.vc));
  Ejector& ejector = ejectors_.use(place(port, vc), of_ejectors_, port, vc);
  tlm::tlm_generic_payload* message = ejector.take(flit, now);
  if (message == nullptr) return;
  if (carries_names(flit_bytes_)) reveal(*message);
  deliver(*message, node_, port);
}

}  // namespace allport
