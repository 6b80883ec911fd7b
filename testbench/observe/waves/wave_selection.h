// SPDX-License-Identifier: Apache-2.0
// These functions select the part of a wave that is on screen when it is opened: the routers most
// worth seeing with their ports, below them one line each for the busiest others, in the order in
// which the traffic reached them. The rest of the wave is a click away.
#pragma once

#include <vector>

#include "testbench/observe/waves/router_wave.h"

namespace allport {

/// One router on screen.
struct ShownRouter {
  RouterActivity activity;
  bool is_open = false;   ///< whether its ports are in sight; otherwise it has one line
  bool has_ports = true;  ///< whether the line can be opened
};

/// Whether `router` and its twin differ at this port, which is open then.
bool differs_at(const RouterActivity& router, bool is_input, int port);
/// Whether a message waits at `router`: in a deadlock's circle, or because of contention.
bool is_concerned(const RouterActivity& router);
/// Whether this port has lines when the router is open.
bool is_shown_input(const RouterActivity& router, const RouterConfig& config, int input);
bool is_shown_output(const RouterActivity& router, int output);
/// The number of lines on screen that `router`, with its twin below it, takes when it is open.
int open_lines(const RouterActivity& router, const RouterConfig& config);

/// The routers that had anything to do: first those that differ from their twins, then the one
/// whose contention is looked at and those of a deadlock's circle by their first waits, then those
/// that have twins, then those with contention, by its first cycle, and the sources, then those
/// with most flits. The first one and those of the circle are open, and others as far as the screen
/// goes: it has `lines_above` lines already and keeps some for closed routers. The closed ones
/// follow, those with contention first, the others by their first flit. If there are very many,
/// those with contention are shown without their ports, and the others are left out.
std::vector<ShownRouter> select_routers(std::vector<RouterActivity> routers,
                                        const RouterConfig& config, int lines_above = 0);

}  // namespace allport
