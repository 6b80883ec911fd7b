// SPDX-License-Identifier: Apache-2.0
// This function reports what the routes of all pairs of nodes make of a fabric (route_load.h).
#pragma once

#include "rtl_model/router/router_config.h"
#include "testbench/program/report/show_report.h"
#include "traffic/theory/route_load.h"

namespace allport {

/// Their lengths, the load of the channels under uniform traffic and that of the worst permutation.
/// Throws std::invalid_argument under adaptive routing, where a message has no route.
Shown show_all_routes(const Routing& routing, const RouterConfig& router,
                      const ChannelPhits& phits);

}  // namespace allport
