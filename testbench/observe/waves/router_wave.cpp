// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/router_wave.h"

#include <algorithm>

#include "testbench/observe/monitors/ports_there.h"

namespace allport {

void RouterActivity::include(const RouterActivity& twin) {
  const auto include_all = [](auto& own, const auto& other) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (other[i] > own[i]) own[i] = other[i];
    }
  };
  include_all(input_flits, twin.input_flits);
  include_all(output_flits, twin.output_flits);
  include_all(has_waited, twin.has_waited);
  include_all(output_contention, twin.output_contention);
  flits = std::max(flits, twin.flits);
  if (first_flit < 0) first_flit = twin.first_flit;
  if (first_contention < 0) first_contention = twin.first_contention;
  has_join = has_join || twin.has_join;
  has_twin = true;
  twin_shows_allocation = twin.shows_allocation;
}

RouterWave::RouterWave(WaveWindow& window, const RouterState& router, const Routing& routing,
                       bool has_joins, const RouterTwin* twin)
    : window_(window),
      router_(router),
      shows_allocation_(twin == nullptr || twin->shows_allocation),
      inputs_there_(inputs_there(router.config(), routing.topology(), router.node())),
      outputs_there_(outputs_there(router.config(), routing.topology(), router.node())),
      inputs_(static_cast<std::size_t>(router.config().ports())),
      outputs_(inputs_.size()),
      output_contention_(inputs_.size()),
      credits_(static_cast<std::size_t>(router.config().channel_vcs()),
               static_cast<std::uint16_t>(router.config().buffer_depth)),
      input_acks_(credits_.size()),
      errors_(inputs_.size()),
      nacks_(inputs_.size()),
      hidden_(credits_.size()),
      fronts_d_(credits_.size()),
      pairs_at_(inputs_.size()) {
  activity_.node = router.node();
  activity_.shows_allocation = shows_allocation_;
  activity_.input_flits.resize(hidden_.size());
  activity_.output_flits.resize(inputs_.size());
  activity_.has_waited.resize(hidden_.size());
  activity_.output_contention.resize(inputs_.size());

  window_.open_scope(router_scope(router.node()));
  if (twin != nullptr) difference_ = declare(window_, wave::difference, 0);
  flits_ = declare(window_, wave::flits, std::nullopt);
  if (shows_allocation_) contention_ = declare(window_, wave::contention, 0);
  for (int port = 0; port < router.config().ports(); ++port) {
    if (has_input(port)) declare_input(port);
  }
  for (int port = 0; port < router.config().ports(); ++port) {
    if (has_output(port)) declare_output(port);
  }
  if (has_joins) join_.emplace(window_, router_, routing);
  window_.close_scope();
}

void RouterWave::declare_input(int input) {
  const RouterConfig& config = router_.config();
  window_.open_scope(input_scope(config, input));
  inputs_[static_cast<std::size_t>(input)].declare_in(window_);
  if (has_marks(input)) errors_[static_cast<std::size_t>(input)] = declare(window_, wave::error, 0);
  for (int vc = 0; vc < config.vcs_of(input); ++vc) {
    BufferSignals buffer{config.channel_vc(input, vc), {}, {}, {}};
    window_.open_scope(vc_scope(vc));
    window_.open_scope("buffer");
    buffer.count = declare(window_, wave::count, 0);
    buffer.front = declare(window_, wave::front, 0);
    buffer.message = declare(window_, wave::message, std::nullopt);
    window_.close_scope();
    if (has_acks()) input_acks_[channel_vc(input, vc)] = declare(window_, wave::ack, 0);
    window_.close_scope();
    buffers_.push_back(buffer);
  }
  window_.close_scope();
}

void RouterWave::declare_output(int output) {
  const RouterConfig& config = router_.config();
  window_.open_scope(output_scope(config, output));
  outputs_[static_cast<std::size_t>(output)].declare_in(window_);
  if (has_marks(output)) nacks_[static_cast<std::size_t>(output)] = declare(window_, wave::nack, 0);
  if (shows_allocation_) {
    output_contention_[static_cast<std::size_t>(output)] = declare(window_, wave::contention, 0);
  }
  for (int vc = 0; vc < config.vcs_of(output); ++vc) {
    OutputVcSignals signals{config.channel_vc(output, vc), output, vc, {}, {}, {}, {}, {}};
    window_.open_scope(vc_scope(vc));
    if (shows_allocation_) {
      signals.owner_q = declare(window_, wave::owner_q, std::nullopt);
      signals.owner_message = declare(window_, wave::owner_message, std::nullopt);
    }
    signals.credits_q =
        declare(window_, wave::credits_q, static_cast<std::uint64_t>(config.buffer_depth));
    signals.credit = declare(window_, wave::credit, 0);
    if (has_acks()) signals.ack = declare(window_, wave::ack, 0);
    window_.close_scope();
    output_vcs_.push_back(signals);
  }
  window_.close_scope();
}

void RouterWave::show_input(int input, const Flit* flit, Cycle cycle) {
  inputs_[static_cast<std::size_t>(input)].show(window_, flit);
  if (flit == nullptr) return;
  if (!has_traffic_) activity_.is_source = !router_.config().is_external(input);
  has_traffic_ = true;
  if (!window_.is_recording()) return;
  ++activity_.input_flits[channel_vc(input, static_cast<int>(index(flit->vc)))];
  if (activity_.first_flit < 0) activity_.first_flit = cycle;
}

void RouterWave::show_output(int output, const Flit* flit, Cycle cycle) {
  outputs_[static_cast<std::size_t>(output)].show(window_, flit);
  const PortMask bit = PortMask{1} << output;
  driven_ = flit != nullptr ? driven_ | bit : driven_ & ~bit;
  const auto count = static_cast<std::uint64_t>(__builtin_popcountll(driven_));
  window_.set(flits_, count > 0 ? WaveValue(count) : std::nullopt);
  if (flit == nullptr || !window_.is_recording()) return;
  ++activity_.output_flits[static_cast<std::size_t>(output)];
  ++activity_.flits;
  if (activity_.first_flit < 0) activity_.first_flit = cycle;
}

void RouterWave::show_buffers(Cycle now) {
  for (const BufferSignals& buffer : buffers_) {
    const auto hidden = hidden_[static_cast<std::size_t>(buffer.input_vc)];
    const int count = router_.buffered(buffer.input_vc) - hidden;
    const Flit* front = count > 0 ? &router_.front(buffer.input_vc) : nullptr;
    fronts_d_[static_cast<std::size_t>(buffer.input_vc)] = front;
    window_.set(buffer.count, static_cast<std::uint64_t>(count));
    window_.set(buffer.front, wave_kind(front));
    window_.set(buffer.message, wave_message(front != nullptr ? front->message : no_message));
  }
  if (join_) join_->show(fronts_d_, now);
}

void RouterWave::show_owner(const OutputVcSignals& signals) {
  const int owner = router_.owner(signals.output_vc);
  const MessageId message = router_.owner_message(signals.output_vc);
  window_.set(signals.owner_q,
              owner >= 0 ? WaveValue(static_cast<std::uint64_t>(owner)) : std::nullopt);
  window_.set(signals.owner_message, wave_message(message));
}

void RouterWave::show_output_vcs() {
  for (const OutputVcSignals& signals : output_vcs_) {
    if (shows_allocation_) show_owner(signals);
    window_.set(signals.credits_q, credits_[static_cast<std::size_t>(signals.output_vc)]);
    window_.set(signals.credit, 0);
    if (has_acks()) window_.set(signals.ack, 0);
  }
}

void RouterWave::show_settled(Cycle now) {
  if (!can_skip()) {
    show_buffers(now);
    show_output_vcs();
  }
  std::fill(hidden_.begin(), hidden_.end(), 0);
}

void RouterWave::show_arrived(Cycle now) {
  if (can_skip()) return;
  show_buffers(now);
  show_output_vcs();
  is_quiet_ = router_.is_idle();
  for (const OutputVcSignals& signals : output_vcs_) {
    const auto credits = static_cast<std::uint16_t>(router_.credits(signals.output_vc));
    std::uint16_t& left = credits_[static_cast<std::size_t>(signals.output_vc)];
    window_.set(signals.credit, credits - left);
    if (has_acks()) {
      window_.set(signals.ack, router_.is_acknowledged(signals.output, signals.vc) ? 1 : 0);
    }
    is_quiet_ = is_quiet_ && credits == left && credits == router_.config().buffer_depth;
    left = credits;
  }
}

void RouterWave::show_contention(Cycle decided, Cycle end, const IsContention& is_contention) {
  if (!shows_allocation_ || (router_.stalled().empty() && !has_contention_)) return;
  find_contention(router_, credits_, is_contention, pairs_d_);
  has_contention_ = !pairs_d_.empty();
  std::fill(pairs_at_.begin(), pairs_at_.end(), std::uint16_t{0});
  for (const ContentionPair& pair : pairs_d_) ++pairs_at_[static_cast<std::size_t>(pair.output)];
  std::uint64_t external = 0;
  for (std::size_t output = 0; output < pairs_at_.size(); ++output) {
    if (!has_output(static_cast<int>(output))) continue;
    window_.set(output_contention_[output], pairs_at_[output]);
    if (router_.config().is_external(static_cast<int>(output))) external += pairs_at_[output];
  }
  window_.set(contention_, external);
  const Cycle first = std::max(decided, window_.from());
  const Cycle last = std::min(end - 1, window_.to());
  if (first <= last) note_contention(first, last - first + 1);
}

void RouterWave::note_contention(Cycle first, Cycle cycles) {
  for (const ContentionPair& pair : pairs_d_) {
    if (!has_output(pair.output)) continue;
    activity_.output_contention[static_cast<std::size_t>(pair.output)] = true;
    activity_.has_waited[static_cast<std::size_t>(pair.input_vc)] = true;
    if (!router_.config().is_external(pair.output)) continue;
    if (activity_.first_contention < 0) activity_.first_contention = first;
    waits_.add(pair, first, cycles);
  }
}

RouterActivity RouterWave::activity() const {
  RouterActivity activity = activity_;
  activity.waits = waits_.list();
  activity.has_join = join_ && join_->is_used();
  return activity;
}

}  // namespace allport
