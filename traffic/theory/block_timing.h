// SPDX-License-Identifier: Apache-2.0
// The timing model over a schedule of blocks: a message is prepared when its sender has what it
// carries and has prepared the one before, ts later; its head enters the router then, or when the
// tail of the message before it on the same internal port has; h(1+d) + L + tr later it is received
// (docs/timing.md, several messages). Contention-free and at full rate a simulation equals it.
#pragma once

#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/block_flow.h"
#include "traffic/schedule/block_lengths.h"
#include "traffic/theory/timing_model.h"

namespace allport {

/// Cycle in which each node has all that it must have in the end (0: it has from the beginning);
/// index is the node id. `timing.flits` means nothing: `lengths` has the lengths. Throws
/// std::invalid_argument on an invalid route.
std::vector<Cycle> predicted_block_latency(const Schedule& schedule, const Routing& routing,
                                           const Collective& collective,
                                           const BlockLengths& lengths, int internal_ports,
                                           const TimingParameters& timing);

}  // namespace allport
