// SPDX-License-Identifier: Apache-2.0
// task_digest() gives a short name to what a graph of tasks says, whatever file it came from.
#pragma once

#include <string>

#include "traffic/tasks/task_graph.h"

namespace allport {

/// FNV-1a over the tasks and dependencies of `graph`, 16 hex digits.
std::string task_digest(const TaskGraph& graph);

}  // namespace allport
