// SPDX-License-Identifier: Apache-2.0
// These functions give a deadlock in words: the circle of waits, and what else its flits wait for.
#pragma once

#include <string>
#include <vector>

#include "rtl_model/router/router_config.h"
#include "rtl_model/topology/topology.h"
#include "testbench/observe/monitors/deadlock_words.h"
#include "testbench/results/results.h"

namespace allport {

/// Whether the flit goes to several outputs, and leaves its buffer when it has gone to all of them.
bool is_copied(const WaitingFlit& flit);

/// Two lines for each wait of the circle: who waits for what, and who holds it; then since when,
/// and whatever else the waiting flit has done and waits for at the same time. Where no messages
/// wait for each other, who waits for what does not come. Last come the credits that were lost.
std::vector<std::string> circle_in_words(const Deadlock& deadlock, const RouterConfig& router,
                                         const Topology& topology);

/// `credit of 5.2.0 lost in cycle 400`: a router, its output and a virtual channel.
std::string loss_in_words(const CreditLoss& loss, const Topology& topology);

}  // namespace allport
