// SPDX-License-Identifier: Apache-2.0
// This header leads from a request to the tasks of a run and the nodes of their ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rtl_model/base/ids.h"
#include "traffic/tasks/task_graph.h"

namespace allport {

struct RunPlan;
struct RunRequest;

struct PlannedTasks {
  std::shared_ptr<const TaskGraph> graph;
  std::vector<NodeId> nodes;     ///< by rank
  std::uint64_t sequential = 0;  ///< cycles of one processor for all of it; 0: unknown
  std::size_t processors = 0;    ///< ranks that have tasks, and more that compute
  std::size_t sends = 0;         ///< messages, those of a rank to itself included
  std::uint64_t bytes = 0;       ///< bytes of these
};

/// Reads the tasks of the file that `request` names (- is stdin), or takes those that it has;
/// throws std::invalid_argument, one sentence, for what is wrong with them, more ranks than nodes,
/// and messages that the model cannot carry.
PlannedTasks plan_tasks(const RunPlan& plan);

}  // namespace allport
