// SPDX-License-Identifier: Apache-2.0
// Replays says what the errors of external channels did to their flits (docs/router.md, link-level
// retry): from the cycle of an error on a receiver discards what comes in D cycles, and each flit
// is there again D cycles later, while its sender's output is busy.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "testbench/observe/explain/movement.h"

namespace allport {

class Replays {
 public:
  /// The cycles `from` .. `to` in which an output is busy with a replay, that of error `number` of
  /// its channel, counted from 1.
  struct Busy {
    Cycle from = 0;
    Cycle to = 0;
    std::size_t number = 0;
  };
  /// When a flit is accepted, and between which errors of its channel that lies.
  struct Arrival {
    Cycle cycle = 0;
    std::size_t errors = 0;  ///< those of the channel up to then
    int replays = 0;         ///< how often the flit came again
  };

  explicit Replays(const Movement& movement);

  /// Whether something was ever repeated on the channel of `channel`.
  bool has_any(FabricChannels::Number channel) const {
    return !errors_.empty() && of(channel) != nullptr;
  }
  /// When a flit is accepted that would be at the far end of `channel`, which has_any(), in cycle
  /// `cycle`.
  Arrival accepted(FabricChannels::Number channel, Cycle cycle) const;
  /// The last of those stretches of the output of `channel`, which has_any(), that begins in cycle
  /// `now` or before; `number` 0: none does.
  Busy last_busy(FabricChannels::Number channel, Cycle now) const;

 private:
  using Cycles = std::vector<Cycle>;

  const Cycles* of(FabricChannels::Number channel) const {
    const auto found = errors_.find(channels_.first_of(channel));
    return found == errors_.end() ? nullptr : &found->second;
  }

  const FabricChannels& channels_;
  std::unordered_map<FabricChannels::Number, Cycles> errors_;  // by the first VC of a channel
};

}  // namespace allport
