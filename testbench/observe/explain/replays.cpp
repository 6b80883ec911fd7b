// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/replays.h"

#include <algorithm>

namespace allport {

Replays::Replays(const Movement& movement) : channels_(movement.channels()) {
  for (const ChannelError& one : movement.errors()) errors_[one.channel].push_back(one.cycle);
}

// The errors of a channel are D cycles apart or more, so at most one receiver's discarding goes on
// in a cycle; a flit that comes again may meet the next.
Replays::Arrival Replays::accepted(FabricChannels::Number channel, Cycle cycle) const {
  const Cycles& errors = *of(channel);
  const Cycle replay = channels_.replay(channel);
  Arrival arrival{cycle, 0, 0};
  for (;;) {
    const auto behind = std::upper_bound(errors.begin(), errors.end(), arrival.cycle);
    arrival.errors = static_cast<std::size_t>(behind - errors.begin());
    if (behind == errors.begin() || *std::prev(behind) + replay <= arrival.cycle) return arrival;
    arrival.cycle += replay;
    ++arrival.replays;
  }
}

Replays::Busy Replays::last_busy(FabricChannels::Number channel, Cycle now) const {
  const Cycles& errors = *of(channel);
  const Cycle replay = channels_.replay(channel);
  const Cycle seen = channels_.credit_flight(channel);  // a nack takes as long as a credit
  const auto behind = std::upper_bound(errors.begin(), errors.end(), now - seen);
  if (behind == errors.begin()) return {};
  const Cycle error = *std::prev(behind);
  return {error + seen, error + 2 * replay - 1 - channels_.flight(channel),
          static_cast<std::size_t>(behind - errors.begin())};
}

}  // namespace allport
