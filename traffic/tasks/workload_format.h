// SPDX-License-Identifier: Apache-2.0
// A WorkloadFormat is a format of recorded workloads (docs/guide/replay.md). Each is a function in
// the file that reads it, and is listed here.
#pragma once

#include <string_view>
#include <vector>

#include "traffic/tasks/trace.h"

namespace allport {

struct WorkloadFormat {
  /// Its files: one with all ranks, one or several with some each, or one for each rank.
  enum class Files { one, any, by_rank };

  std::string_view name;       ///< `GOAL`
  std::string_view file;       ///< what a file of it is: `GOAL file`
  std::string_view files_of;   ///< what several are: `GOAL files`
  std::string_view beginning;  ///< how a file begins, in words; empty: it may begin in many ways
  Files files;
  /// Whether what begins with `text`, of which `line` is the first line that says something, looks
  /// like a file of it.
  bool (*begins)(std::string_view line, std::string_view text);
  /// Reads the files; `flit_bytes`: payload bytes of a flit, in which lengths may be given. Throws
  /// std::invalid_argument with one sentence naming file, place and what is wrong.
  ApplicationTrace (*read)(const std::vector<TraceFile>& files, const TraceScale& scale,
                           int flit_bytes);
  /// Whether `text`, a whole file, is to be read as one of it; null: `begins` tells.
  bool (*is)(std::string_view text) = nullptr;
};

WorkloadFormat goal_format();
WorkloadFormat simgrid_format();
WorkloadFormat chakra_format();
WorkloadFormat tasks_format();

/// All formats, in the order in which messages name them.
inline const std::vector<WorkloadFormat>& workload_formats() {
  static const std::vector<WorkloadFormat> all{goal_format(), simgrid_format(), chakra_format(),
                                               tasks_format()};
  return all;
}

}  // namespace allport
