// SPDX-License-Identifier: Apache-2.0
// A GOAL file [Hoefler10] has the tasks of each rank and what depends on what, as text
// (docs/guide/replay.md). The language is that of the compiler of LogGOPSim; besides, a line may
// hold several statements and end with a comment, options come in any order, and a dependency may
// name a label that comes later in its block.
#pragma once

#include "traffic/tasks/trace.h"

namespace allport {

/// Reads a GOAL file; times are nanoseconds. Throws std::invalid_argument with one sentence naming
/// file, line and what is wrong.
ApplicationTrace read_goal(const TraceFile& file, const TraceScale& scale);

}  // namespace allport
