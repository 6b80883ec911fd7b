// SPDX-License-Identifier: Apache-2.0
// TraceFiles has the files of a recorded workload, and the format that they have
// (docs/guide/replay.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "traffic/tasks/trace.h"

namespace allport {

enum class TraceFormat { goal, simgrid, chakra, tasks };

/// `GOAL`, `SimGrid`, `Chakra`, `tasks`
std::string_view to_string(TraceFormat format);

struct TraceFiles {
  TraceFormat format = TraceFormat::goal;
  std::vector<TraceFile> files;  ///< of Chakra, by rank
};

/// Reads what `names` stand for: files, folders of files, a list of the files of SimGrid, the
/// beginning PREFIX of Chakra's PREFIX.0.et, PREFIX.1.et, .. or PREFIX.0.json, .., or `-` for
/// stdin. Throws std::invalid_argument, one sentence, for what cannot be read and for what is of no
/// format.
TraceFiles load_trace(const std::vector<std::string>& names);

/// The trace in these files; throws as the readers of traffic/tasks do. `flit_bytes`: payload bytes
/// of a flit, in which files of tasks may give lengths.
ApplicationTrace read_trace(const TraceFiles& files, const TraceScale& scale, int flit_bytes);

}  // namespace allport
