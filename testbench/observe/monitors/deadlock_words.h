// SPDX-License-Identifier: Apache-2.0
// These functions give the waits of a deadlock in words.
#pragma once

#include <string>

#include "rtl_model/router/router_config.h"
#include "rtl_model/topology/topology.h"
#include "testbench/results/results.h"

namespace allport {

/// `0 -> 5`; `0 -> all` for a worm that goes to all; a join as the static check describes it.
std::string in_words(const MessageName& name, const Topology& topology);

/// Why there is a deadlock without a circle of waits.
const char* reason_in_words(const Deadlock& deadlock);

/// The channel that `wait` is for, with its virtual channel where there are several.
std::string place_in_words(const WaitEdge& wait, const RouterConfig& router,
                           const Topology& topology);
/// What `wait` is for: that channel, a credit of it, or a turn in its buffer.
std::string awaited_in_words(const DeadlockWait& wait, const RouterConfig& router,
                             const Topology& topology);

}  // namespace allport
