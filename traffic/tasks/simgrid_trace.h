// SPDX-License-Identifier: Apache-2.0
// Time-independent traces of SimGrid [Desprez11] say what each rank of an MPI program computed and
// communicated, one action a line (docs/guide/replay.md). read_simgrid() understands them as
// SimGrid's replay does.
#pragma once

#include <vector>

#include "traffic/tasks/trace.h"

namespace allport {

/// Reads the trace in `files`: one has the lines of all ranks, or each those of some. Computing is
/// in floating-point operations, sleep in seconds. Throws std::invalid_argument with one sentence
/// naming file, line and what is wrong.
ApplicationTrace read_simgrid(const std::vector<TraceFile>& files, const TraceScale& scale);

}  // namespace allport
