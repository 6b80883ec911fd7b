// SPDX-License-Identifier: Apache-2.0
#include "testbench/network/flits/network_flits.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

#include "rtl_model/router/vc_choice.h"
#include "testbench/network/flits/flit_network.h"
#include "testbench/network/network_state.h"
#include "testbench/observe/monitors/deadlock_finder.h"
#include "testbench/observe/monitors/still_routers.h"
#include "testbench/observe/waves/gtkw_file.h"

namespace allport {

namespace {

// A fabric of routers that stands still, and what its clients wait for, if they take messages as
// they like.
class StillFlits final : public StillFabric {
 public:
  using Terminals = std::vector<std::unique_ptr<FlitTerminal>>;
  StillFlits(Fabric& fabric, const Terminals& terminals, const NetworkFabric::Awaited* awaited)
      : StillFabric(fabric), fabric_(fabric), terminals_(terminals), awaited_(awaited) {}

  std::vector<Queued> queue(NodeId node, int port, int message_class) const override {
    const InjectionQueue<WormRequest>& queue = terminals_[index(node)]->queue(port, message_class);
    std::vector<Queued> messages;
    for (std::size_t place = 0; place < queue.size(); ++place) {
      const WormRequest& one = queue.at(place);
      messages.push_back({one.message, place > 0 || queue.is_at_head(), one.start});
    }
    return messages;
  }
  std::optional<std::vector<MessageId>> awaited(NodeId node, int message_class) const override {
    if (awaited_ == nullptr) return std::nullopt;
    const auto found = awaited_->find({static_cast<std::uint32_t>(index(node)), message_class});
    return found == awaited_->end() ? std::vector<MessageId>{} : found->second;
  }
  std::uint32_t candidates(NodeId node, int input_vc, int output) const override {
    const RouterConfig& config = fabric_.config();
    const Router& router = fabric_.router(node);
    const int input = config.port_of(input_vc);
    const int message_class = config.message_class(input, input_vc - config.channel_vc(input, 0));
    const Route& route = router.route_computation.of(input_vc);
    if (route.is_adaptive) {
      const PortMask useful = router.route_computation.useful_ports(router.front(input_vc));
      return adaptive_vcs(config, output, useful, message_class);
    }
    const bool is_of_class_p = (route.outputs_of_class_p >> output & 1U) != 0;
    return class_vcs(config, output, is_of_class_p ? VcClass::p : route.vc_class, message_class);
  }
  PortMask alternatives(NodeId node, int input_vc, int output) const override {
    const Router& router = fabric_.router(node);
    const bool is_adaptive = router.route_computation.of(input_vc).is_adaptive;
    if (!is_adaptive || !router.config().is_external(output)) return PortMask{1} << output;
    return router.route_computation.useful_ports(router.front(input_vc));
  }

 private:
  Fabric& fabric_;
  const Terminals& terminals_;
  const NetworkFabric::Awaited* awaited_;  // null: nodes take everything at once
};

std::set<int>& taken_names() {
  static std::set<int> numbers;
  return numbers;
}

}  // namespace

NetworkName::NetworkName() {
  while (!taken_names().insert(number_).second) ++number_;
}

NetworkName::~NetworkName() { taken_names().erase(number_); }

NetworkFlits::NetworkFlits(const RunPlan& plan, WormListener& listener,
                           std::int64_t reception_limit)
    : plan_(plan),
      listener_(listener),
      fabric_(name_.text().c_str(), plan.router, plan.routing, CycleClock::finest_period(), nullptr,
              FabricPace::calls),
      routes_(plan.router) {
  for (std::size_t node = 0; node < plan.routing.topology().node_count(); ++node) {
    terminals_.push_back(std::make_unique<FlitTerminal>(fabric_, node_id(node),
                                                        static_cast<FlitTerminalListener&>(*this)));
  }
  if (plan.routing.is_adaptive()) fabric_.observe(routes_);
  if (reception_limit > 0) fabric_.limit_reception(reception_limit);
  fabric_.reset();
}

std::unique_ptr<NetworkFabric> NetworkFlits::copy(const RunPlan&, WormListener&) const {
  throw std::invalid_argument(
      "model systemc: a network of routers is not copied; one of worms is, and has the same cycles");
}

void NetworkFlits::send(const WormRequest& request) {
  const auto place = static_cast<std::size_t>(request.message);
  if (place >= injected_.size()) injected_.resize(2 * place + 1);
  ++messages_;
  if (plan_.routing.is_adaptive()) routes_.forget(request.message);
  terminals_[index(request.source)]->send(request);
}

void NetworkFlits::take(NodeId node, int port, int message_class, std::int64_t flits, Cycle now) {
  fabric_.turn_to(now);
  fabric_.take(node, port, message_class, flits);
  present_ = std::max(present_, WormCalendar::moment(now, WormPhase::reception));
}

Cycle NetworkFlits::next_moment() const {
  Cycle next = WormCalendar::never;
  const auto add = [&](Cycle cycle, WormPhase phase) {
    if (cycle != Fabric::never) next = std::min(next, WormCalendar::moment(cycle, phase));
  };
  add(fabric_.next_ejection(), WormPhase::reception);
  add(fabric_.next_call(), WormPhase::injection);
  add(fabric_.next_decision(WormCalendar::cycle_of(present_)), WormPhase::switching);
  return next;
}

void NetworkFlits::pass(Cycle moment) {
  const Cycle now = WormCalendar::cycle_of(moment);
  present_ = moment + 1;
  switch (WormCalendar::phase_of(moment)) {
    case WormPhase::reception:
      fabric_.deliver_ejected(now);
      tell_of_receptions();
      break;
    case WormPhase::injection:
      fabric_.call_terminals(now);
      break;
    case WormPhase::switching:
      fabric_.decide(now);
      break;
  }
}

// By node, then port.
void NetworkFlits::tell_of_receptions() {
  std::sort(received_.begin(), received_.end(), [](const WormReception& a, const WormReception& b) {
    return std::tie(a.destination, a.port) < std::tie(b.destination, b.port);
  });
  for (WormReception& one : received_) {
    one.injected = injected_[static_cast<std::size_t>(one.message)];
    listener_.on_received(one);
  }
  received_.clear();
}

std::int64_t NetworkFlits::unsent(NodeId node, int port, int message_class, Cycle) const {
  return terminals_[index(node)]->unsent(port, message_class);
}

void NetworkFlits::on_head(MessageId message, Cycle now) {
  injected_[static_cast<std::size_t>(message)] = now;
}

Deadlock NetworkFlits::find_deadlock(const MessageLog& log, const Awaited* awaited,
                                     ContentionMonitor& contention) const {
  const StillFlits still(fabric_, terminals_, awaited);
  fabric_.tell_open_stalls(still.deadlock_cycle(), contention);
  return allport::find_deadlock(still, log, contention);
}

void NetworkFlits::record(ContentionMonitor& contention) {
  const Topology& topology = plan_.routing.topology();
  crossings_.resize(topology.router_count() * topology.port_count());
  contention_ = &contention;
  fabric_.observe(contention);
  fabric_.observe(static_cast<FlitObserver&>(*this));
}

const RouteLog* NetworkFlits::routes() const {
  return plan_.routing.is_adaptive() ? &routes_ : nullptr;
}

// A flit crosses in the cycle in which its router decides to send it.
void NetworkFlits::on_sent(NodeId node, int output, const Flit&, Cycle) {
  if (plan_.router.exit_delay() == 0) count_crossing(node, output);
}

void NetworkFlits::on_won(NodeId node, int output, const Flit&, Cycle) {
  count_crossing(node, output);
}

void NetworkFlits::count_crossing(NodeId node, int output) {
  if (!plan_.router.is_external(output)) return;
  ++crossings_[index(node) * plan_.routing.topology().port_count() +
               static_cast<std::size_t>(output)];
}

void NetworkFlits::add_open_contention(Cycle now, ContentionMonitor& contention) const {
  fabric_.tell_open_stalls(now - 1, contention);
}

void NetworkFlits::write(Movement& movement, const MessageLog& log) {
  movement_ = std::make_unique<FlitMovement>(fabric_, log, movement);
  fabric_.observe(*movement_);
}

void NetworkFlits::finish_movement(Cycle, Movement& copy) const {
  FlitMovement(*movement_, copy).tell_of_held();
}

void NetworkFlits::go_on_writing(const NetworkFabric&, Movement&) {
  throw std::logic_error("a network of routers has no copies");
}

void NetworkFlits::record_wave(const NetworkWave& wave) {
  WaveOptions options;
  options.path = wave.path;
  options.nodes = wave.nodes;
  options.from = wave.from;
  options.to = wave.to;
  wave_ = std::make_unique<WaveRecorder>(
      fabric_, options, [this](MessageId message) { return message_name((*named_)[message]); },
      [this](const Loss& loss) { return contention_->rule().is_contention(loss); });
}

// With a network that stands idle it ends as that of a run does: when nothing is left to do,
// credits included, if that has been passed. The first moment that has not is in that cycle.
void NetworkFlits::finish_wave(Cycle now, const Results& results, const MessageLog& log) {
  const Cycle last = std::max<Cycle>(now - 1, 0);
  const Cycle done = WormCalendar::cycle_of(present_);
  const Cycle end = is_idle() ? std::min(last, std::max(results.cycles, done)) : last;
  named_ = &log;
  allport::end_wave(*wave_, end, results);
  named_ = nullptr;
}

Network flit_network(const NetworkRequest& request) {
  if (sc_core::sc_get_status() != sc_core::SC_ELABORATION) {
    throw std::invalid_argument(
        "model systemc: SystemC's kernel has started, and no routers can be made any more; make such networks before");
  }
  return Network(std::make_unique<NetworkState>(
      request, Model::systemc,
      [](const RunPlan& plan, WormListener& listener, std::int64_t reception_limit) {
        return std::make_unique<NetworkFlits>(plan, listener, reception_limit);
      }));
}

}  // namespace allport
