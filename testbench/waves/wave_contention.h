// SPDX-License-Identifier: Apache-2.0
// Contention as a wave shows it: how many (waiting, holding) pairs of messages lost a cycle at each
// output of a router. The rule is that of ContentionMonitor (docs/router.md, section 9), applied
// after the cycle, when tails have released their virtual channels and credits have come since: the
// owner of a VC that has been released is then the message whose flit went out. A router that
// sleeps repeats its last decided cycle.
#pragma once

#include <functional>
#include <vector>

#include "rtl_model/systemc/router.h"
#include "testbench/results/results.h"

namespace allport {

using MessageNames = std::function<MessageName(MessageId)>;

struct ContentionPairs {
  std::vector<std::uint16_t> by_output;
  std::vector<bool> has_waited;  ///< by input VC: its front flit was the waiting one
};

/// Sets `pairs` to those of `router`'s last decided cycle. `credits`: by output VC, as that cycle
/// has left them.
void find_contention(const Router& router, const std::vector<std::uint16_t>& credits,
                     const MessageNames& name, ContentionPairs& pairs);

}  // namespace allport
