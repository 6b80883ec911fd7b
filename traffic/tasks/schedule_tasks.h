// SPDX-License-Identifier: Apache-2.0
// schedule_tasks() makes a schedule whose messages have lengths or starts of their own into tasks
// of its nodes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "traffic/schedule/schedule_file.h"
#include "traffic/tasks/task_graph.h"

namespace allport {

/// A send and a receive for each of `messages`, read from the file `name`. A node sends in the
/// order of its program, and a message of step t after what the node receives in earlier steps; its
/// `order` is what it is called by.
/// `flits`: the length of messages that have none; `flit_bytes`: payload bytes of a flit; `nodes`:
/// the number of nodes. Throws std::invalid_argument, one sentence that names file and line, for a
/// node that does not exist and a message that is no unicast of the whole message by its usual
/// route.
TaskGraph schedule_tasks(const std::vector<TimedUnicast>& messages, const std::string& name,
                         int flits, int flit_bytes, std::size_t nodes);

}  // namespace allport
