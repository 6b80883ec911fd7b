// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/fabric.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rtl_model/base/fetch_ahead.h"
#include "rtl_model/systemc/fabric_part.h"
#include "rtl_model/systemc/router_cycle.h"

namespace allport {

/// The channels of one router: where they lead, and their registers.
class Fabric::NodeChannels final : public RouterChannels {
 public:
  NodeChannels(Fabric& fabric, std::uint32_t node)
      : fabric_(fabric),
        far_ends_(&fabric.far_ends_[static_cast<std::size_t>(node) *
                                    static_cast<std::size_t>(fabric.config_.external_ports)]),
        near_ends_(&fabric.near_ends_[static_cast<std::size_t>(node) *
                                      static_cast<std::size_t>(fabric.config_.external_ports)]),
        part_(&fabric.part_of(node)),
        node_(node) {}

  void send(int output, int vc, const Flit& flit) override {
    const Arrival& sent = put(output, vc, flit);
    for (FlitObserver* observer : fabric_.observers_.flits) {
      observer->on_sent(node_id(node_), output, sent.flit, fabric_.deciding_ + 1);
    }
  }

  void win(int output, int vc, const Flit& flit) override {
    if (fabric_.observers_.flits.empty()) return;
    Flit leaving = flit;
    leaving.vc = static_cast<VcId>(vc);
    for (FlitObserver* observer : fabric_.observers_.flits) {
      observer->on_won(node_id(node_), output, leaving, fabric_.deciding_);
    }
  }

  void return_credit(int input, int vc) override {
    const Cycle seen = fabric_.deciding_ + 1;
    if (fabric_.config_.is_external(input)) {
      const FarEnd& from = near_ends_[input];
      part_->credits_q[from.part].put(fabric_.deciding_ + from.hop, from.node, from.port, vc);
    } else {  // seen by the terminal in the next cycle, usable one cycle later
      part_->terminal_credits_q.put(seen + 1, node_, input - fabric_.config_.external_ports, vc);
    }
  }

  void return_ack(int input, int vc) override {
    const Cycle seen = fabric_.deciding_ + 1;
    for (FlitObserver* observer : fabric_.observers_.flits) {
      observer->on_acknowledged(node_id(node_), input, vc, seen);
    }
    if (fabric_.config_.is_external(input)) {
      const FarEnd& from = near_ends_[input];
      part_->acks_q[from.part].put(fabric_.deciding_ + from.hop, from.node, from.port, vc);
    } else {  // the same delay as for credits
      part_->terminal_acks_q.put(seen + 1, node_, input - fabric_.config_.external_ports, vc);
    }
  }

 private:
  // Returns what is in the register.
  const Arrival& put(int output, int vc, const Flit& flit) {
    if (!fabric_.config_.is_external(output)) {
      return part_->ejected_d.emplace_back(node_, output - fabric_.config_.external_ports, vc,
                                           flit);
    }
    const FarEnd& to = far_ends_[output];
    ++part_->flit_hops;
    return part_->arrivals_q[to.part].put(fabric_.deciding_ + to.hop, to.node, to.port, vc, flit);
  }

  Fabric& fabric_;
  const FarEnd* far_ends_;   // by external output
  const FarEnd* near_ends_;  // by external input
  Part* part_;
  std::uint32_t node_;
};

Fabric::Fabric(const sc_core::sc_module_name& name, const RouterConfig& config,
               const Routing& routing, const sc_core::sc_time& clock_period, StopFlag stop,
               FabricPace pace, const RouterParts& parts)
    : sc_module(name),
      CycleClock(clock_period),
      config_(config),
      routing_(routing),
      is_large_(routing.topology().router_count() > 128),
      is_huge_(routing.topology().router_count() > 2048),
      pace_(pace),
      parts_of_routers_(parts) {
  const auto part_count = static_cast<std::size_t>(parts_of_routers_.size());
  for (std::size_t i = 0; i < part_count; ++i) {
    parts_.push_back(std::make_unique<Part>(config_, i, part_count));
  }
  const Topology& topology = routing.topology();
  const std::size_t nodes = topology.router_count();
  const auto part_number = [&](std::size_t node) {
    return static_cast<std::uint8_t>(parts_of_routers_.of(node_id(node)));
  };
  far_ends_.reserve(nodes * static_cast<std::size_t>(config_.external_ports));
  near_ends_.reserve(far_ends_.capacity());
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (int port = 0; port < config_.external_ports; ++port) {
      const PortId output = port_id(static_cast<std::size_t>(port));
      const auto neighbour = topology.neighbour(node_id(node), output);
      const auto far = static_cast<std::uint32_t>(neighbour ? index(*neighbour) : node);
      const PortId arrival = neighbour ? topology.arrival_port(node_id(node), output) : PortId{};
      far_ends_.push_back({far, static_cast<std::uint8_t>(index(arrival)), part_number(far),
                           static_cast<std::uint16_t>(config_.hop_cycles_at(node_id(node), port))});
      const Channel from = topology.incoming(node_id(node), output).value_or(Channel{});
      near_ends_.push_back(
          {static_cast<std::uint32_t>(index(from.node)),
           static_cast<std::uint8_t>(index(from.port)), part_number(index(from.node)),
           static_cast<std::uint16_t>(1 + config_.input_delay_at(node_id(node), port))});
    }
  }
  channels_.reserve(nodes);
  routers_.reserve(nodes);
  for (std::uint32_t node = 0; node < nodes && !is_set(stop); ++node) {
    channels_.push_back(std::make_unique<NodeChannels>(*this, node));
    const std::string router_name = "router_" + std::to_string(node);
    routers_.push_back(std::make_unique<Router>(router_name.c_str(), config_, routing_,
                                                node_id(node), *channels_.back(),
                                                &part_of(node).arena));
  }
  models_.resize(nodes, nullptr);
  terminals_.resize(nodes, nullptr);
  is_awake_q_.resize(nodes, 0);
  evaluated_q_.resize(nodes, -1);
  called_q_.resize(nodes, -1);

  if (pace_ == FabricPace::calls) {
    is_at_edge_ = true;
    planned_ = 0;
    return;
  }
  SC_HAS_PROCESS(Fabric);
  SC_METHOD(clock_edge);
  SC_METHOD(end_cycle);
  sensitive << last_event_;
  dont_initialize();
}

Fabric::~Fabric() = default;

RouterChannels& Fabric::channels(NodeId node) { return *channels_[index(node)]; }

void Fabric::halt(const std::string& reason) {
  if (halted_.empty()) halted_ = reason;
  sc_core::sc_pause();
}

void Fabric::err(const LinkErrors& errors, std::uint64_t seed) {
  if (border_ != nullptr) throw std::logic_error("a fabric with a border does not err");
  erring_links_ = std::make_unique<ErringLinks>(config_, routing_.topology(), errors, seed);
}

std::uint64_t Fabric::flit_hops() const {
  std::uint64_t sum = 0;
  for (const auto& part : parts_) sum += part->flit_hops;
  return sum;
}

std::uint64_t Fabric::ejected_flits() const {
  std::uint64_t sum = 0;
  for (const auto& part : parts_) sum += part->ejected_flits;
  return sum;
}

Cycle Fabric::last_movement() const {
  Cycle last = -1;
  for (const auto& part : parts_) last = std::max(last, part->last_movement);
  return last;
}

Cycle Fabric::next_ejection() const {
  for (const auto& part : parts_) {
    if (!part->ejected_d.empty()) return deciding_ + 1;
  }
  return never;
}

void Fabric::reset(std::uint64_t trial) {
  halted_.clear();
  restart();
  are_apart_ = std::all_of(terminals_.begin(), terminals_.end(), [](const Terminal* terminal) {
    return terminal == nullptr || terminal->is_apart();
  });
  for (const auto& router : routers_) router->reset();
  for (RouterModel* model : models_) {
    if (model != nullptr) model->reset();
  }
  if (erring_links_) erring_links_->reset(trial);
  for (const auto& part : parts_) part->clear();
  receptions_.assign(receptions_.size(), {});
  noted_receptions_.clear();
  takes_.clear();
  wakes_q_ = {};
  last_q_.clear();
  last_event_.cancel();
  std::fill(is_awake_q_.begin(), is_awake_q_.end(), 0);
  std::fill(evaluated_q_.begin(), evaluated_q_.end(), -1);
  std::fill(called_q_.begin(), called_q_.end(), -1);
  is_at_edge_ = pace_ == FabricPace::calls;
  edge_ = 0;
  deciding_ = -1;
  planned_ = is_at_edge_ ? 0 : never;
  if (border_ == nullptr) return;
  window_end_ = window_ - 1;
  plan(window_end_ + 1);
}

bool Fabric::is_idle() const {
  for (std::size_t node = 0; node < routers_.size(); ++node) {
    if (!state(node_id(node)).is_idle()) return false;
  }
  return true;
}

void Fabric::substitute(NodeId node, RouterModel& model) {
  models_[index(node)] = &model;
  has_models_ = true;
}

void Fabric::settle_stalls(Cycle end) {
  for (std::size_t node = 0; node < routers_.size(); ++node) {
    if (state(node_id(node)).stalled().empty() || evaluated_q_[node] >= end) continue;
    tell_of_sleep(static_cast<std::uint32_t>(node), end);
    evaluated_q_[node] = end;
  }
}

void Fabric::tell_open_stalls(Cycle end, StallObserver& observer) const {
  for (std::size_t node = 0; node < routers_.size(); ++node) {
    const RouterState& router = state(node_id(node));
    const Cycle slept = end - evaluated_q_[node];
    if (router.stalled().empty() || slept <= 0) continue;
    observer.on_stalled(router, evaluated_q_[node] + 1, slept);
  }
}

inline void Fabric::wake_router(Part& part, std::uint32_t node) {
  if (is_awake_q_[node] != 0) return;
  is_awake_q_[node] = 1;
  part.awake_q.push_back(node);
}

inline void Fabric::evaluate(Part& part, std::uint32_t node, Cycle now) {
  Router& router = *routers_[node];
  RouterModel* model = has_models_ ? models_[node] : nullptr;
  const auto& stalled = model != nullptr ? model->state().stalled() : router.stalled();
  if (!stalled.empty()) tell_of_sleep(node, now - 1);
  evaluated_q_[node] = now;
  if (model != nullptr ? model->evaluate(now) : router.evaluate(now, *channels_[node]))
    wake_router(part, node);
  if (model != nullptr ? model->has_moved() : router.has_moved()) part.last_movement = now;
  if (!stalled.empty()) tell_of_stall(node, now, 1);
}

void Fabric::tell_of_stall(std::uint32_t node, Cycle first, Cycle cycles) const {
  const RouterState& router = state(node_id(node));
  for (StallObserver* observer : observers_.stalls) observer->on_stalled(router, first, cycles);
}

// Reports that a router that has slept with stalled flits since its last call was stalled up to
// cycle `last`.
void Fabric::tell_of_sleep(std::uint32_t node, Cycle last) const {
  const Cycle slept = last - evaluated_q_[node];
  if (slept > 0) tell_of_stall(node, last + 1 - slept, slept);
}

inline void Fabric::accept(std::uint32_t node, int input, const Flit& flit, Cycle now) {
  RouterModel* model = has_models_ ? models_[node] : nullptr;
  if (model != nullptr) {
    model->accept(input, flit, now);
  } else {
    routers_[node]->accept(input, flit, now);
  }
}

inline bool Fabric::accept_credit(const Credit& credit) {
  RouterModel* model = has_models_ ? models_[credit.node] : nullptr;
  return model != nullptr ? model->accept_credit(credit.output, credit.vc)
                          : routers_[credit.node]->accept_credit(credit.output, credit.vc);
}

void Fabric::accept_ack(Part& part, const Credit& ack) {
  RouterModel* model = has_models_ ? models_[ack.node] : nullptr;
  if (model != nullptr) {
    model->accept_ack(ack.output, ack.vc);
  } else {
    routers_[ack.node]->accept_ack(ack.output, ack.vc);
  }
  wake_router(part, ack.node);
}

void Fabric::inject(NodeId node, int port, const Flit& flit) {
  const Cycle now = cycle();
  const auto id = static_cast<std::uint32_t>(index(node));
  accept(id, config_.external_ports + port, flit, now);
  Part& part = part_of(id);
  wake_router(part, id);
  part.last_movement = now;
  for (FlitObserver* observer : observers_.flits) observer->on_injected(node, port, flit, now);
  plan(now + 1);
}

// Makes sure that clock_edge() runs at the edge that begins cycle `edge`.
void Fabric::plan(Cycle edge) {
  if (is_at_edge_ || edge >= planned_) return;
  planned_ = edge;
  wake_event_.notify(sc_core::SC_ZERO_TIME);
}

void Fabric::clock_edge() {
  const Cycle now = cycle();
  if (planned_ <= now) {
    is_at_edge_ = true;
    edge_ = now;
    if (next_router_cycle(now - 1) == now - 1) step(now - 1);
    deliver_ejected(now);
    call_terminals(now);
    is_at_edge_ = false;
  }
  schedule_next_edge(now);
}

void Fabric::limit_reception(std::int64_t limit) {
  reception_limit_ = limit;
  receptions_.resize(reception_place(static_cast<std::uint32_t>(router_count()), 0, 0));
}

void Fabric::take(NodeId node, int port, int vc, std::int64_t flits) {
  const Cycle now = cycle();
  takes_.push_back(
      {now, reception_place(static_cast<std::uint32_t>(index(node)), port, vc), flits});
  plan(now + 1);
}

void Fabric::note_reception(std::size_t place) {
  if (receptions_[place].is_noted) return;
  receptions_[place].is_noted = true;
  noted_receptions_.push_back(place);
}

// The credits that go on the wire in the cycle after `now`, whose flits and takes are all counted.
void Fabric::return_held_credits(Cycle now) {
  std::size_t done = 0;
  for (; done < takes_.size() && takes_[done].cycle <= now; ++done) {
    receptions_[takes_[done].place].flits -= takes_[done].flits;
    note_reception(takes_[done].place);
  }
  takes_.erase(takes_.begin(), takes_.begin() + static_cast<std::ptrdiff_t>(done));
  std::size_t kept = 0;
  for (const std::size_t place : noted_receptions_) {
    ReceptionBuffer& buffer = receptions_[place];
    buffer.is_noted = false;
    if (!buffer.returns_credit(config_.buffer_depth, reception_limit_)) continue;
    const auto classes = static_cast<std::size_t>(config_.classes);
    const auto internal = static_cast<std::size_t>(config_.internal_ports);
    const std::size_t channel = place / classes;
    const auto node = static_cast<std::uint32_t>(channel / internal);
    Part& part = part_of(node);
    part.credits_q[part.number].put(now + 1, node,
                                    config_.external_ports + static_cast<int>(channel % internal),
                                    static_cast<int>(place % classes));
    if (buffer.owed == 0) continue;
    buffer.is_noted = true;
    noted_receptions_[kept++] = place;
  }
  noted_receptions_.resize(kept);
}

void Fabric::decide(Cycle now) {
  turn_to(now);
  step(now);
}

bool Fabric::tells_terminals(Cycle cycle) const {
  return std::any_of(parts_.begin(), parts_.end(), [&](const std::unique_ptr<Part>& part) {
    return !part->terminal_credits_q.on(cycle).empty() || !part->terminal_acks_q.on(cycle).empty();
  });
}

Cycle Fabric::next_call() const {
  Cycle next = wakes_q_.empty() ? never : wakes_q_.top().cycle;
  for (const auto& part : parts_) {
    if (!part->calling_q.empty()) next = std::min(next, called_q_[part->calling_q.front()]);
  }
  for (Cycle cycle = std::max<Cycle>(edge_, 0); cycle <= deciding_ + 2; ++cycle) {
    if (tells_terminals(cycle)) return std::min(next, cycle);
  }
  return next;
}

// The credits of one part to another that are on the wires in cycle `now`, but for those that are
// lost.
void Fabric::accept_credits_kept(const std::vector<Credit>& credits, Part& to, Cycle now) {
  for (const Credit& credit : credits) {
    if (!erring_links_->loses_credit(credit.node, credit.output, credit.vc, now)) {
      if (accept_credit(credit)) wake_router(to, credit.node);
      continue;
    }
    const Channel channel{node_id(credit.node), port_id(credit.output)};
    for (LinkObserver* observer : observers_.links) {
      observer->on_credit_lost(channel, credit.vc, now);
    }
  }
}

void Fabric::accept_nacks(Cycle now) {
  for (const ErringLinks::Nack& nack : erring_links_->nacks(now)) {
    RouterModel* model = has_models_ ? models_[nack.node] : nullptr;
    if (model == nullptr) {
      routers_[nack.node]->accept_nack(nack.output, nack.until);
    } else {
      model->accept_nack(nack.output, nack.until);
      wake_router(part_of(nack.node), nack.node);
    }
  }
  erring_links_->clear(now);
}

// The flits on `line`, which goes to `to`, of which some are discarded and come again.
void Fabric::accept_what_is_sound(DelayLine<Arrival>& line, Part& to, Cycle now) {
  const auto ports = static_cast<std::size_t>(config_.external_ports);
  for (const Arrival& arrival : line.on(now)) {
    const FarEnd& from = near_ends_[arrival.node * ports + arrival.input];
    const ErringLinks::Meeting met = erring_links_->meet(from.node, from.port, now);
    if (met.again == 0) {
      accept(arrival.node, arrival.input, arrival.flit, now);
      wake_router(to, arrival.node);
      continue;
    }
    line.put(met.again, arrival);
    if (RouterModel* model = has_models_ ? models_[arrival.node] : nullptr) {
      model->discard(arrival.input, arrival.flit, met.is_hit, now);
      wake_router(to, arrival.node);
    }
    const Channel channel{node_id(from.node), port_id(from.port)};
    for (LinkObserver* observer : observers_.links) {
      if (met.is_hit) observer->on_error(channel, arrival.flit, now, met.nack);
      observer->on_discarded(channel, arrival.flit, now, met.again);
    }
  }
}

// What is on the wires to the routers of `part` in cycle `now`.
void Fabric::accept_all(Part& part, Cycle now) {
  for (const auto& from : parts_) {
    DelayLine<Credit>& credits = from->credits_q[part.number];
    if (erring_links_ == nullptr) {
      for (const Credit& credit : credits.on(now)) {
        if (accept_credit(credit)) wake_router(part, credit.node);
      }
    } else {
      accept_credits_kept(credits.on(now), part, now);
    }
    credits.clear(now);
    DelayLine<Credit>& acks = from->acks_q[part.number];
    for (const Credit& ack : acks.on(now)) accept_ack(part, ack);
    acks.clear(now);
    DelayLine<Arrival>& arrivals = from->arrivals_q[part.number];
    if (erring_links_ == nullptr) {
      walk_ahead<Router::steps_of_flit>(
          arrivals.on(now), is_huge_,
          [&](const Arrival& arrival, int step) {
            const auto vc = static_cast<int>(index(arrival.flit.vc));
            routers_[arrival.node]->fetch_for_flit(arrival.input, vc, step);
          },
          [&](const Arrival& arrival) {
            accept(arrival.node, arrival.input, arrival.flit, now);
            wake_router(part, arrival.node);
          });
    } else {
      accept_what_is_sound(arrivals, part, now);
    }
    arrivals.clear(now);
  }
}

// The routers of `part` that are awake decide cycle `now`.
void Fabric::decide_all(Part& part, Cycle now) {
  part.awake_d.swap(part.awake_q);
  part.awake_q.clear();
  walk_ahead<Router::steps_of_evaluation>(
      part.awake_d, is_large_,
      [&](std::uint32_t node, int step) { routers_[node]->fetch_for_evaluation(step); },
      [&](std::uint32_t node) {
        is_awake_q_[node] = 0;
        evaluate(part, node, now);
      });
}

void Fabric::step(Cycle now) {
  deciding_ = now;
  ++decided_.cycles;
  if (reception_limit_ > 0) return_held_credits(now);
  if (const int threads = threads_for(now); threads > 1) {
    decide_together(threads, now);
  } else {
    if (erring_links_ != nullptr) accept_nacks(now);
    for (const auto& part : parts_) accept_all(*part, now);
    for (CycleObserver* observer : observers_.cycles) observer->on_cycle(now);
    for (const auto& part : parts_) decide_all(*part, now);
  }
  if (now == window_end_) exchange(now);
}

void Fabric::schedule_next_edge(Cycle now) {
  const Cycle work = next_router_cycle(now);
  planned_ = work == never ? never : work + 1;
  for (const auto& part : parts_) {
    if (!part->calling_q.empty()) planned_ = now + 1;
  }
  if (!wakes_q_.empty()) planned_ = std::min(planned_, wakes_q_.top().cycle);
  for (Cycle ahead = 1; ahead <= 2; ++ahead) {
    if (tells_terminals(now + ahead)) planned_ = std::min(planned_, now + ahead);
  }
  const auto ahead = planned_ == never ? std::nullopt : this->ahead(planned_ - now);
  if (ahead) {
    next_trigger(*ahead - passed(), wake_event_);
  } else {
    next_trigger(wake_event_);
  }
}

// The first cycle from `now` on in which a router has something to decide or a credit arrives, or
// at whose end there is an exchange.
Cycle Fabric::next_router_cycle(Cycle now) const {
  const bool is_taken = !takes_.empty() && takes_.front().cycle <= now;
  if (!noted_receptions_.empty() || is_taken) return now;
  for (const auto& part : parts_) {
    if (!part->awake_q.empty()) return now;
  }
  const Cycle nack = erring_links_ ? erring_links_->next_nack(now).value_or(never) : never;
  const auto reach = static_cast<Cycle>(parts_.front()->credits_q.front().reach());
  for (Cycle cycle = now; cycle <= now + reach && cycle < window_end_; ++cycle) {
    if (cycle < 0) continue;
    if (cycle == nack || std::any_of(parts_.begin(), parts_.end(),
                                     [&](const auto& part) { return part->arrives(cycle, now); })) {
      return cycle;
    }
  }
  return window_end_;
}

}  // namespace allport
