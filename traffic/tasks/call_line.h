// SPDX-License-Identifier: Apache-2.0
// read_call() reads a rank's part in a collective, as a line of a file of tasks has it.
#pragma once

#include <cstdint>
#include <optional>

#include "traffic/schedule/json_line.h"
#include "traffic/tasks/trace.h"

namespace allport {

/// Reads the keys `collective`, `root` and `algorithm` of the call of `rank`, which brings or
/// expects `bytes` bytes: those of the message or vector, or of each block; none: the line has no
/// length. The caller sets task and group. Throws std::invalid_argument, one sentence that names
/// file and line, for an unknown collective, a missing or misplaced root or length, and an
/// algorithm that is not for it.
CollectiveCall read_call(const JsonLine& line, std::uint32_t rank,
                         std::optional<std::uint64_t> bytes);

}  // namespace allport
