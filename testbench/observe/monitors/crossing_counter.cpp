// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/crossing_counter.h"

#include <algorithm>
#include <utility>

namespace allport {

CrossingCounter::CrossingCounter(const Routing& routing, const MessageLog& log,
                                 CountedCrossings counted)
    : routing_(routing),
      log_(log),
      counted_(std::move(counted)),
      ports_(routing.topology().port_count()),
      flits_(routing.topology().router_count() * ports_, 0) {}

MeasurementWindow CrossingCounter::window() const {
  MeasurementWindow window = counted_.window;
  if (!counted_.last_cycle) return window;
  if (const auto last = counted_.last_cycle()) window.to = std::min(window.to, *last + 1);
  return window;
}

bool CrossingCounter::is_late_enough(MessageId message) const {
  return log_[message].collective >= counted_.first_collective;
}

bool CrossingCounter::is_after_the_last(Cycle cycle) const { return !window().contains(cycle); }

void CrossingCounter::add_every(NodeId node, int port, Cycle cycle, Cycle period, Cycle times) {
  const MeasurementWindow within = window();
  const auto before = [&](Cycle end) {  // crossings in the cycles up to `end` - 1
    return std::clamp<Cycle>((end - cycle + period - 1) / period, 0, times);
  };
  if (within.to <= cycle || within.to <= within.from) return;
  const Cycle early = within.from <= cycle ? 0 : before(within.from);
  flits_[index(node) * ports_ + static_cast<std::size_t>(port)] +=
      static_cast<std::uint64_t>(before(within.to) - early);
}

void FlitCrossings::on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) {
  if (output < counter_.ports() && counter_.counts(flit.message)) {
    counter_.add(node, output, on_channel - 1 - exit_delay_);
  }
}

void WormCrossings::on_granted(WormIndex id, const Passage& passage, const Passage*, Cycle) {
  if (id >= passages_.size()) passages_.resize(2 * std::size_t{id} + 2);
  const bool is_external = !passage.is_first && !passage.is_last;
  const bool is_counted = is_external && counter_.counts(passage.message);
  passages_[id] = {node_id(passage.node), is_counted ? int{passage.output} : -1, -1};
}

void WormCrossings::on_start(WormIndex id, Cycle now) { passages_[id].since = now; }

void WormCrossings::on_stop(WormIndex id, Cycle now) {
  Sender& sender = passages_[id];
  if (sender.since >= 0 && sender.port >= 0) {
    counter_.add(sender.node, sender.port, sender.since, now);
  }
  sender.since = -1;
}

void WormCrossings::on_move(WormIndex id, Cycle now) {
  const Sender& sender = passages_[id];
  if (sender.port >= 0) counter_.add(sender.node, sender.port, now, now + 1);
}

void WormCrossings::on_slept(WormIndex id, std::uint64_t moves, Cycle period, Cycle periods,
                             Cycle from) {
  const bool is_running = passages_[id].since >= 0;
  if (is_running) on_stop(id, from);
  Sender& sender = passages_[id];
  for (Cycle back = period; back > 0 && sender.port >= 0; --back) {
    if ((moves >> (back - 1) & 1U) == 0) continue;
    counter_.add_every(sender.node, sender.port, from + period - back, period, periods);
  }
  if (is_running) sender.since = from + periods * period;
}

void WormCrossings::settle(Cycle end) {
  for (WormIndex id = 0; id < passages_.size(); ++id) on_stop(id, end + 1);
}

}  // namespace allport
