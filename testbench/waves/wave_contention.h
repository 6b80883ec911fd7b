// SPDX-License-Identifier: Apache-2.0
// find_contention() finds contention as a wave shows it: how many (waiting, holding) pairs of
// messages lost a cycle at each output of a router, by the rule of contention_rule.h. The rule is
// applied after the cycle, when tails have released their virtual channels and credits have come
// since. A router that sleeps repeats its last decided cycle.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "testbench/monitors/contention_rule.h"
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

}  // namespace allport
