// SPDX-License-Identifier: Apache-2.0
// This file starts and ends worms; flow.cpp moves their flits.
#include "tlm/worm/engine.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/router/round_robin.h"
#include "tlm/worm/candidates.h"

namespace allport {

WormEngine::WormEngine(const RouterConfig& given, const Routing& routes, WormListener& listener,
                       std::int64_t reception_limit)
    : WormStore(given, routes, reception_limit),
      allocation_(*this),
      competition_(*this),
      convoys_(*this, allocation_, competition_, *this),
      junctions_(*this, allocation_, competition_, *this),
      trees_(*this),
      reception_buffers_(*this),
      lone_(*this, competition_),
      injections_(std::size_t{nodes} *
                  static_cast<std::size_t>(given.internal_ports * given.classes)),
      turns_(given.classes == 1
                 ? 1
                 : std::size_t{nodes} * static_cast<std::size_t>(given.internal_ports)) {
  client = &listener;
  lone_.reset();
}

void WormEngine::reset() {
  injections_.clear(0, end_of_injections() - first_injection);
  WormStore::reset();
  allocation_.reset();
  competition_.reset();
  convoys_.reset();
  turns_.clear();
  noted_turns_.clear();
  last_injection_ = -1;
  junctions_.reset();
  trees_.reset();
  reception_buffers_.reset();
  lone_.reset();
  coming_.clear();
  queue_.assign(1, Queued{});
  free_queued_ = 0;
  flit_hops_ = messages_ = decisions_ = 0;
}

int WormEngine::injection_port(NodeId source, NodeId destination, TieMask ties) const {
  const auto hop = routing.route(source, destination, ties);
  return internal_port_of(routing.topology(), source, hop->port, config.internal_ports);
}

std::uint64_t WormEngine::flit_hops() const {
  std::uint64_t hops = flit_hops_ + junctions_.flit_hops();
  if (is_idle()) return hops;
  for (const Passage& passage : passages) {
    const bool is_on_way = passage.junction == 0 && !passage.is_first && !passage.is_last;
    if (is_on_way) hops -= static_cast<std::uint64_t>(passage.length - passage.sent);
  }
  return hops;
}

WormEngine::Injection WormEngine::injection_at(NodeId node, int port, int message_class) const {
  const WormIndex vc = known_vc(injection_channel(static_cast<std::uint32_t>(index(node)), port));
  if (vc == 0) return {};
  return injections_[vc - first_injection + static_cast<std::uint32_t>(message_class)];
}

std::vector<WormQueued> WormEngine::queued(NodeId node, int port, int message_class) const {
  const Injection injection = injection_at(node, port, message_class);
  std::vector<WormQueued> messages;
  if (injection.passage != 0) {
    const Passage& first = passages[injection.passage];
    messages.push_back({first.message, first.sent == 0, injection.start});
  }
  for (std::uint32_t at = injection.first; at != 0; at = queue_[at].next) {
    messages.push_back({queue_[at].request.message, true, queue_[at].request.start});
  }
  return messages;
}

std::int64_t WormEngine::unsent(NodeId node, int port, int message_class, Cycle now) const {
  const Injection injection = injection_at(node, port, message_class);
  if (injection.passage == 0) return injection.waiting;
  return injection.waiting + passages[injection.passage].length -
         sent_before(injection.passage, now);
}

Cycle WormEngine::sent_before(WormIndex id, Cycle now) const {
  const Passage& passage = passages[id];
  if (worms[passage.worm].use == WormUse::lone) return lone_.sent_before(id, now);
  if (passage.is_asleep) return passage.sent + convoys_.slept(id, now);
  return passage.sent + (passage.is_running ? now - passage.at : 0);
}

void WormEngine::add_crossings(Cycle now, std::vector<std::uint64_t>& flits) const {
  for (const Worm& worm : worms) {
    for (WormIndex id = worm.first_passage; id < worm.first_passage + worm.passages; ++id) {
      const Passage& passage = passages[id];
      const bool is_external = !passage.is_first && !passage.is_last && passage.output != no_output;
      if (is_external) {
        flits[passage.out_channel] += static_cast<std::uint64_t>(sent_before(id, now));
      }
    }
  }
}

bool WormEngine::is_sending(NodeId node, int port, int message_class) const {
  const WormIndex id = injection_at(node, port, message_class).passage;
  if (id == 0) return false;
  const Passage& passage = passages[id];
  return passage.is_asleep || passage.is_running || worms[passage.worm].use == WormUse::lone;
}

void WormEngine::take(NodeId node, int port, int message_class, std::int64_t flits, Cycle now) {
  const auto number = static_cast<std::uint32_t>(index(node));
  const WormIndex vc = first_vc(ejection_channel(number, port));
  reception_buffers_.take(vc + static_cast<WormIndex>(message_class), flits, now);
}

void WormEngine::require_open(NodeId source, Cycle start) const {
  const Cycle first = present_calendar.first_open(WormPhase::injection);
  if (start >= first) return;
  throw std::invalid_argument("a message of node " + std::to_string(index(source)) +
                              " cannot start in cycle " + std::to_string(start) +
                              ": worms have been moved past it, and it must start in cycle " +
                              std::to_string(first) + " or later");
}

void WormEngine::send(const WormRequest& request) {
  require_open(request.source, request.start);
  ++messages_;
  // Unicasts stand still only by a table that nobody has proved.
  const bool may_stand_still = request.kind != MessageKind::unicast || reception_limit > 0;
  if (may_stand_still || routing.table() != nullptr) activity.begin(nodes);
  const int port = request.port >= 0
                       ? request.port
                       : injection_port(request.source, request.destination, request.ties);
  const std::uint32_t injection = injection_of(request.source, port, request.message_class);
  std::uint32_t at = free_queued_;
  if (at != 0) {
    free_queued_ = queue_[at].next;
  } else {
    at = static_cast<std::uint32_t>(queue_.size());
    queue_.emplace_back();
  }
  queue_[at] = {request, 0};
  queue_[at].request.port = port;
  Injection& queue = injections_[injection];
  queue.waiting += request.flits;
  if (queue.first != 0) {
    queue_[queue.last].next = at;
  } else {
    queue.first = at;
    if (queue.passage == 0) {
      calendar->post(request.start, WormPhase::injection, {injection, What::message});
    }
  }
  queue.last = at;
}

// Starts the next message of a class on an injection channel on which it is sending nothing.
void WormEngine::start_message(std::uint32_t injection, Cycle now) {
  Injection& queue = injections_[injection];
  if (queue.first == 0) return;
  const std::uint32_t at = queue.first;
  const WormRequest request = queue_[at].request;
  if (request.start > now) {
    calendar->post(request.start, WormPhase::injection, {injection, What::message});
    return;
  }
  queue.first = queue_[at].next;
  queue.waiting -= request.flits;
  queue_[at].next = free_queued_;
  free_queued_ = at;
  const bool is_tree = request.kind != MessageKind::unicast;
  if (is_tree) {  // where it comes by is not known
    for (const std::uint32_t worm : lone_.all()) go_on(worm, now);
    lone_.stop();
  }
  queue.passage = is_tree ? make_tree(request, injection) : make_worm(request, injection, now);
  queue.start = request.start;
  Passage& passage = passages[queue.passage];
  passage.at = now;
  const std::uint32_t worm = passage.worm;
  if (worms[worm].use == WormUse::lone) {
    begin_lone(worm);
  } else {
    note(queue.passage);
  }
}

WormIndex WormEngine::make_worm(const WormRequest& request, std::uint32_t injection, Cycle now) {
  const auto hops =
      static_cast<std::uint32_t>(routing.distance(request.source, request.destination));
  const std::uint32_t count = hops + 2;
  const WormIndex first = allocate_passages(count);
  const std::uint32_t worm = allocate_worm();
  worms[worm] = {request.message,
                 static_cast<std::uint32_t>(index(request.source)),
                 static_cast<std::uint32_t>(index(request.destination)),
                 first,
                 count,
                 0,
                 0,
                 0,
                 0,
                 0,
                 0,
                 0};
  convoys_.put_off(worm);
  for (WormIndex id = first; id < first + count; ++id) {
    passages[id] = Passage{};
    passages[id].worm = worm;
    passages[id].message = request.message;
    passages[id].length = request.flits;
  }
  lay_passages(request, first, count);
  if (lone_.is_kept()) {
    for (const std::uint32_t met : lone_.met_by(worms[worm])) go_on(met, now);
    lone_.begin(worm, is_followed(injection, now + request.flits), now);
  }
  begin(first, request.flits, injection);
  flit_hops_ += static_cast<std::uint64_t>(hops) * static_cast<std::uint64_t>(request.flits);
  return first;
}

// Whether the next message of a class is to start on an injection channel by cycle `end`.
bool WormEngine::is_followed(std::uint32_t injection, Cycle end) const {
  const std::uint32_t next = injections_[injection].first;
  return next != 0 && queue_[next].request.start <= end;
}

void WormEngine::begin_lone(std::uint32_t number) {
  const Worm& worm = worms[number];
  const Cycle left = lone_.end_of_injection(worm);
  if (tells_of_sent_) {
    calendar->post(left - 1, WormPhase::injection, {number, What::lone_tail});
  }
  calendar->post(left, WormPhase::injection, {number, What::lone_sent});
  calendar->post(lone_.end_of(worm), WormPhase::reception, {number, What::lone_received});
}

// A lone worm is no longer alone, in the phase of injection of cycle `now`: from then on it is
// moved like any other one, and catches up first. What the events that it waits for say is known
// then.
void WormEngine::go_on(std::uint32_t number, Cycle now) {
  lone_.end_lone(number);
  const Cycle begin = worms[number].injected;
  const bool has_left = worms[number].has_left;
  const Cycle end = lone_.end_of_injection(worms[number]);
  const WormIndex first = worms[number].first_passage;
  passages[first].at = begin;
  if (begin == now) {
    note(first);
    return;
  }
  std::vector<std::uint32_t> finished;
  std::vector<std::uint32_t> turns;
  finished.swap(finished_worms_);
  turns.swap(noted_turns_);
  const Cycle last_injection = last_injection_;
  channels[passages[first].out].owner = first;
  Injection& injection = injections_[passages[first].out - first_injection];
  const WormIndex sending = injection.passage;
  injection.passage = first;
  convoys_.catch_up_alone(number, begin, now);
  if (has_left && end == now) {
    passages[first].run_to(now);
    finish(first, now);
  }
  if (has_left) injection.passage = sending;
  last_injection_ = last_injection;
  finished.swap(finished_worms_);
  turns.swap(noted_turns_);
}

void WormEngine::tell_of_lone_tail(std::uint32_t number, Cycle now) {
  Worm& worm = worms[number];
  const bool is_due = worm.use == WormUse::lone && lone_.end_of_injection(worm) == now + 1;
  if (!is_due || worm.is_tail_told) return;
  tell_of_tail(worm.first_passage, now);
  worms[number].is_tail_told = true;
}

void WormEngine::leave_injection(std::uint32_t number, Cycle now) {
  Worm& worm = worms[number];
  const bool is_due = worm.use == WormUse::lone && lone_.end_of_injection(worm) == now;
  if (!is_due || worm.has_left) return;
  worm.has_left = true;
  const WormIndex out = passages[worm.first_passage].out;
  channels[out].owner = 0;
  const std::uint32_t injection = out - first_injection;
  injections_[injection].passage = 0;
  if (config.classes > 1) {
    const auto classes = static_cast<std::uint32_t>(config.classes);
    turns_[injection / classes].pointer = static_cast<std::uint8_t>(
        round_robin_next(static_cast<int>(injection % classes), config.classes));
  }
  start_message(injection, now);
}

void WormEngine::receive_lone(std::uint32_t number, Cycle now) {
  const bool is_due = worms[number].use == WormUse::lone && lone_.end_of(worms[number]) == now;
  if (!is_due) return;
  const Cycle head = lone_.receive(number);
  const Worm& worm = worms[number];
  const Passage& last = passages[worm.first_passage + worm.passages - 1];
  receive_later({last.message, worm.destination, last.output - config.external_ports, worm.injected,
                 head, now},
                number);
}

WormIndex WormEngine::make_tree(const WormRequest& request, std::uint32_t injection) {
  const WormIndex first = trees_.start(request);
  begin(first, request.flits, injection);
  return first;
}

// Gives the injection channel to `first`, which leads onto it.
void WormEngine::begin(WormIndex first, int flits, std::uint32_t injection) {
  Passage& out = passages[first];
  out.is_first = true;
  out.arrived = flits;
  out.has_channel = true;
  out.out = first_injection + injection;
  channels[out.out].owner = first;
}

// Sets the way of the worm: every passage but the first is one of a router.
void WormEngine::lay_passages(const WormRequest& request, WormIndex first, std::uint32_t count) {
  const Topology& topology = routing.topology();
  NodeId here = request.source;
  VcClass arrival = VcClass::injected;
  int arrived_on = 0;  // input port; at the source's router, its injection channel
  for (WormIndex id = first + 1; id < first + count; ++id) {
    Passage& passage = passages[id];
    passage.node = static_cast<std::uint32_t>(index(here));
    if (id == first + count - 1) {
      const PortId input = port_id(static_cast<std::size_t>(arrived_on));
      const int port = internal_port_of(topology, here, input, config.internal_ports);
      passage.is_last = true;
      passage.output = static_cast<std::uint8_t>(config.external_ports + port);
      passage.out_channel = ejection_channel(passage.node, port);
      passage.candidates = static_cast<std::uint16_t>(1U << request.message_class);
    } else {
      const Hop hop = *routing.route(here, request.destination, request.ties, arrival);
      arrival = hop.vc_class;
      passage.output = static_cast<std::uint8_t>(index(hop.port));
      passage.out_channel =
          passage.node * static_cast<std::uint32_t>(config.external_ports) + passage.output;
      set_narrow(passage);
      if (id == first + 1) arrived_on = config.external_ports + request.port;
      passage.candidates =
          candidates_of(routing, config, here, hop, arrived_on, request.message_class);
      here = *topology.neighbour(here, hop.port);
    }
    passage.out = first_vc(passage.out_channel);
    if (id == first + 1) {
      passage.in_channel = injection_channel(passage.node, request.port);
      passage.in = first_vc(passage.in_channel) + static_cast<WormIndex>(request.message_class);
      passage.input_vc =
          static_cast<std::uint16_t>(config.channel_vc(arrived_on, request.message_class));
    } else {
      passage.in_channel = passages[id - 1].out_channel;
    }
    passage.input = static_cast<std::uint8_t>(arrived_on);
    if (!passage.is_last)
      arrived_on = static_cast<int>(
          index(topology.arrival_port(node_id(passage.node), port_id(passage.output))));
  }
}

void WormEngine::free_worm(std::uint32_t worm) {
  lone_.end_use(worms[worm]);
  messages_ -= worms[worm].tree == 0 ? 1 : trees_.end(worms[worm].tree);
  free(worm);
}

void WormEngine::receive(WormIndex id, Cycle now) {
  const Passage& passage = passages[id];
  const Worm& worm = worms[passage.worm];
  receive_later({passage.message, passage.node, passage.output - config.external_ports,
                 worm.injected, branches[id].head, now},
                trees_.ends(worm.tree) ? passage.worm : no_worm);
}

// Its tail was sent in the cycle before `reception.tail`, and is on the ejection channel x cycles
// later: what it has moved is known until then. `ended`: the worm that is over with it, if one is.
void WormEngine::receive_later(WormReception reception, std::uint32_t ended) {
  const Cycle sent = reception.tail;
  if (config.exit_delay() == 0) {
    receptions_.push_back(reception);
    if (ended != no_worm) finished_worms_.push_back(ended);
    return;
  }
  reception.tail = sent + config.exit_delay();
  if (coming_.empty() || coming_.back().reception.tail != reception.tail) {
    calendar->post(reception.tail, WormPhase::reception, {0, What::received});
  }
  coming_.push_back({reception, ended});
}

void WormEngine::receive_due(Cycle now) {
  while (!coming_.empty() && coming_.front().reception.tail <= now) {
    receptions_.push_back(coming_.front().reception);
    if (coming_.front().ended != no_worm) finished_worms_.push_back(coming_.front().ended);
    coming_.pop_front();
  }
}

// Several tails of a node in one cycle are reported by port, in the order in which its router sends
// them.
void WormEngine::receive_all(Cycle now) {
  if (receptions_.empty()) return;
  std::sort(receptions_.begin(), receptions_.end(),
            [](const WormReception& a, const WormReception& b) {
              return std::tie(a.destination, a.port) < std::tie(b.destination, b.port);
            });
  for (WormReception& reception : receptions_) {
    reception.tail = now;
    client->on_received(reception);
  }
  receptions_.clear();
}

void WormEngine::pass(Cycle moment) {
  const Cycle now = WormCalendar::cycle_of(moment);
  const WormPhase phase = WormCalendar::phase_of(moment);
  std::vector<WormEvent>& events = calendar->turn_to(moment);
  const bool is_switching = phase == WormPhase::switching;
  if (is_switching) convoys_.watch(now);
  std::size_t done = 0;
  do {
    happen_all(events, done, phase, now);
    if (phase == WormPhase::reception) receive_all(now);
    if (phase == WormPhase::injection) decide_injections(now);
    if (is_switching) {
      reception_buffers_.return_credits(now);
      decide_routers(now);
    }
  } while (done < events.size());
  calendar->finish_page(moment);
  for (const std::uint32_t worm : finished_worms_) free_worm(worm);
  finished_worms_.clear();
  convoys_.look_for_convoys(now);
}

}  // namespace allport
