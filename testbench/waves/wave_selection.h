// SPDX-License-Identifier: Apache-2.0
// What of a wave is on screen when it is opened: the routers worth seeing first with their ports,
// below them one line each for those that had most to do, in the order in which the traffic reached
// them. The rest of the wave is a click away.
#pragma once

#include <vector>

#include "testbench/waves/router_wave.h"

namespace allport {

/// One router on screen.
struct ShownRouter {
  RouterActivity activity;
  bool is_open = false;  ///< with its ports, else one line
};

/// Whether `router` and its twin differ at this port, which is open then.
bool differs_at(const RouterActivity& router, bool is_input, int port);
/// Lines that `router`, with its twin below it, takes on screen when it is open.
int open_lines(const RouterActivity& router, const RouterConfig& config);

/// Of routers with anything to do: first those that differ from their twins, then those that have
/// one, then those with contention, by its first cycle, and the
/// sources, then those with most flits; open as long as their lines fit a part of the screen; then
/// the others by their first flit.
std::vector<ShownRouter> select_routers(std::vector<RouterActivity> routers,
                                        const RouterConfig& config);

}  // namespace allport
