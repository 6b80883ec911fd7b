// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/fabric.h"

#include <algorithm>
#include <string>

#include "tlm/message/request.h"

namespace allport {

WormFabric::WormFabric(const sc_core::sc_module_name& name, const RouterConfig& config,
                       const Routing& routing, const sc_core::sc_time& clock_period,
                       MessageLog& log, MessagePool& pool, int flit_bytes,
                       const std::vector<NodeId>& alone)
    : sc_module(name),
      config_(config),
      routing_(routing),
      period_(clock_period),
      log_(log),
      pool_(pool),
      flit_bytes_(flit_bytes),
      engine_(config_, routing, *this),
      sockets_(routing.topology().node_count() + 1) {
  engine_.tell_of_sent(!alone.empty());
  for (const NodeId node : alone) {
    add_socket(static_cast<int>(index(node)), "socket_" + std::to_string(index(node)));
  }
  if (alone.size() < routing.topology().node_count()) add_socket(many, "socket");
  SC_HAS_PROCESS(WormFabric);
  SC_METHOD(act);
  sensitive << wake_;
  dont_initialize();
}

void WormFabric::add_socket(int tag, const std::string& name) {
  auto socket = std::make_unique<Socket>(name.c_str());
  socket->register_nb_transport_fw(this, &WormFabric::nb_transport_fw, tag);
  socket->register_b_transport(this, &WormFabric::b_transport, tag);
  sockets_[tag == many ? sockets_.size() - 1 : static_cast<std::size_t>(tag)] = std::move(socket);
}

Cycle WormFabric::cycle() const {
  return static_cast<Cycle>((sc_core::sc_time_stamp().value() - reset_time_.value()) /
                            period_.value());
}

void WormFabric::reset() {
  reset_time_ = sc_core::sc_time_stamp();
  engine_.reset();
  under_way_.clear();
  requests_.clear();
  blocking_.clear();
  wake_.cancel();
  last_reception_ = -1;
}

tlm::tlm_sync_enum WormFabric::nb_transport_fw(int tag, tlm::tlm_generic_payload& message,
                                               tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    const MessageExtension* extension = message_extension(message);
    const NodeId source = tag == many && extension != nullptr
                              ? extension->source
                              : node_id(static_cast<std::size_t>(tag));
    const tlm::tlm_response_status status = check(source, message);
    message.set_response_status(status);
    if (status != tlm::TLM_OK_RESPONSE) return tlm::TLM_COMPLETED;
    if (message.has_mm()) message.acquire();
    const MessageId id = send(source, message, delay);
    if (tag != many) {
      under_way_[static_cast<std::size_t>(id)] = &copy(message);
      requests_[static_cast<std::size_t>(id)] = &message;
      return tlm::TLM_ACCEPTED;
    }
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  if (phase == tlm::END_RESP) {
    end_response(message, delay);
    return tlm::TLM_COMPLETED;
  }
  report_forward_phase("/allport/worm_fabric", name(), phase);
  return tlm::TLM_COMPLETED;
}

void WormFabric::b_transport(int tag, tlm::tlm_generic_payload& message, sc_core::sc_time& delay) {
  const NodeId source = node_id(static_cast<std::size_t>(tag));
  const tlm::tlm_response_status status =
      tag == many ? tlm::TLM_COMMAND_ERROR_RESPONSE : check(source, message);
  message.set_response_status(status);
  if (status != tlm::TLM_OK_RESPONSE) return;
  blocking_.push_back(&message);
  const MessageId id = send(source, message, delay);
  under_way_[static_cast<std::size_t>(id)] = &copy(message);
  requests_[static_cast<std::size_t>(id)] = &message;
  delay = sc_core::SC_ZERO_TIME;
  const auto is_under_way = [&] {
    return std::find(blocking_.begin(), blocking_.end(), &message) != blocking_.end();
  };
  while (is_under_way()) wait(blocking_done_);
}

tlm::tlm_response_status WormFabric::check(NodeId source, tlm::tlm_generic_payload& message) const {
  const tlm::tlm_response_status status = check_request(message);
  if (status != tlm::TLM_OK_RESPONSE) return status;
  if (message_extension(message)->kind != MessageKind::unicast) {
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  const std::size_t nodes = routing_.topology().node_count();
  const bool is_reachable = index(source) < nodes && message.get_address() < nodes &&
                            message.get_address() != index(source);
  return is_reachable ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

MessageId WormFabric::send(NodeId source, tlm::tlm_generic_payload& message,
                           const sc_core::sc_time& delay) {
  MessageExtension& extension = *message_extension(message);
  const Cycle begun = cycle() + static_cast<Cycle>(delay / period_);
  const unsigned bytes = message.get_data_length();
  const int flits = flits_of(bytes, flit_bytes_);
  const auto destination = static_cast<NodeId>(message.get_address());
  extension.source = source;
  extension.internal_port = engine_.injection_port(source, destination, extension.ties);
  extension.id =
      log_.add({source, destination, extension.order, extension.collective, extension.kind,
                extension.ties, extension.via, flits, bytes, 0, extension.created});
  under_way_.resize(log_.size(), nullptr);
  requests_.resize(log_.size(), nullptr);
  under_way_.back() = &message;
  engine_.send({extension.id, source, destination, extension.ties, flits,
                begun + extension.preparation + extension.jitter});
  wake_.notify(sc_core::SC_ZERO_TIME);
  return extension.id;
}

// A processor with a socket of its own may do what it likes with its transaction when the request
// has ended: what is received is another one.
tlm::tlm_generic_payload& WormFabric::copy(const tlm::tlm_generic_payload& message) {
  tlm::tlm_generic_payload& copied = pool_.allocate(message.get_data_length());
  copied.set_address(message.get_address());
  std::copy_n(message.get_data_ptr(), message.get_data_length(), copied.get_data_ptr());
  message_extension(copied)->copy_from(*message.get_extension<MessageExtension>());
  return copied;
}

void WormFabric::on_sent(NodeId node, MessageId id, Cycle) {
  tlm::tlm_generic_payload* message = requests_[static_cast<std::size_t>(id)];
  if (message == nullptr) return;  // of a processor that shares a socket
  requests_[static_cast<std::size_t>(id)] = nullptr;
  message->set_response_status(tlm::TLM_OK_RESPONSE);
  const auto blocking = std::find(blocking_.begin(), blocking_.end(), message);
  if (blocking != blocking_.end()) {
    blocking_.erase(blocking);
    blocking_done_.notify();
    return;
  }
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  (*sockets_[index(node)])->nb_transport_bw(*message, phase, delay);
  if (message->has_mm()) message->release();
}

void WormFabric::on_received(const WormReception& reception) {
  last_reception_ = reception.tail;
  log_.on_injected(reception.message, reception.injected);
  tlm::tlm_generic_payload& message = *under_way_[static_cast<std::size_t>(reception.message)];
  MessageExtension& extension = *message_extension(message);
  extension.receiver = node_id(reception.destination);
  extension.internal_port = reception.port;
  extension.head = reception.head;
  extension.tail = reception.tail;
  message.set_response_status(tlm::TLM_OK_RESPONSE);
  if (observer_ != nullptr) observer_->on_delivered(message, extension);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const auto& own = sockets_[reception.destination];
  Socket& socket = own ? *own : *sockets_.back();
  const tlm::tlm_sync_enum status = socket->nb_transport_bw(message, phase, delay);
  const bool has_ended =
      status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP);
  if (has_ended) end_response(message, delay);
}

void WormFabric::end_response(tlm::tlm_generic_payload& message, const sc_core::sc_time& delay) {
  const Cycle now = cycle() + static_cast<Cycle>(delay / period_);
  if (observer_ != nullptr) observer_->on_received(*message_extension(message), now);
  message.release();
}

// Passes all moments up to the present one, and those beyond in which no processor is called and
// before which none can act.
void WormFabric::act() {
  const Cycle now = cycle();
  for (;;) {
    const Cycle moment = engine_.next_moment();
    if (moment == WormCalendar::never) return;
    if (!may_pass(moment, now)) {
      sleep_until(moment, now);
      return;
    }
    engine_.pass(moment);
    if (WormCalendar::phase_of(moment) != WormPhase::switching) continue;
    for (CycleObserver* observer : cycle_observers_) {
      observer->on_cycle(WormCalendar::cycle_of(moment));
    }
  }
}

bool WormFabric::may_pass(Cycle moment, Cycle now) const {
  const Cycle cycle = WormCalendar::cycle_of(moment);
  const WormPhase phase = WormCalendar::phase_of(moment);
  if (cycle < now || (cycle == now && phase != WormPhase::switching)) return true;
  const bool is_silent =
      phase == WormPhase::switching || (phase == WormPhase::injection && !engine_.tells_of_sent());
  if (!is_silent || sc_core::sc_pending_activity_at_current_time()) return false;
  const sc_core::sc_time ahead = sc_core::sc_time_to_pending_activity();
  const Cycle next_activity = ahead == sc_core::sc_max_time() - sc_core::sc_time_stamp()
                                  ? WormCalendar::never
                                  : now + static_cast<Cycle>(ahead.value() / period_.value());
  return cycle < next_activity;
}

// What routers decide in a cycle waits for the cycle's end, when all processors have acted.
void WormFabric::sleep_until(Cycle moment, Cycle now) {
  const Cycle cycle = WormCalendar::cycle_of(moment);
  const bool is_decision = WormCalendar::phase_of(moment) == WormPhase::switching;
  const Cycle ahead = cycle + (is_decision ? 1 : 0) - now;
  next_trigger(sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(ahead) * period_.value()),
               wake_);
}

}  // namespace allport
