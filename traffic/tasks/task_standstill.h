// SPDX-License-Identifier: Apache-2.0
// find_standstill() says why tasks cannot end although nothing moves any more: a receive waits for
// a message that nobody will send, or receives wait for each other's ranks in a circle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "traffic/tasks/task_graph.h"

namespace allport {

enum class TaskState : std::uint8_t { waiting, ready, started, ended };
using TaskStates = std::vector<TaskState>;  ///< by task

struct TaskStandstill {
  std::size_t unended = 0;  ///< tasks that have not ended
  /// Whether the waits are a circle: each is for the message of the next one's rank. Otherwise they
  /// lead to one that nobody ends.
  bool is_circle = false;
  std::vector<std::string>
      waits;  ///< `rank 3 waits at FILE:12 for a message from rank 5, tag 7`, ..
};

/// By send: the receive that took its message; UINT32_MAX: none did.
using TaskTakers = std::vector<std::uint32_t>;

/// What keeps the tasks of `graph` from ending; a posted receive without a message is `ready` or
/// `started`. `takers` may be empty if no receive takes messages of any rank or tag.
TaskStandstill find_standstill(const TaskGraph& graph, const TaskStates& states,
                               const TaskTakers& takers);

}  // namespace allport
