// SPDX-License-Identifier: Apache-2.0
// Blocks go here in parts that follow each other: every message of a schedule is sent as several,
// one for each part of its blocks, so that a node sends a part on while the next ones are on their
// way.
#pragma once

#include "traffic/schedule/schedule.h"

namespace allport {

/// `whole`, whose messages carry blocks, with each block in `parts` parts: part q of block b is
/// block b * parts + q. A node sends the parts of its first step one after another, then those of
/// the next. Throws std::invalid_argument when there are too many messages. Part q of a message of
/// step s goes in step (s - 1) * parts + q + 1.
Schedule in_parts(Schedule whole, int parts);

}  // namespace allport
