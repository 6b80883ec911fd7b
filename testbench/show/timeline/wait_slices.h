// SPDX-License-Identifier: Apache-2.0
// WaitSlices has the waits of all messages of a trial as slices, by the place at which they were
// spent.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "testbench/observe/explain/explained_trial.h"

namespace allport {

/// Successive cycles in which a message waits at one place for one reason. Those in the queues of
/// its sender, `port` and `processor`, are one slice whomever they blame, because a message that is
/// the thousandth in a queue has a thousand before it.
struct WaitSlice {
  FabricChannels::Number place = 0;
  MessageId message = no_message;
  NodeId receiver{};
  Cause cause = Cause::hop;
  Cycle first = 0;
  Cycle end = 0;
  MessageId blamed = no_message;       ///< the message in the way, the first of several
  MessageId last_blamed = no_message;  ///< the last of them
  std::uint32_t blamed_messages = 0;   ///< their number
};

class WaitSlices {
 public:
  using Iterator = std::vector<WaitSlice>::const_iterator;
  using Range = std::pair<Iterator, Iterator>;

  /// Throws Stopped once `stop` is set.
  WaitSlices(const ShownTrial& trial, StopFlag stop);

  /// The waits at `place`, by message, then cycle.
  Range at(FabricChannels::Number place) const;

 private:
  void add(const Reception& reception, const Waits::List& repeated);

  std::vector<WaitSlice> slices_;
};

}  // namespace allport
