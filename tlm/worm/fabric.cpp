// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/fabric.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "tlm/interface/destinations.h"
#include "tlm/interface/group_member.h"
#include "tlm/interface/injection_port.h"
#include "tlm/message/join_result.h"

namespace allport {

// The port where one processor with a socket of its own, or all others, send and receive.
class WormFabric::Port final : public MessagePort {
 public:
  Port(const std::string& name, std::optional<NodeId> owner, WormFabric& fabric, int flit_bytes)
      : MessagePort(name.c_str(), owner, fabric, fabric.log_, flit_bytes), fabric_(fabric) {}

  using MessagePort::answer_at_once;
  using MessagePort::deliver;
  using MessagePort::end_request;
  using MessagePort::reset;

 private:
  tlm::tlm_response_status judge(const tlm::tlm_generic_payload& message, NodeId source,
                                 int flits) const override;
  void carry(tlm::tlm_generic_payload& message, int flits, Cycle start) override;
  tlm::tlm_response_status judge_group(const tlm::tlm_generic_payload& message,
                                       NodeId source) const;
  void keep(tlm::tlm_generic_payload& message);
  tlm::tlm_generic_payload& copy(const tlm::tlm_generic_payload& message);

  WormFabric& fabric_;
};

WormFabric::WormFabric(const sc_core::sc_module_name& name, const RouterConfig& config,
                       const Routing& routing, const sc_core::sc_time& clock_period,
                       MessageLog& log, MessagePool& pool, int flit_bytes,
                       const std::vector<NodeId>& alone, std::int64_t reception_limit)
    : sc_module(name),
      CycleClock(clock_period),
      config_(config),
      routing_(routing),
      log_(log),
      pool_(pool),
      engine_(config_, routing, *this, reception_limit),
      ports_(routing.topology().node_count() + 1) {
  if (!alone.empty()) require_one_class();
  engine_.tell_of_sent(!alone.empty());
  for (const NodeId node : alone) {
    const std::string socket_name = "socket_" + std::to_string(index(node));
    ports_[index(node)] = std::make_unique<Port>(socket_name, node, *this, flit_bytes);
  }
  if (alone.size() < routing.topology().node_count()) {
    ports_.back() = std::make_unique<Port>("socket", std::nullopt, *this, flit_bytes);
  }
  SC_HAS_PROCESS(WormFabric);
  SC_METHOD(act);
  sensitive << wake_;
  dont_initialize();
}

WormFabric::~WormFabric() = default;

WormFabric::Socket& WormFabric::socket(NodeId node) { return ports_[index(node)]->socket; }

WormFabric::Socket& WormFabric::socket() { return ports_.back()->socket; }

void WormFabric::observe(MessageObserver& observer) {
  for (const auto& port : ports_) {
    if (port) port->observe(observer);
  }
}

void WormFabric::take(NodeId node, int port, int message_class, std::int64_t flits) {
  engine_.take(node, port, message_class, flits, cycle());
  wake_.notify(sc_core::SC_ZERO_TIME);
}

void WormFabric::reset() {
  restart();
  engine_.reset();
  under_way_.clear();
  requests_.clear();
  contributions_.clear();
  join_bytes_.clear();
  for (tlm::tlm_generic_payload* message : originals_) message->release();
  originals_.clear();
  for (const auto& port : ports_) {
    if (port) port->reset();
  }
  wake_.cancel();
  is_ending_request_ = false;
  horizon_ = 0;
  last_reception_ = -1;
}

void WormFabric::require_one_class() const {
  if (config_.classes == 1) return;
  throw std::invalid_argument(
      std::string(name()) + ": the fabric of worms with " + std::to_string(config_.classes) +
      " message classes tells no processor of the tail on its injection channel");
}

void WormFabric::tell_of_sent() {
  require_one_class();
  engine_.tell_of_sent(true);
  ports_.back()->answer_at_once(false);
}

tlm::tlm_response_status WormFabric::Port::judge(const tlm::tlm_generic_payload& message,
                                                 NodeId source, int flits) const {
  fabric_.engine_.require_open(source, fabric_.cycle());
  const MessageExtension& extension = *message.get_extension<MessageExtension>();
  const MessageKind kind = extension.kind;
  const int classes = fabric_.config_.classes;
  if (extension.message_class >= classes) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (is_join(kind) && classes > 1) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  const bool is_too_long =
      buffers_messages(fabric_.config_.switching) && flits > fabric_.config_.buffer_depth;
  if (is_too_long) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (has_group(kind)) return judge_group(message, source);
  const bool is_node = index(source) < fabric_.routing_.topology().node_count();
  const bool is_fit = kind == MessageKind::unicast ||
                      kind_fault(kind, fabric_.config_.switching, fabric_.routing_).empty();
  return is_node && is_fit && reaches_destinations(message, source, fabric_.routing_)
             ? tlm::TLM_OK_RESPONSE
             : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

// Contributions to a join go by injection channel 0.
tlm::tlm_response_status WormFabric::Port::judge_group(const tlm::tlm_generic_payload& message,
                                                       NodeId source) const {
  const auto& extension = *message.get_extension<MessageExtension>();
  const NodeId root = is_join(extension.kind) ? static_cast<NodeId>(message.get_address()) : source;
  const bool is_member = index(source) < fabric_.routing_.topology().node_count() &&
                         is_in_its_group(extension, source, root, fabric_.routing_);
  if (!is_member || !extension.via.empty()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (!is_join(extension.kind)) return tlm::TLM_OK_RESPONSE;
  const std::string port_fault =
      join_port_fault(message, source, fabric_.config_, fabric_.routing_);
  if (!port_fault.empty()) return refuse_address(port_fault);
  const std::string fault = lane_fault(extension.join, flit_bytes(), message.get_data_length());
  return fault.empty() ? tlm::TLM_OK_RESPONSE : tlm::TLM_BURST_ERROR_RESPONSE;
}

void WormFabric::Port::carry(tlm::tlm_generic_payload& message, int flits, Cycle start) {
  MessageExtension& extension = *message_extension(message);
  const auto destination = static_cast<NodeId>(message.get_address());
  extension.internal_port =
      injection_port(message, extension.source, fabric_.config_, fabric_.routing_);
  fabric_.engine_.send({extension.id, extension.source, destination, extension.ties, flits, start,
                        extension.internal_port, extension.kind, extension.group,
                        extension.message_class, extension.via});
  fabric_.wake_.notify(sc_core::SC_ZERO_TIME);
  keep(message);
  fabric_.inject_at_once();
}

// Keeps the transaction that is to be received, and the request if it is to be ended later.
void WormFabric::Port::keep(tlm::tlm_generic_payload& message) {
  const MessageExtension& extension = *message.get_extension<MessageExtension>();
  const bool ends_later = !is_shared() || !answers_at_once();
  fabric_.under_way_.resize(fabric_.log_.size(), nullptr);
  fabric_.requests_.resize(fabric_.log_.size(), nullptr);
  if (is_join(extension.kind)) {
    fabric_.keep_contribution(message);
    if (ends_later) {
      fabric_.contributions_[{extension.id, extension.source}] = &message;
    } else {
      message.release();
    }
    return;
  }
  tlm::tlm_generic_payload* const received = is_shared() ? &message : &copy(message);
  fabric_.under_way_.back() = received;
  if (extension.kind != MessageKind::unicast) fabric_.originals_.push_back(received);
  if (ends_later) fabric_.requests_.back() = &message;
  if (ends_later && is_shared()) message.acquire();  // the response is the same transaction
}

// The log has the bytes, unless nobody wants to know them.
void WormFabric::keep_contribution(tlm::tlm_generic_payload& message) {
  const MessageExtension& extension = *message.get_extension<MessageExtension>();
  const std::size_t bytes = payload_bytes(message);
  const auto [first, is_first] = join_bytes_.try_emplace(extension.id, bytes);
  if (first->second != bytes) {
    const std::string text =
        std::string(name()) + ": node " + std::to_string(index(extension.source)) + ", cycle " +
        std::to_string(cycle()) +
        ": the contributions to a join have different lengths: that of the " + "node has " +
        std::to_string(bytes) + " bytes, and the first one " + std::to_string(first->second);
    SC_REPORT_FATAL("/allport/worm_fabric", text.c_str());
  }
  if (!skips_payloads_) {
    log_.joins().contribute(extension.id, extension.source, message.get_data_ptr(),
                            message.get_data_length());
  } else if (is_first) {
    message.acquire();
    originals_.push_back(&message);
    under_way_[static_cast<std::size_t>(extension.id)] = &message;
  }
}

// A processor with a socket of its own may do anything with its transaction when the request has
// ended, so the one that is received is a copy.
tlm::tlm_generic_payload& WormFabric::Port::copy(const tlm::tlm_generic_payload& message) {
  tlm::tlm_generic_payload& copied = fabric_.pool_.allocate(message.get_data_length());
  copied.set_address(message.get_address());
  std::copy_n(message.get_data_ptr(), message.get_data_length(), copied.get_data_ptr());
  message_extension(copied)->copy_from(*message.get_extension<MessageExtension>());
  return copied;
}

// What all receivers of a tree or join have: the message of a tree, and what a join yields.
tlm::tlm_generic_payload& WormFabric::original(MessageId id) {
  tlm::tlm_generic_payload*& message = under_way_[static_cast<std::size_t>(id)];
  if (message == nullptr) {
    const std::vector<unsigned char> bytes = join_result(id, log_, routing_);
    message = &pool_.allocate(bytes.size());
    std::copy(bytes.begin(), bytes.end(), message->get_data_ptr());
    const std::uint64_t all = join_bytes_.at(id);
    if (all != bytes.size()) message_extension(*message)->stands_for = all;
    originals_.push_back(message);
  }
  return *message;
}

// Each receiver has a transaction of its own around the same bytes.
tlm::tlm_generic_payload& WormFabric::copy_for_receiver(MessageId id) {
  tlm::tlm_generic_payload& message = original(id);
  const MessageRecord& record = log_[id];
  tlm::tlm_generic_payload& copied =
      pool_.allocate_around(message.get_data_ptr(), message.get_data_length());
  copied.set_address(index(record.destination));
  MessageExtension& extension = *message_extension(copied);
  extension.header() = record.header();
  extension.source = record.source;
  extension.created = record.created;
  extension.stands_for = message_extension(message)->stands_for;
  extension.id = id;
  return copied;
}

void WormFabric::on_sent(NodeId node, MessageId id, Cycle) {
  const auto contribution = contributions_.find({id, node});
  const bool is_contribution = contribution != contributions_.end();
  tlm::tlm_generic_payload*& request =
      is_contribution ? contribution->second : requests_[static_cast<std::size_t>(id)];
  if (request == nullptr) return;  // its processor had its answer at once
  const auto& own = ports_[index(node)];
  is_ending_request_ = true;
  (own ? *own : *ports_.back()).end_request(*std::exchange(request, nullptr));
  is_ending_request_ = false;
}

void WormFabric::on_received(const WormReception& reception) {
  last_reception_ = reception.tail;
  log_.on_injected(reception.message, reception.injected);
  tlm::tlm_generic_payload& message =
      log_[reception.message].kind != MessageKind::unicast
          ? copy_for_receiver(reception.message)
          : *under_way_[static_cast<std::size_t>(reception.message)];
  MessageExtension& extension = *message_extension(message);
  extension.head = reception.head;
  extension.tail = reception.tail;
  const auto& own = ports_[reception.destination];
  (own ? *own : *ports_.back()).deliver(message, node_id(reception.destination), reception.port);
}

// Passes all moments up to the present one, and those beyond it in which no processor is called and
// before which nobody can act.
void WormFabric::act() {
  const Cycle now = cycle();
  std::optional<Cycle> activity;  // the kernel's next one, until a processor has been called
  for (;;) {
    const Cycle moment = engine_.next_moment();
    if (moment == WormCalendar::never) return;
    if (!may_pass(moment, now, activity)) {
      sleep_until(moment, now);
      return;
    }
    engine_.pass(moment);
    const WormPhase phase = WormCalendar::phase_of(moment);
    if (!is_silent(phase)) activity.reset();
    if (phase != WormPhase::switching) continue;
    for (CycleObserver* observer : cycle_observers_) {
      observer->on_cycle(WormCalendar::cycle_of(moment));
    }
    if (is_set(stop_)) return;
  }
}

// What finds its injection channel free in the present cycle is there when the request returns, as
// with a network interface: nobody learns of the tail of a lone flit later on worms than on flits.
void WormFabric::inject_at_once() {
  if (is_ending_request_ || !engine_.tells_of_sent()) return;
  const Cycle present = WormCalendar::moment(cycle(), WormPhase::injection);
  if (engine_.next_moment() == present) engine_.pass(present);
}

// Routers decide when all processors of a cycle have acted, and so do ports whose classes take
// turns.
bool WormFabric::waits_for_all(WormPhase phase) const {
  return phase == WormPhase::switching || (phase == WormPhase::injection && config_.classes > 1);
}

// Whether no processor is called in a moment of `phase`.
bool WormFabric::is_silent(WormPhase phase) const {
  return phase == WormPhase::switching ||
         (phase == WormPhase::injection && !engine_.tells_of_sent());
}

bool WormFabric::may_pass(Cycle moment, Cycle now, std::optional<Cycle>& activity) const {
  const Cycle cycle = WormCalendar::cycle_of(moment);
  const WormPhase phase = WormCalendar::phase_of(moment);
  if (cycle < now || (cycle == now && !waits_for_all(phase))) return true;
  if (!is_silent(phase) || cycle >= horizon_ || cycle - now > room()) return false;
  if (!activity) activity = next_activity(now);
  return cycle < *activity;
}

// The first cycle for which an event of the kernel is pending.
Cycle WormFabric::next_activity(Cycle now) const {
  if (sc_core::sc_pending_activity_at_current_time()) return now;
  const sc_core::sc_time ahead = sc_core::sc_time_to_pending_activity();
  return ahead == sc_core::sc_max_time() - sc_core::sc_time_stamp() ? WormCalendar::never
                                                                    : now + cycles_in(ahead);
}

// What is decided when all processors of a cycle have acted waits for its end.
void WormFabric::sleep_until(Cycle moment, Cycle now) {
  const Cycle cycle = WormCalendar::cycle_of(moment);
  const bool is_decision = waits_for_all(WormCalendar::phase_of(moment));
  const auto ahead = this->ahead(cycle + (is_decision ? 1 : 0) - now);
  if (ahead) {
    next_trigger(*ahead - passed(), wake_);
  } else {
    next_trigger(wake_);
  }
}

}  // namespace allport
