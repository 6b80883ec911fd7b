// SPDX-License-Identifier: Apache-2.0
// TraceFiles has the files of a recorded workload, and the format that they have
// (docs/guide/replay.md).
#pragma once

#include <string>
#include <vector>

#include "traffic/tasks/workload_format.h"

namespace allport {

struct TraceFiles {
  WorkloadFormat format;
  std::vector<TraceFile> files;  ///< of a format with a file for each rank, by rank
};

/// Reads what `names` stand for: files, folders of files, a list of the files of SimGrid, the
/// beginning PREFIX of Chakra's PREFIX.0.et, PREFIX.1.et, .. or PREFIX.0.json, .., or `-` for
/// stdin. Throws std::invalid_argument, one sentence, for what cannot be read and for what is of no
/// format.
TraceFiles load_trace(const std::vector<std::string>& names);

/// The files that load_trace(names) reads, `names` among them, as far as they are there.
std::vector<std::string> trace_inputs(const std::vector<std::string>& names);

}  // namespace allport
