// SPDX-License-Identifier: Apache-2.0
// A Network of routers in SystemC, flit by flit (docs/guide/embed.md): the same calls, and the same
// cycles as worms have, also where there are no worms: in every switching mode, and under adaptive
// routing. A program that links allport::network_flits brings sc_main(), as SystemC's library wants
// it; this header includes none of SystemC.
#pragma once

#include "testbench/network/network.h"

namespace allport {

/// Makes a network whose `request.model` is `systemc`. Its routers are modules of SystemC, made
/// before the kernel starts, if it ever does: the cycles of a network pass by its calls alone.
/// Throws std::invalid_argument, one sentence, as Network() does, and after the kernel has started.
/// One thread at a time makes or destroys such networks; each is used by one at a time.
Network flit_network(const NetworkRequest& request);

}  // namespace allport
