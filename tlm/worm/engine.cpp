// SPDX-License-Identifier: Apache-2.0
// Worms come and go; what follows is in worm_flow.cpp, worm_allocation.cpp and
// worm_competition.cpp.
#include "tlm/worm/engine.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <tuple>

namespace allport {

/// Zeroed memory that costs nothing where it is not touched: a 20-cube has sixty million channels.
struct WormEngine::Memory {
  Memory(std::size_t channel_count, std::size_t injection_count)
      : channels(static_cast<WormChannel*>(std::calloc(channel_count, sizeof(WormChannel)))),
        injections(static_cast<Injection*>(std::calloc(injection_count, sizeof(Injection)))) {
    if (channels == nullptr || injections == nullptr) throw std::bad_alloc();
  }
  ~Memory() {
    std::free(channels);
    std::free(injections);
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  WormChannel* channels;
  Injection* injections;
};

WormEngine::WormEngine(const RouterConfig& config, const Routing& routing, WormListener& listener)
    : config_(config),
      routing_(routing),
      listener_(listener),
      nodes_(static_cast<std::uint32_t>(routing.topology().node_count())),
      first_injection_(1 + nodes_ * static_cast<WormIndex>(config.external_ports * config.vcs)),
      first_ejection_(first_injection_ + nodes_ * static_cast<WormIndex>(config.internal_ports)),
      hop_cycles_(1 + config.link_delay_cycles) {
  if (config.vcs > 1) {
    shares_.resize(std::size_t{nodes_} *
                   static_cast<std::size_t>(config.external_ports + 2 * config.internal_ports));
    competing_.resize(nodes_);
    router_is_noted_.resize(nodes_);
  }
  winners_.resize(static_cast<std::size_t>(config.ports()));
  reset();
}

WormEngine::~WormEngine() = default;

void WormEngine::reset() {
  const auto internal = static_cast<WormIndex>(config_.internal_ports);
  memory_ = nullptr;  // before the new one is taken
  memory_ = std::make_unique<Memory>(first_ejection_ + nodes_ * internal, nodes_ * internal);
  channels_ = memory_->channels;
  injections_ = memory_->injections;
  present_calendar_.clear();
  convoys_.assign(1, WormConvoy{});
  free_convoys_.clear();
  watched_convoys_.clear();
  restless_worms_.clear();
  live_convoys_ = 0;
  passages_.assign(1, Passage{});
  for (auto& list : free_passages_) list.clear();
  worms_.clear();
  free_worms_.clear();
  queue_.assign(1, Queued{});
  free_queued_ = 0;
  std::fill(shares_.begin(), shares_.end(), Share{});
  std::fill(competing_.begin(), competing_.end(), 0);
  std::fill(router_is_noted_.begin(), router_is_noted_.end(), 0);
  noted_.clear();
  noted_outputs_.clear();
  noted_routers_.clear();
  flit_hops_ = messages_ = decisions_ = 0;
}

int WormEngine::injection_port(NodeId source, NodeId destination, TieMask ties) const {
  const auto hop = routing_.route(source, destination, ties);
  return config_.internal_port(static_cast<int>(index(hop->port)));
}

void WormEngine::send(const WormRequest& request) {
  ++messages_;
  const int port = injection_port(request.source, request.destination, request.ties);
  const auto injection = static_cast<std::uint32_t>(
      index(request.source) * static_cast<std::size_t>(config_.internal_ports) +
      static_cast<std::size_t>(port));
  std::uint32_t at = free_queued_;
  if (at != 0) {
    free_queued_ = queue_[at].next;
  } else {
    at = static_cast<std::uint32_t>(queue_.size());
    queue_.emplace_back();
  }
  queue_[at] = {request, 0};
  Injection& queue = injections_[injection];
  if (queue.first != 0) {
    queue_[queue.last].next = at;
  } else {
    queue.first = at;
    if (queue.passage == 0) {
      calendar_->post(request.start, WormPhase::injection, {injection, What::message});
    }
  }
  queue.last = at;
}

// The next message of an injection channel on which nothing is being sent.
void WormEngine::start_message(std::uint32_t injection, Cycle now) {
  Injection& queue = injections_[injection];
  if (queue.first == 0) return;
  const std::uint32_t at = queue.first;
  const WormRequest request = queue_[at].request;
  if (request.start > now) {
    calendar_->post(request.start, WormPhase::injection, {injection, What::message});
    return;
  }
  queue.first = queue_[at].next;
  queue_[at].next = free_queued_;
  free_queued_ = at;
  queue.passage = make_worm(request, injection);
  Passage& passage = passages_[queue.passage];
  passage.at = now;
  note(queue.passage);
}

WormIndex WormEngine::allocate_passages(std::uint32_t count) {
  if (count >= free_passages_.size()) free_passages_.resize(count + 1);
  std::vector<WormIndex>& free = free_passages_[count];
  if (!free.empty()) {
    const WormIndex first = free.back();
    free.pop_back();
    return first;
  }
  const auto first = static_cast<WormIndex>(passages_.size());
  passages_.resize(passages_.size() + count);
  return first;
}

WormIndex WormEngine::make_worm(const WormRequest& request, std::uint32_t injection) {
  const auto hops =
      static_cast<std::uint32_t>(routing_.distance(request.source, request.destination));
  const std::uint32_t count = hops + 2;
  const WormIndex first = allocate_passages(count);
  std::uint32_t worm = 0;
  if (free_worms_.empty()) {
    worm = static_cast<std::uint32_t>(worms_.size());
    worms_.emplace_back();
  } else {
    worm = free_worms_.back();
    free_worms_.pop_back();
  }
  worms_[worm] = {request.message,
                  static_cast<std::uint32_t>(index(request.source)),
                  static_cast<std::uint32_t>(index(request.destination)),
                  first,
                  count,
                  0,
                  0,
                  0,
                  0,
                  0,
                  0};
  put_off(worm);
  for (WormIndex id = first; id < first + count; ++id) {
    passages_[id] = Passage{};
    passages_[id].worm = worm;
    passages_[id].message = request.message;
    passages_[id].length = request.flits;
  }
  lay_passages(request, first, count);
  Passage& out = passages_[first];
  out.is_first = true;
  out.arrived = request.flits;
  out.has_channel = true;
  out.out = first_injection_ + injection;
  channels_[out.out].owner = first;
  flit_hops_ += static_cast<std::uint64_t>(hops) * static_cast<std::uint64_t>(request.flits);
  return first;
}

// Where the worm goes through: every passage but the first is one of a router.
void WormEngine::lay_passages(const WormRequest& request, WormIndex first, std::uint32_t count) {
  const auto external = static_cast<std::uint32_t>(config_.external_ports);
  const auto internal = static_cast<std::uint32_t>(config_.internal_ports);
  const auto vcs = static_cast<std::uint32_t>(config_.vcs);
  const Topology& topology = routing_.topology();
  NodeId here = request.source;
  int arrived_on = 0;  // input port; of the source's router, its injection channel
  for (WormIndex id = first + 1; id < first + count; ++id) {
    Passage& passage = passages_[id];
    passage.node = static_cast<std::uint32_t>(index(here));
    if (id == first + count - 1) {
      const int port = config_.internal_port(arrived_on);
      passage.is_last = true;
      passage.output = static_cast<std::uint8_t>(external + static_cast<std::uint32_t>(port));
      const std::uint32_t ejection = passage.node * internal + static_cast<std::uint32_t>(port);
      passage.out = first_ejection_ + ejection;
      passage.out_channel = nodes_ * (external + internal) + ejection;
    } else {
      const Hop hop = *routing_.route(here, request.destination, request.ties);
      passage.output = static_cast<std::uint8_t>(index(hop.port));
      passage.out_channel = passage.node * external + passage.output;
      passage.out = 1 + passage.out_channel * vcs;
      passage.class_count = static_cast<std::uint8_t>(config_.vc_classes ? vcs / 2 : vcs);
      const bool upper = config_.vc_classes && hop.vc_class == VcClass::p;
      passage.class_first = static_cast<std::uint8_t>(upper ? vcs / 2 : 0);
      if (id == first + 1)
        arrived_on = config_.external_ports + config_.internal_port(passage.output);
      here = *topology.neighbour(here, hop.port);
    }
    if (id == first + 1) {
      const auto port = static_cast<std::uint32_t>(arrived_on) - external;
      passage.in = first_injection_ + passage.node * internal + port;
      passage.in_channel = nodes_ * external + passage.node * internal + port;
      passage.input_vc = static_cast<std::uint16_t>(external * vcs + port);
    } else {
      passage.in_channel = passages_[id - 1].out_channel;
    }
    passage.input = static_cast<std::uint8_t>(arrived_on);
    if (!passage.is_last)
      arrived_on = static_cast<int>(index(topology.arrival_port(port_id(passage.output))));
  }
}

void WormEngine::free_worm(std::uint32_t worm) {
  const Worm& gone = worms_[worm];
  free_passages_[gone.passages].push_back(gone.first_passage);
  free_worms_.push_back(worm);
  --messages_;
}

// Several tails of a node in one cycle are told by port, as its router sends them.
void WormEngine::receive_all(Cycle now) {
  if (receptions_.empty()) return;
  std::sort(receptions_.begin(), receptions_.end(),
            [](const WormReception& a, const WormReception& b) {
              return std::tie(a.destination, a.port) < std::tie(b.destination, b.port);
            });
  for (WormReception& reception : receptions_) {
    reception.tail = now;
    listener_.on_received(reception);
  }
  receptions_.clear();
}

void WormEngine::pass(Cycle moment) {
  const Cycle now = WormCalendar::cycle_of(moment);
  const WormPhase phase = WormCalendar::phase_of(moment);
  std::vector<WormEvent>& events = calendar_->turn_to(moment);
  const bool is_switching = phase == WormPhase::switching;
  if (is_switching && catching_up_ == 0) watch_convoys(now);
  std::size_t done = 0;
  do {
    for (; done < events.size(); ++done) happen(events[done], phase, now);
    if (phase == WormPhase::reception) receive_all(now);
    if (phase == WormPhase::injection) decide_injections(now);
    if (is_switching) decide_routers(now);
  } while (done < events.size());
  calendar_->finish_page(moment);
  for (const std::uint32_t worm : finished_worms_) free_worm(worm);
  finished_worms_.clear();
  if (!restless_worms_.empty() && catching_up_ == 0) look_for_convoys(now);
}

}  // namespace allport
