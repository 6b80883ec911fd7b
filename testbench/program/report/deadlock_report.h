// SPDX-License-Identifier: Apache-2.0
// These functions give a deadlock in words and as JSON: the circle of waits, and the wait-for graph
// that it lies in.
#pragma once

#include <nlohmann/json.hpp>
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
/// and whatever else the waiting flit has done and waits for at the same time.
std::vector<std::string> circle_in_words(const Deadlock& deadlock, const RouterConfig& router,
                                         const Topology& topology);

/// The whole wait-for graph: `messages`, and `flits` with everything that each of them waits for at
/// once.
nlohmann::ordered_json wait_for_json(const Deadlock& deadlock, const Topology& topology);

}  // namespace allport
