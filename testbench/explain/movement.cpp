// SPDX-License-Identifier: Apache-2.0
#include "testbench/explain/movement.h"

namespace allport {

void Movement::reset() {
  crossings_.assign(1, Crossing{});
  runs_.assign(1, FlitRun{});
  last_.clear();
}

CrossingIndex Movement::begin(MessageId message, FabricChannels::Number channel, CrossingIndex from,
                              int length, Cycle won, const Onward& beyond) {
  const auto number = static_cast<CrossingIndex>(crossings_.size());
  Crossing crossing;
  crossing.message = message;
  crossing.channel = channel;
  crossing.from = from;
  crossing.length = length;
  crossing.output = static_cast<std::uint8_t>(channels_.sender(channel).port);
  crossing.won = won;
  crossing.missing = static_cast<std::int8_t>(__builtin_popcountll(beyond.outputs));
  crossing.beyond = beyond;
  if (from != 0) {
    crossing.sibling = crossings_[from].onward;
    crossings_[from].onward = number;
    --crossings_[from].missing;
  }
  if (last_[channel] != 0) crossing.place = crossings_[last_[channel]].place + 1;
  last_[channel] = number;
  crossings_.push_back(crossing);
  return number;
}

void Movement::send_every(CrossingIndex crossing, Cycle first, std::int32_t stride,
                          std::int32_t count) {
  Crossing& at = crossings_[crossing];
  for (; count > 0; --count, first += stride) {
    send(crossing, first);
    FlitRun& last = at.last == 0 ? at.run : runs_[at.last];
    if (last.count == 1 || last.stride != stride) continue;
    last.count += count - 1;
    at.sent += count - 1;
    return;
  }
}

}  // namespace allport
