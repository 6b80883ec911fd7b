// SPDX-License-Identifier: Apache-2.0
// This is the timing model over a schedule of blocks: a sender prepares a message, which takes ts,
// once it has what the message carries and has prepared the previous one. The head enters the
// router then, or when the tail of the previous message on the same internal port has entered; the
// message is received h(1+d) + L + tr later (docs/timing.md, several messages). A simulation that
// is contention-free and runs at full rate gives the same times.
#pragma once

#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/block_flow.h"
#include "traffic/schedule/block_lengths.h"
#include "traffic/theory/timing_model.h"

namespace allport {

/// The cycle in which each node has all that it must have at the end (0: it has it from the start);
/// the index is the node id. `timing.flits` is ignored: `lengths` has the lengths. Throws
/// std::invalid_argument on an invalid route.
std::vector<Cycle> predicted_block_latency(const Schedule& schedule, const Routing& routing,
                                           const Collective& collective,
                                           const BlockLengths& lengths, int internal_ports,
                                           const TimingParameters& timing);

}  // namespace allport
