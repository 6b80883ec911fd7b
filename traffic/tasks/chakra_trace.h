// SPDX-License-Identifier: Apache-2.0
// read_chakra() reads Chakra execution traces [Sridharan23]: a graph of what each rank of a
// machine-learning job computes and communicates, in a file for each rank (docs/guide/replay.md).
#pragma once

#include <string_view>
#include <vector>

#include "traffic/tasks/trace.h"

namespace allport {

/// Reads the files of rank 0, 1, ..; times are microseconds, and the operations of a node without a
/// time count if there are any. The line of a task is the number of its node in the file, from 1.
/// Throws std::invalid_argument with one sentence naming file, node and what is wrong.
/// Names that end in `.et` are of files in the binary form, others of JSON.
ApplicationTrace read_chakra(const std::vector<TraceFile>& files, const TraceScale& scale);

/// Whether `text` begins as a Chakra trace in JSON does, and not as a file of tasks.
bool is_chakra_json(std::string_view text);

}  // namespace allport
