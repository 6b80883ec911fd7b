// SPDX-License-Identifier: Apache-2.0
#include "testbench/network/network_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/range.h"
#include "rtl_model/graphs/graph.h"
#include "rtl_model/topology/group_routes.h"
#include "testbench/network/network_worms.h"
#include "testbench/observe/monitors/deadlock_words.h"
#include "testbench/plan/plan_theory.h"
#include "testbench/plan/worm_faults.h"
#include "tlm/message/message_log.h"
#include "traffic/schedule/schedule.h"
#include "traffic/theory/timing_model.h"

namespace allport {

namespace {

void require_model(Model asked, Model model) {
  if (asked == model || (asked == Model::automatic && model == Model::worm)) return;
  if (model == Model::systemc) {
    throw std::invalid_argument(fmt::format(
        "model {}: this network runs on routers in SystemC; give systemc", to_string(asked)));
  }
  if (asked == Model::systemc) {
    throw std::invalid_argument(
        "model systemc: this network runs on worms, which have the same cycles; `allport network` and, in C++, flit_network() have routers, too");
  }
  throw std::invalid_argument(fmt::format(
      "model {}: a network that is driven runs on worms, or on routers in SystemC; give worm, or auto where worms are exact",
      to_string(asked)));
}

// Calls count the nodes that are there, and so do the answers to them and the results.
FabricRequest counted_nodes(FabricRequest fabric) {
  const auto* const graph = dynamic_cast<const Graph*>(fabric.topology.get());
  if (graph == nullptr) return fabric;
  GraphDescription description = graph->description();
  for (GraphDescription::Node& node : description.nodes) node.number.reset();
  fabric.topology = std::make_shared<Graph>(description);
  return fabric;
}

RunPlan plan_network(const NetworkRequest& request, Model model) {
  require_model(request.model, model);
  RunRequest run;
  run.fabric = counted_nodes(request.fabric);
  run.router = request.router;
  run.traffic.ties = request.ties;
  run.message.flit_bytes = request.flit_bytes;
  run.model = model;
  RunPlan plan = plan_fabric(run);
  if (plan.router.retry || plan.simulation.errors.has_any()) {
    throw std::invalid_argument(
        "retry: the channels of a network that is driven do not err; `allport run` has --retry, errors and lost credits");
  }
  if (request.wave && model == Model::worm) {
    throw std::invalid_argument(
        "wave: worms have no signals to show; routers in SystemC have: `allport network --model systemc` and, in C++, flit_network()");
  }
  const std::string fault = model == Model::worm ? network_fault(plan) : "";
  if (!fault.empty()) {
    throw std::invalid_argument(fmt::format("model {}: it {}", to_string(request.model), fault));
  }
  if (request.queue_limit) require_range("queue limit", *request.queue_limit, queue_limits);
  if (request.reception_limit) {
    const Range range{plan.router.buffer_depth, reception_limits.high};
    if (!range.has(*request.reception_limit)) {
      throw std::invalid_argument(fmt::format(
          "reception limit {}: must be {}..{} flits, those of the buffer of a virtual channel or more",
          *request.reception_limit, range.low, range.high));
    }
  }
  return plan;
}

// The lengths that messages may have.
Range lengths_of(const RunPlan& plan, Model model) {
  if (buffers_messages(plan.router.switching)) return {1, plan.router.buffer_depth};
  return model == Model::worm ? limits::flits : limits::router_flits;
}

// The record of a message that is prepared in the cycle in which it is sent.
template <class Sent>
MessageRecord record_of(const Sent& sent) {
  MessageRecord record;
  record.kind = sent.kind;
  record.ties = sent.ties;
  record.group = sent.free;
  record.source = sent.source;
  record.destination = sent.destination;
  record.flits = sent.flits;
  record.message_class = sent.message_class;
  record.created = sent.at;
  record.begun = sent.at;
  return record;
}

}  // namespace

// A message of one flit goes over one channel at least, and then over the ejection channel.
NetworkBooks::NetworkBooks(const NetworkRequest& request, Model model)
    : plan_(plan_network(request, model)),
      limit_(request.queue_limit),
      reception_limit_(request.reception_limit),
      lengths_(lengths_of(plan_, model)),
      least_reception_(timing_of(plan_).least_hop() + 1),
      orders_(plan_.routing.topology().node_count()),
      later_flits_(orders_.size() * static_cast<std::size_t>(plan_.router.classes)) {}

NetworkState::NetworkState(const NetworkRequest& request)
    : NetworkState(request, Model::worm,
                   [](const RunPlan& plan, WormListener& listener, std::int64_t reception_limit) {
                     return std::make_unique<NetworkWorms>(plan, listener, reception_limit);
                   }) {}

NetworkState::NetworkState(const NetworkRequest& request, Model model,
                           const NetworkFabricMaker& make)
    : NetworkBooks(request, model),
      fabric_(make(plan_, *this, reception_limit_.value_or(0))),
      has_wave_(request.wave.has_value()) {
  if (request.record || request.explain || has_wave_) {
    record_ = std::make_unique<NetworkRecord>(plan_, *fabric_);
  }
  if (request.explain) {
    movement_ = std::make_unique<NetworkMovement>(plan_, *fabric_, record_->messages(),
                                                  reception_limit_.value_or(0));
  }
  if (has_wave_) fabric_->record_wave(*request.wave);
}

NetworkState::~NetworkState() {
  if (!has_wave_) return;
  try {
    finish_wave();
  } catch (const std::exception&) {  // finish_wave() of a client would have told it
  }
}

NetworkState::NetworkState(const NetworkState& other) : NetworkBooks(other), WormListener() {
  if (other.is_calling_) {
    throw std::invalid_argument("a call-back that is told of room may send, but copies no network");
  }
  fabric_ = other.fabric_->copy(plan_, *this);
  if (other.record_) record_ = std::make_unique<NetworkRecord>(*other.record_, plan_, *fabric_);
  if (other.movement_) {
    movement_ = std::make_unique<NetworkMovement>(*other.movement_, plan_, *fabric_);
  }
  if (is_reported_) deliveries_.clear();
}

NetworkState::Visit::Visit(NetworkState& state) : state_(state) {
#ifndef NDEBUG
  std::thread::id nobody;
  const std::thread::id self = std::this_thread::get_id();
  is_outermost_ = state_.visitor_.compare_exchange_strong(nobody, self);
  if (!is_outermost_ && nobody != self) {
    throw std::invalid_argument("two threads are in one network at the same time");
  }
#endif
}

NetworkState::Visit::~Visit() {
  if (is_outermost_) state_.visitor_ = std::thread::id();
}

// --- What is sent

std::uint64_t NetworkState::send(const NetworkMessage& message, Cycle at) {
  const std::int64_t flits = admit(message, at);
  if (limit_ && flits > room(message)) {
    throw std::invalid_argument(fmt::format(
        "flits {}: the queue of node {} has room for {} at present; send it in a later cycle",
        flits, topology().node_name(message.source), room(message)));
  }
  return accept(message, flits, at);
}

std::optional<std::uint64_t> NetworkState::try_send(const NetworkMessage& message, Cycle at) {
  const std::int64_t flits = admit(message, at);
  if (limit_ && flits > room(message)) {
    wait_for_room(message, flits);
    return std::nullopt;
  }
  return accept(message, flits, at);
}

std::uint32_t NetworkState::free_place() {
  if (!free_places_.empty()) {
    const std::uint32_t place = free_places_.back();
    free_places_.pop_back();
    return place;
  }
  if (sent_.size() >= static_cast<std::size_t>(no_message)) {
    throw std::invalid_argument(
        record_ ? "more than 4294967294 messages are recorded"
                : "more than 4294967294 messages are under way at the same time");
  }
  sent_.emplace_back();
  return static_cast<std::uint32_t>(sent_.size() - 1);
}

std::uint32_t NetworkState::receivers_of(const NetworkMessage& message) const {
  switch (message.kind) {
    case MessageKind::unicast:
      return 1;
    case MessageKind::tree:
      return static_cast<std::uint32_t>(group_size(topology(), message.free) - 1);
    default:
      return static_cast<std::uint32_t>(receivers(as_sent(message), plan_.routing).size());
  }
}

std::uint64_t NetworkState::accept(const NetworkMessage& message, std::int64_t flits, Cycle at) {
  const std::uint32_t place = free_place();
  const bool goes_to_all = allport::goes_to_all(message.kind);
  Sent& sent = sent_[place];
  sent.id = count_;
  sent.order = orders_[index(message.source)];
  sent.user = message.user;
  sent.at = at;
  sent.source = message.source;
  sent.destination = goes_to_all ? message.source : message.destination;
  sent.flits = static_cast<std::int32_t>(flits);
  sent.receivers = receivers_of(message);
  sent.free = group_mask(topology(), message.free);
  sent.kind = message.kind;
  sent.message_class = static_cast<std::uint8_t>(message.message_class);
  sent.ties = goes_to_all ? 0 : ties_of(message);
  ++orders_[index(message.source)];
  if (record_) record_->send(record_of(sent));
  if (reception_limit_) places_[count_] = place;
  if (at > now_) {
    later_.push({at, count_, place});
    later_flits(sent) += flits;
  } else {
    give_due();
    give(place);
  }
  return count_++;
}

// Hands a message over to the fabric.
void NetworkState::give(std::uint32_t place) {
  const Sent& sent = sent_[place];
  const int port = goes_to_all(sent.kind) ? 0 : -1;
  fabric_->send({MessageId{place}, sent.source, sent.destination, sent.ties, sent.flits, sent.at,
                 port, sent.kind, sent.free, sent.message_class});
  if (waiting_.empty()) return;
  for (auto& [queue, waiting] : waiting_) {
    if (waiting.check == Network::never) waiting.check = now_ + 1;
  }
  find_first_check();
}

// Hands over what was sent for the present cycle when that was to come.
void NetworkState::give_due() {
  while (!later_.empty() && later_.top().at <= now_) {
    const std::uint32_t place = later_.top().place;
    later_.pop();
    later_flits(sent_[place]) -= sent_[place].flits;
    give(place);
  }
}

// --- What happens

void NetworkState::on_received(const WormReception& reception) {
  const auto place = static_cast<std::uint32_t>(reception.message);
  Sent& sent = sent_[place];
  deliveries_.push_back({sent.id, sent.user, sent.source, node_id(reception.destination),
                         reception.port, sent.message_class, reception.injected, reception.head,
                         reception.tail});
  if (reception_limit_) {
    untaken_[{sent.id, reception.destination}] = {
        sent.flits, static_cast<std::int16_t>(reception.port), sent.message_class};
  }
  const bool is_last = --sent.receivers == 0;
  if (record_) record_->receive(reception);
  if (movement_) movement_->receive(reception);
  if (!is_last) return;
  fabric_->end(record_ ? &record_->messages()[reception.message] : nullptr);
  if (!record_) free_places_.push_back(place);
  if (reception_limit_) places_.erase(sent.id);
}

const std::vector<NetworkDelivery>& NetworkState::advance(Cycle to, bool stops_at_delivery) {
  if (is_calling_) {
    throw std::invalid_argument(
        "a call-back that is told of room may send, but lets no cycles pass");
  }
  require_time("advance to", to);
  if (is_reported_) deliveries_.clear();
  is_reported_ = false;
  run(to, stops_at_delivery);
  is_reported_ = true;
  return deliveries_;
}

// In a cycle its receptions come first, then who waits for room is told of it, then what is sent
// goes by the injection channels, and last the routers decide.
void NetworkState::run(Cycle to, bool stops_at_delivery) {
  for (;;) {
    const Cycle moment = fabric_->next_moment();
    const Cycle due = later_.empty() ? Network::never : later_.top().at;
    const Cycle next = std::min(due, first_check_);
    if (next <= to && WormCalendar::moment(next, WormPhase::injection) <= moment) {
      now_ = std::max(now_, next);
      if (due == next) give_due();
      if (first_check_ == next) look_for_room();
      continue;
    }
    if (moment == WormCalendar::never) break;
    const Cycle cycle = WormCalendar::cycle_of(moment);
    if (cycle > to) break;
    fabric_->pass(moment);
    if (stops_at_delivery && !deliveries_.empty()) {
      now_ = cycle;
      return;
    }
  }
  now_ = to + 1;
}

Cycle NetworkState::next_event() const {
  Cycle next = Network::never;
  const Cycle moment = fabric_->next_moment();
  if (moment != WormCalendar::never && !fabric_->is_idle()) {
    const bool is_reception = WormCalendar::phase_of(moment) == WormPhase::reception;
    next = std::max(now_, WormCalendar::cycle_of(moment) + (is_reception ? 0 : 1));
  }
  if (!later_.empty()) next = std::min(next, later_.top().at + least_reception_);
  return next;
}

Cycle NetworkState::expected(NodeId source, NodeId destination, std::int64_t flits) const {
  NetworkMessage message;
  message.source = source;
  message.destination = destination;
  require_destination(message);
  if (!lengths_.has(flits)) require_range("flits", flits, lengths_);
  if (!plan_.missing.empty()) require_links(message);
  TimingParameters timing = timing_of(plan_);
  timing.flits = static_cast<int>(flits);
  return reception_alone(plan_.routing.path(source, destination), topology(), timing);
}

// --- What is taken

void NetworkState::require_reception_limit(const char* call) const {
  if (reception_limit_) return;
  throw std::invalid_argument(fmt::format(
      "{}: the network has no reception limit, and every message is taken at once", call));
}

void NetworkState::take(std::uint64_t id, NodeId node) {
  require_reception_limit("take");
  require_node(topology(), index(node), "node");
  const auto found = untaken_.find({id, static_cast<std::uint32_t>(index(node))});
  if (found == untaken_.end()) {
    throw std::invalid_argument(
        fmt::format("message {}: node {} has not received it, or has taken it", id,
                    topology().node_name(node)));
  }
  const Untaken& one = found->second;
  fabric_->take(node, one.port, one.message_class, one.flits, now_);
  if (movement_) movement_->take(node, one.port, one.message_class, one.flits, now_);
  untaken_.erase(found);
  for (auto& [queue, waiting] : waiting_) {
    if (waiting.check == Network::never) waiting.check = now_ + 1;
  }
  find_first_check();
}

void NetworkState::waits_for(NodeId node, int message_class, std::uint64_t id) {
  require_reception_limit("waits for");
  require_node(topology(), index(node), "node");
  require_class(message_class);
  if (places_.count(id) == 0) {
    throw std::invalid_argument(fmt::format(
        "message {}: it {}", id, id < count_ ? "has been received by all" : "was not sent"));
  }
  std::vector<std::uint64_t>& awaited =
      awaited_[{static_cast<std::uint32_t>(index(node)), message_class}];
  const auto is_here = [&](std::uint64_t one) { return places_.count(one) == 0; };
  awaited.erase(std::remove_if(awaited.begin(), awaited.end(), is_here), awaited.end());
  if (std::find(awaited.begin(), awaited.end(), id) == awaited.end()) awaited.push_back(id);
}

// --- Deadlock

std::vector<std::uint32_t> NetworkState::places_by_id() const {
  std::vector<std::uint32_t> places;
  for (std::uint32_t place = 0; place < sent_.size(); ++place) {
    if (sent_[place].receivers > 0) places.push_back(place);
  }
  std::sort(places.begin(), places.end(),
            [this](std::uint32_t a, std::uint32_t b) { return sent_[a].id < sent_[b].id; });
  return places;
}

// The log has a record at each place; the names of messages have their places among those that are
// left as their order, so that they lead back.
std::optional<NetworkDeadlock> NetworkState::deadlock() const {
  if (!is_stuck()) return std::nullopt;
  NetworkDeadlock deadlock = name_deadlock(true);
  if (reception_limit_ && deadlock.circle.empty()) return std::nullopt;
  return deadlock;
}

bool NetworkState::is_deadlocked_for_ever() const {
  return is_stuck() && (!reception_limit_ || !name_deadlock(false).circle.empty());
}

NetworkDeadlock NetworkState::name_deadlock(bool believes) const {
  const std::vector<std::uint32_t> places = places_by_id();
  std::vector<MessageRecord> records(sent_.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    records[places[i]] = record_of(sent_[places[i]]);
    records[places[i]].order = static_cast<int>(i);
  }
  MessageLog log;
  for (const MessageRecord& record : records) log.add(record);
  ContentionMonitor contention({log, plan_.routing, fabric_->routes()});
  const Deadlock found = find_among(log, contention, believes);
  NetworkDeadlock deadlock{found.cycle, found.stuck_messages, {}};
  const auto id_of = [&](const MessageName& name) {
    return sent_[places[static_cast<std::size_t>(name.order)]].id;
  };
  for (const DeadlockWait& wait : found.waits) {
    deadlock.circle.push_back(
        {id_of(wait.message), id_of(wait.held_by),
         fmt::format("{} waits for {}, held by {}", in_words(wait.message, topology()),
                     awaited_in_words(wait, plan_.router, topology()),
                     in_words(wait.held_by, topology()))});
  }
  return deadlock;
}

// Among the messages of a log that has a record at each place; tells `contention` of their waits.
Deadlock NetworkState::find_among(const MessageLog& log, ContentionMonitor& contention,
                                  bool believes) const {
  NetworkFabric::Awaited awaited;
  for (const auto& [queue, ids] : awaited_) {
    if (!believes) break;
    std::vector<MessageId>& messages = awaited[{queue.node, queue.message_class}];
    for (const std::uint64_t id : ids) {
      const auto found = places_.find(id);
      if (found != places_.end()) messages.push_back(MessageId{found->second});
    }
  }
  return fabric_->find_deadlock(log, reception_limit_ ? &awaited : nullptr, contention);
}

// --- What has been recorded

Results NetworkState::results() const {
  if (!record_) {
    throw std::invalid_argument(
        "results: the network keeps no record of its messages; it does where record is true");
  }
  return record_->results(now_, [this](const MessageLog& log, ContentionMonitor& contention) {
    return is_deadlocked() ? std::optional(find_among(log, contention, true)) : std::nullopt;
  });
}

Results NetworkState::explain(const ExplainRequest& request) const {
  if (!movement_) {
    throw std::invalid_argument(
        "explain: the network keeps no movement of its flits; it does where explain is true");
  }
  Results results = this->results();
  results.explanation = movement_->explain(request, record_->named_messages(), now_,
                                           is_idle() ? results.cycles : now_);
  results.explanation->no_bound =
      "A network that is driven has no lower bound: nothing of it is planned.";
  const std::string fault = missing_message(request, *results.explanation, topology());
  if (!fault.empty()) throw std::invalid_argument(fault);
  return results;
}

void NetworkState::show(const std::function<void(const ShownTrial&)>& show) const {
  if (!movement_) {
    throw std::invalid_argument(
        "show: the network keeps no movement of its flits; it does where explain is true");
  }
  movement_->show(record_->named_messages(), now_, is_idle() ? this->results().cycles : now_, show);
}

void NetworkState::finish_wave() {
  if (!has_wave_) {
    throw std::invalid_argument("finish wave: the network was asked for no wave");
  }
  if (is_calling_) {
    throw std::invalid_argument("a call-back that is told of room may send, but finishes no wave");
  }
  if (is_wave_finished_) return;
  is_wave_finished_ = true;
  fabric_->finish_wave(now_, results(), record_->named_messages());
}

}  // namespace allport
