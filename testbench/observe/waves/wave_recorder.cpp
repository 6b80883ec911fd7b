// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/wave_recorder.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace allport {

namespace {

const WaveOptions& validated(const WaveOptions& options, const Fabric& fabric) {
  if (options.from < 0 || options.to < options.from) {
    throw std::invalid_argument("wave from cycle " + std::to_string(options.from) + " to cycle " +
                                std::to_string(options.to) +
                                ": must be 0 or later, in ascending order");
  }
  for (const NodeId node : options.nodes) {
    if (index(node) < fabric.router_count()) continue;
    throw std::invalid_argument("wave of node " + std::to_string(index(node)) + ": must be 0.." +
                                std::to_string(fabric.router_count() - 1));
  }
  return options;
}

}  // namespace

WaveRecorder::WaveRecorder(Fabric& fabric, const WaveOptions& options, MessageNames name,
                           IsContention is_contention)
    : fabric_(fabric),
      path_(validated(options, fabric).path),
      name_(std::move(name)),
      is_contention_(is_contention ? std::move(is_contention)
                                   : [](const Loss& loss) { return loss.waiting != loss.holding; }),
      is_twins_contention_([this](const Loss& loss) {
        const bool is_known = is_seen(loss.waiting) && is_seen(loss.holding);
        return is_known ? is_contention_(loss) : loss.waiting != loss.holding;
      }),
      window_(create_wave_file(path_), options.from, options.to),
      has_joins_(options.has_joins),
      ports_(fabric.config().ports()),
      recorded_(fabric.router_count(), -1) {
  declare(options.nodes);
  find_far_inputs();
  fabric_.observe(*this);
}

WaveRecorder::~WaveRecorder() = default;

void WaveRecorder::declare(std::vector<NodeId> nodes) {
  if (nodes.empty()) {
    for (std::size_t i = 0; i < fabric_.router_count(); ++i) nodes.push_back(node_id(i));
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  window_.open_scope(wave::fabric_scope);
  static_assert(switching_modes.size() <= std::size_t{1} << wave::switching.width);
  const auto mode = static_cast<std::uint64_t>(fabric_.config().switching);
  if (mode != 0) window_.declare(wave::switching.name, wave::switching.width, mode);
  for (const NodeId node : nodes) {
    recorded_[index(node)] = static_cast<std::int32_t>(routers_.size());
    routers_.push_back(
        std::make_unique<RouterWave>(window_, fabric_.state(node), fabric_.routing(), has_joins_));
  }
  window_.close_scope();
  twin_places_.resize(routers_.size(), -1);
  busy_in_.resize(routers_.size() * 2 * static_cast<std::size_t>(ports_), -1);
}

void WaveRecorder::add_twins(std::vector<RouterTwin> twins) {
  window_.open_scope(wave::twin_scope);
  for (RouterTwin& twin : twins) {
    const std::int32_t router = recorded_[index(twin.state->node())];
    RouterWave* shown = nullptr;
    if (router >= 0) {
      twin_places_[static_cast<std::size_t>(router)] = static_cast<std::int32_t>(routers_.size());
      routers_.push_back(
          std::make_unique<RouterWave>(window_, *twin.state, fabric_.routing(), has_joins_, &twin));
      shown = routers_.back().get();
      twin.observe(&twin_flits_);
    }
    twins_.push_back({std::move(twin), static_cast<std::size_t>(router), shown});
  }
  window_.close_scope();
  busy_in_.resize(routers_.size() * 2 * static_cast<std::size_t>(ports_), -1);
}

void WaveRecorder::find_far_inputs() {
  const Topology& topology = fabric_.routing().topology();
  for (std::size_t node = 0; node < fabric_.router_count(); ++node) {
    for (int port = 0; port < fabric_.config().external_ports; ++port) {
      const PortId output = port_id(static_cast<std::size_t>(port));
      const auto neighbour = topology.neighbour(node_id(node), output);
      const int arrival = static_cast<int>(index(topology.arrival_port(node_id(node), output)));
      far_inputs_.push_back(neighbour ? input_line(*neighbour, arrival) : no_line);
    }
  }
}

WaveRecorder::Line WaveRecorder::input_line(NodeId node, int input) const {
  const std::int32_t router = recorded_[index(node)];
  return router < 0 ? no_line : router * 2 * ports_ + input;
}

WaveRecorder::Line WaveRecorder::output_line(NodeId node, int output) const {
  const Line first = input_line(node, 0);
  return first == no_line ? no_line : first + ports_ + output;
}

void WaveRecorder::on_injected(NodeId node, int port, const Flit& flit, Cycle on_channel) {
  const Line line = input_line(node, fabric_.config().external_ports + port);
  if (line != no_line && !is_over_) near_.push_back({on_channel, line, flit});
}

void WaveRecorder::on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) {
  if (is_over_) return;
  const RouterConfig& config = fabric_.config();
  const Line line = output_line(node, output);
  if (line != no_line) {
    near_.push_back({on_channel, line, flit});
    const bool is_spent = config.exit_delay() > 0;  // when it won
    if (!is_spent) router_of(line).spend_credit(output, static_cast<int>(index(flit.vc)));
  }
  if (!config.is_external(output)) return;
  const Line far = far_input({node, port_id(static_cast<std::size_t>(output))});
  if (far == no_line) return;
  put_far({on_channel - 1 + config.hop_cycles_at(node, output), far, flit});
}

void WaveRecorder::put_far(const Event& event) {
  const auto is_later = [](const Event& a, const Event& b) { return a.cycle < b.cycle; };
  far_.insert(std::upper_bound(far_.begin(), far_.end(), event, is_later), event);
}

void WaveRecorder::put_mark(const Mark& mark) {
  if (mark.line == no_line) return;
  const auto is_later = [](const Mark& a, const Mark& b) { return a.cycle < b.cycle; };
  marks_.insert(std::upper_bound(marks_.begin(), marks_.end(), mark, is_later), mark);
}

void WaveRecorder::on_error(Channel channel, const Flit& flit, Cycle now, Cycle nack) {
  if (is_over_) return;
  const Line far = far_input(channel);
  const Line line = output_line(channel.node, static_cast<int>(index(channel.port)));
  put_mark({now, far});
  put_mark({nack, line});
  const bool is_shown = far != no_line || line != no_line;
  if (is_shown && now >= window_.from()) errors_.push_back({channel, now, flit.message});
}

// It is on the channel, and will be once more, as on its sender's output before.
void WaveRecorder::on_discarded(Channel channel, const Flit& flit, Cycle now, Cycle again) {
  if (is_over_) return;
  const auto output = static_cast<int>(index(channel.port));
  const Line line = output_line(channel.node, output);
  const Cycle hop = fabric_.config().hop_cycles_at(channel.node, output);
  if (line != no_line) put_far({again + 1 - hop, line, flit});
  const Line far = far_input(channel);
  if (far == no_line) return;
  for (Event& event : far_) {
    if (event.cycle == now && event.line == far) event.is_discarded = true;
  }
  put_far({again, far, flit});
}

void WaveRecorder::on_won(NodeId node, int output, const Flit& flit, Cycle) {
  if (is_over_) return;
  const auto vc = static_cast<int>(index(flit.vc));
  const Line line = output_line(node, output);
  if (line == no_line) return;
  router_of(line).spend_credit(output, vc);
  if (RouterWave* twin = twin_of(line)) {
    if (twin->has_output(output)) twin->spend_credit(output, vc);
  }
}

void WaveRecorder::on_sent_by_twin(NodeId node, int output, const Flit& flit, Cycle on_channel) {
  if (is_over_) return;
  const Line line = twin_line(node);
  if (!router_of(line).has_output(output)) return;
  near_.push_back({on_channel, line + ports_ + output, flit});
  if (fabric_.config().exit_delay() > 0) return;  // on_won() has
  router_of(line).spend_credit(output, static_cast<int>(index(flit.vc)));
}

void WaveRecorder::on_acknowledged(NodeId node, int input, int vc, Cycle on_wire) {
  const Line line = input_line(node, input);
  if (line != no_line && !is_over_) acks_.push_back({on_wire, line, vc});
}

void WaveRecorder::on_acknowledged_by_twin(NodeId node, int input, int vc, Cycle on_wire) {
  const Line line = twin_line(node);
  if (is_over_ || !router_of(line).has_input(input)) return;
  acks_.push_back({on_wire, line + input, vc});
}

void WaveRecorder::on_cycle(Cycle now) {
  if (now <= last_) is_over_ = true;  // the fabric was reset
  if (is_over_) return;
  show_settled(now, true);
  window_.at(now);
  show_channels(now);
  show_differences(now);
  for (const auto& router : routers_) router->show_arrived(now);
  last_ = now;
  is_over_ = window_.is_over();
}

// Shows the effects of the last cycle's decisions up to the cycle before `now`. `has_accepted`: the
// routers have already accepted what arrives until then.
void WaveRecorder::show_settled(Cycle now, bool has_accepted) {
  if (last_ >= 0) {
    for (std::size_t i = 0; i < routers_.size(); ++i) {
      const bool is_twin = i >= twin_places_.size();
      routers_[i]->show_contention(last_, now, is_twin ? is_twins_contention_ : is_contention_);
    }
  }
  Cycle cycle = last_ + 1;
  if (cycle == now) return;
  hide_arrivals(near_, now);
  if (has_accepted) hide_arrivals(far_, now);
  window_.at(cycle);
  for (const auto& router : routers_) router->show_settled(cycle);
  while (cycle < now) {
    window_.at(cycle);
    show_channels(cycle);
    const bool differs = show_differences(cycle);
    const bool is_idle = busy_.empty() && shown_acks_.empty() && shown_marks_.empty() && !differs;
    cycle = is_idle ? std::min(now, next_event()) : cycle + 1;
  }
}

// Whether twins differ in `cycle`.
bool WaveRecorder::show_differences(Cycle cycle) {
  bool any = false;
  for (const Twin& twin : twins_) {
    if (twin.shown == nullptr) continue;
    const std::optional<TwinDifference> difference = twin.model.difference();
    const bool differs = difference && difference->cycle == cycle;
    twin.shown->show_difference(differs);
    any = any || differs;
  }
  return any;
}

// Hides arrivals up to `until`, which the routers already hold but did not in the cycle after the
// last one.
void WaveRecorder::hide_arrivals(const std::deque<Event>& events, Cycle until) {
  for (const Event& event : events) {
    const bool is_taken = is_input(event.line) && !event.is_discarded;
    if (!is_taken || event.cycle <= last_ + 1 || event.cycle > until) continue;
    const int input = event.line % ports_;
    const int vc = static_cast<int>(index(event.flit.vc));
    router_of(event.line).hide_arrival(input, vc);
    if (RouterWave* twin = twin_of(event.line)) twin->hide_arrival(input, vc);
  }
}

Cycle WaveRecorder::next_event() const {
  Cycle next = WaveWindow::no_end;
  if (!near_.empty()) next = near_.front().cycle;
  if (!far_.empty()) next = std::min(next, far_.front().cycle);
  if (!acks_.empty()) next = std::min(next, acks_.front().cycle);
  if (!marks_.empty()) next = std::min(next, marks_.front().cycle);
  return next;
}

void WaveRecorder::show_channels(Cycle cycle) {
  idle_d_.swap(busy_);
  busy_.clear();
  show_arriving(near_, cycle);
  show_arriving(far_, cycle);
  for (const Line line : idle_d_) {
    if (busy_in_[static_cast<std::size_t>(line)] != cycle) show_channel(line, nullptr, cycle);
  }
  show_acks(cycle);
  show_marks(cycle);
}

void WaveRecorder::show_marks(Cycle cycle) {
  const auto show = [this](const Mark& mark, bool is_there) {
    RouterWave& router = router_of(mark.line);
    if (is_input(mark.line)) {
      router.show_error(mark.line % ports_, is_there);
    } else {
      router.show_nack(mark.line % ports_, is_there);
    }
  };
  for (const Mark& mark : shown_marks_) show(mark, false);
  shown_marks_.clear();
  for (; !marks_.empty() && marks_.front().cycle <= cycle; marks_.pop_front()) {
    show(marks_.front(), true);
    shown_marks_.push_back(marks_.front());
  }
}

void WaveRecorder::show_acks(Cycle cycle) {
  const auto show = [this](const AckEvent& ack, bool is_on_wire) {
    router_of(ack.line).show_input_ack(ack.line % ports_, ack.vc, is_on_wire);
  };
  for (const AckEvent& ack : shown_acks_) show(ack, false);
  shown_acks_.clear();
  for (; !acks_.empty() && acks_.front().cycle <= cycle; acks_.pop_front()) {
    show(acks_.front(), true);
    shown_acks_.push_back(acks_.front());
  }
}

void WaveRecorder::show_arriving(std::deque<Event>& events, Cycle cycle) {
  for (; !events.empty() && events.front().cycle <= cycle; events.pop_front()) {
    const Event& event = events.front();
    busy_.push_back(event.line);
    busy_in_[static_cast<std::size_t>(event.line)] = cycle;
    show_channel(event.line, &event.flit, cycle);
    const auto message = static_cast<std::size_t>(event.flit.message);
    if (event.flit.message == no_message || is_of_twin(event.line)) continue;
    if (message >= is_seen_.size()) is_seen_.resize(message + 1);
    is_seen_[message] = true;
  }
}

void WaveRecorder::show_channel(Line line, const Flit* flit, Cycle cycle) {
  if (is_input(line)) {
    router_of(line).show_input(line % ports_, flit, cycle);
    if (RouterWave* twin = twin_of(line)) twin->show_input(line % ports_, flit, cycle);
  } else {
    router_of(line).show_output(line % ports_, flit, cycle);
  }
}

void WaveRecorder::finish(Cycle end) {
  end = std::min(end, difference().value_or(end));
  if (!is_over_ && end >= last_) show_settled(end + 1, false);
  is_over_ = true;
  window_.finish(end);
}

namespace {

// Whether a channel of `router` is shown at the port of `difference`.
bool has_line(const RouterWave& router, const TwinDifference& difference) {
  if (difference.port < 0) return false;
  return difference.is_input ? router.has_input(difference.port)
                             : router.has_output(difference.port);
}

}  // namespace

std::vector<RouterActivity> WaveRecorder::activity() const {
  std::vector<RouterActivity> activity;
  for (std::size_t i = 0; i < twin_places_.size(); ++i) activity.push_back(routers_[i]->activity());
  for (const Twin& twin : twins_) {
    if (twin.shown == nullptr) continue;
    activity[twin.router].include(twin.shown->activity());
    std::optional<TwinDifference> difference = twin.model.difference();
    if (difference && !has_line(*twin.shown, *difference)) difference->port = -1;
    activity[twin.router].difference = difference;
  }
  return activity;
}

std::optional<Cycle> WaveRecorder::difference() const {
  for (const Twin& twin : twins_) {
    if (const auto difference = twin.model.difference()) return difference->cycle;
  }
  return std::nullopt;
}

std::vector<MessageId> WaveRecorder::messages() const {
  std::vector<MessageId> messages;
  for (std::size_t i = 0; i < is_seen_.size(); ++i) {
    if (is_seen_[i]) messages.push_back(static_cast<MessageId>(i));
  }
  return messages;
}

}  // namespace allport
