// SPDX-License-Identifier: Apache-2.0
// Worms that share channels, flit by flit, or wait for credits again and again, soon move in step:
// the same flits in the same order every few cycles. Such a convoy is watched for a while; when all
// its passages have repeated themselves, twice and for longer than anything is under way on a wire,
// it falls asleep, and wakes up when one of its worms nears its tail or when somebody else comes to
// a channel it uses. What it has done in its sleep is what it did before, so many times.
#pragma once

#include <utility>
#include <vector>

#include "tlm/worm/calendar.h"
#include "tlm/worm/state.h"

namespace allport {

/// A flit was kept off a channel by another one's in one cycle.
struct WormLoss {
  NodeId node{};
  int output = 0;
  MessageId waiting = no_message;
  MessageId holding = no_message;
  Cycle cycle = 0;
};

struct WormConvoy {
  std::vector<std::uint32_t> worms;
  std::vector<std::uint64_t> moves;  ///< per passage, a bit per cycle watched, the last one lowest
  std::vector<std::int32_t> sent;    ///< per passage, flits in the cycle looked at last
  std::vector<WormLoss> losses;      ///< while it is watched; then those of the last period
  int watched = -1;                  ///< cycles; -1: `sent` is not known yet
  bool is_asleep = false;
  Cycle asleep_since = 0;
  Cycle period = 0;
  Cycle wakes_at = -1;
  std::vector<std::int32_t> flits;                  ///< per worm, in a period
  std::vector<std::pair<Cycle, WormEvent>> events;  ///< what was to happen, by moment
};

/// A history of moves, down to its last `count` cycles.
constexpr std::uint64_t last_moves(std::uint64_t moves, Cycle count) {
  return moves & ((std::uint64_t{1} << count) - 1);
}

}  // namespace allport
