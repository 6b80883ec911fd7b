// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/worm_movement.h"

#include "rtl_model/router/vc_choice.h"

namespace allport {

// The class that the head of `passage` requests, of those of its message class, which its virtual
// channels are all of.
VcClass WormMovement::class_of(const Passage& passage) const {
  if (!config_.is_external(passage.output) || passage.candidates == 0) return VcClass::either;
  const int message_class =
      config_.message_class(passage.output, __builtin_ctz(passage.candidates));
  for (int layer = 0; layer < config_.layers; ++layer) {
    const VcClass one = class_of_layer(layer);
    if (passage.candidates == class_vcs(config_, passage.output, one, message_class)) return one;
  }
  return VcClass::either;
}

// The virtual channel that `passage` has been granted; `next` as for on_granted(), whose input it
// is.
FabricChannels::Number WormMovement::channel_of(const Passage& passage, const Passage* next) const {
  const FabricChannels& channels = movement_.channels();
  if (next == nullptr) {
    return channels.output(node_id(passage.node), passage.output,
                           __builtin_ctz(passage.candidates));
  }
  const int vc = next->input_vc - config_.channel_vc(next->input, 0);
  if (passage.is_first) {
    return channels.injection(node_id(next->node), next->input - config_.external_ports, vc);
  }
  return channels.output(node_id(passage.node), passage.output, vc);
}

void WormMovement::on_granted(WormIndex id, const Passage& passage, const Passage* next,
                              Cycle now) {
  if (id >= passages_.size()) passages_.resize(2 * std::size_t{id} + 2);
  Onward onward;
  if (next != nullptr) {
    onward.outputs = PortMask{1} << next->output;
    onward.vc_class = class_of(*next);
  }
  const CrossingIndex from = passage.is_first ? 0 : passages_[id - 1].crossing;
  const FabricChannels::Number channel = channel_of(passage, next);
  passages_[id] = {movement_.begin(passage.message, channel, from, passage.length, now, onward),
                   -1};
}

void WormMovement::on_start(WormIndex id, Cycle now) { passages_[id].since = now; }

void WormMovement::on_stop(WormIndex id, Cycle now) {
  Sender& sender = passages_[id];
  if (sender.since < 0) return;
  if (now > sender.since) {
    movement_.send(sender.crossing, sender.since, static_cast<std::int32_t>(now - sender.since));
  }
  sender.since = -1;
}

void WormMovement::on_move(WormIndex id, Cycle now) { movement_.send(passages_[id].crossing, now); }

void WormMovement::on_slept(WormIndex id, std::uint64_t moves, Cycle period, Cycle periods,
                            Cycle from) {
  Sender& sender = passages_[id];
  const bool is_running = sender.since >= 0;
  if (is_running) on_stop(id, from);
  const auto moves_in = [&](Cycle back) { return (moves >> (back - 1) & 1U) != 0; };
  const std::uint64_t in_period = moves & (~std::uint64_t{0} >> (64 - period));
  if (__builtin_popcountll(in_period) == 1) {
    const Cycle first = from + period - 1 - __builtin_ctzll(in_period);
    movement_.send_every(sender.crossing, first, static_cast<std::int32_t>(period),
                         static_cast<std::int32_t>(periods));
  } else {
    for (Cycle begin = from; begin < from + periods * period; begin += period) {
      for (Cycle back = period; back > 0; --back) {
        if (moves_in(back)) movement_.send(sender.crossing, begin + period - back);
      }
    }
  }
  if (is_running) sender.since = from + periods * period;
}

void WormMovement::settle(Cycle end) {
  for (WormIndex id = 0; id < passages_.size(); ++id) on_stop(id, end + 1);
}

}  // namespace allport
