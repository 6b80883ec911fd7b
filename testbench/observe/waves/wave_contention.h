// SPDX-License-Identifier: Apache-2.0
// find_contention() finds contention as a wave shows it: how many (waiting, holding) pairs of
// messages lost a cycle at each output of a router, by the rule of contention_rule.h. The rule is
// applied after the cycle, when tails have released their virtual channels and credits have come
// since. A router that sleeps repeats its last decided cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "testbench/observe/monitors/contention_rule.h"
#include "testbench/results/results.h"

namespace allport {

using MessageNames = std::function<MessageName(MessageId)>;

/// Two messages, one of which kept the other off an output in a cycle.
struct ContentionPair {
  int input_vc = 0;  ///< input VC whose front flit waited
  int output = 0;
  int vc = 0;  ///< VC of the output
  MessageId waiting = no_message;
  MessageId holding = no_message;
};

/// Sets `pairs` to those of the last decided cycle of `router`. `credits`: by output VC, as that
/// cycle left them.
void find_contention(const RouterState& router, const std::vector<std::uint16_t>& credits,
                     const IsContention& is_contention, std::vector<ContentionPair>& pairs);

/// A wait of a message that another one kept off an output.
struct WaveWait {
  int output = 0;
  int vc = 0;  ///< VC of the output
  MessageId waiting = no_message;
  MessageId holding = no_message;
  Cycle first = 0;   ///< first cycle lost
  Cycle cycles = 0;  ///< number of cycles lost
};

/// The contention of one router, wait by wait, which a wave lists beside the numbers that it shows.
class WaveWaits {
 public:
  /// Adds `cycles` cycles of contention of `pair`, from `first` on.
  void add(const ContentionPair& pair, Cycle first, Cycle cycles);
  /// One wait per output, waiting and holding message, in the order of their first cycles.
  const std::vector<WaveWait>& list() const { return list_; }

 private:
  std::vector<WaveWait> list_;
  std::map<std::tuple<int, MessageId, MessageId>, std::size_t> places_;
};

}  // namespace allport
