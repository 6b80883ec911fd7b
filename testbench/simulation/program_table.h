// SPDX-License-Identifier: Apache-2.0
// A program table leads from plans to the messages that each node's processor sends, and the nodes
// that receive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/plan/planned_collective.h"
#include "tlm/processor/planned_send.h"

namespace allport {

/// The programs of all nodes in one trial. A node's draws of jitter, 0 .. jitter_max each, go to
/// its messages in the order of its programs, collective after collective.
ProgramTable make_programs(const std::vector<PlannedCollective>& collectives,
                           const Routing& routing, Cycle jitter_max, std::uint64_t seed,
                           std::uint64_t trial);

/// The cycles in which the nodes start in `trial`, by node: uniform in 0 .. skew_max. Each node
/// draws once, from a generator of its own that no jitter has; empty without skew.
std::vector<Cycle> draw_starts(std::size_t nodes, Cycle skew_max, std::uint64_t seed,
                               std::uint64_t trial);

/// By node: whether it receives the message of `collective`, which its sources never do; or, for
/// blocks, whether it must hold one that it does not hold before.
std::vector<bool> receiving_nodes(const PlannedCollective& collective, const Routing& routing);

/// The number of these nodes for each collective.
std::vector<std::size_t> receivers(const std::vector<PlannedCollective>& collectives,
                                   const Routing& routing);

}  // namespace allport
