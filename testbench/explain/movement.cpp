// SPDX-License-Identifier: Apache-2.0
#include "testbench/explain/movement.h"

namespace allport {

void Movement::reset() {
  crossings_.assign(1, Crossing{});
  runs_.assign(1, {});
  last_.clear();
}

CrossingIndex Movement::begin(MessageId message, FabricChannels::Number channel, CrossingIndex from,
                              int length, Cycle won, const Crossing& beyond) {
  const auto number = static_cast<CrossingIndex>(crossings_.size());
  Crossing crossing;
  crossing.message = message;
  crossing.channel = channel;
  crossing.from = from;
  crossing.length = length;
  crossing.output = static_cast<std::uint8_t>(channels_.sender(channel).port);
  crossing.won = won;
  crossing.outputs = beyond.outputs;
  crossing.is_held = beyond.is_held;
  crossing.vc_class = beyond.vc_class;
  if (from != 0) {
    crossing.sibling = crossings_[from].onward;
    crossings_[from].onward = number;
  }
  if (last_[channel] != 0) crossing.place = crossings_[last_[channel]].place + 1;
  last_[channel] = number;
  crossings_.push_back(crossing);
  return number;
}

void Movement::add_run(Crossing& crossing, const FlitRun& run) {
  if (crossing.more == 0) {
    crossing.more = static_cast<std::uint32_t>(runs_.size());
    runs_.emplace_back();
  }
  runs_[crossing.more].push_back(run);
}

}  // namespace allport
