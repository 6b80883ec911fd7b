// SPDX-License-Identifier: Apache-2.0
// This is the time of schedules with joins, at full rate and without contention (docs/joins.md,
// time): a contribution moves on when all that it meets have come, and c cycles later if it meets
// any.
#pragma once

#include <vector>

#include "traffic/theory/timing_model.h"

namespace allport {

/// The cycle in which each node has received the last message that it is to receive; nodes that
/// receive nothing: -1. Every sender has a message of its own from cycle 0 on, and sends what
/// stands in a step when it has received all of the earlier steps. Throws std::invalid_argument on
/// an invalid route. `schedule` is sorted.
std::vector<Cycle> predicted_join_latency(const Schedule& schedule, const Routing& routing,
                                          const TimingParameters& timing);

}  // namespace allport
