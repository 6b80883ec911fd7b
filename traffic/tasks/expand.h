// SPDX-License-Identifier: Apache-2.0
// expand() leads from a trace to tasks: each collective becomes the messages of an algorithm.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traffic/tasks/collective_planner.h"
#include "traffic/tasks/trace.h"

namespace allport {

/// What became of the collectives of one kind.
struct CollectiveUse {
  std::string operation;
  std::string algorithm;  ///< `chain` for a prefix sum
  std::string fabric;     ///< fabric that it was planned on; empty for a prefix sum
  std::uint64_t members = 0;
  std::uint64_t times = 0;
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

/// The first tag of the messages of collectives, which no message of the application meets.
constexpr std::uint32_t first_collective_tag = std::uint32_t{1} << 31;

/// The tasks of `trace`. A rank's part in a collective begins when all that it waits for is done,
/// and ends when the rank has sent and received all of it; then the rank computes what the trace
/// says. The uses are added to `uses`, in the order in which they appear. Throws
/// std::invalid_argument as for_each_collective and CollectivePlanner do.
TaskGraph expand(ApplicationTrace trace, CollectivePlanner& planner,
                 std::vector<CollectiveUse>& uses);

}  // namespace allport
