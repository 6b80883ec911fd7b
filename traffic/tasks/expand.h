// SPDX-License-Identifier: Apache-2.0
// expand() leads from a trace to tasks: each collective becomes the messages of an algorithm.
#pragma once

#include <cstdint>

#include "traffic/tasks/collective_planner.h"
#include "traffic/tasks/trace.h"

namespace allport {

/// The first tag of the messages of collectives, which no message of the application meets.
constexpr std::uint32_t first_collective_tag = std::uint32_t{1} << 31;

/// The tasks of `trace`. A rank's part in a collective begins when all that it waits for is done,
/// and ends when the rank has sent and received all of it; then the rank computes what the trace
/// says. Throws std::invalid_argument as for_each_collective and CollectivePlanner do.
TaskGraph expand(ApplicationTrace trace, CollectivePlanner& planner);

}  // namespace allport
