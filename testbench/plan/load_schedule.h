// SPDX-License-Identifier: Apache-2.0
// These functions read the schedule file of a run: JSON Lines, or a program of MSCCL,
// XML or an execution plan.
#pragma once

#include <memory>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/plan/places.h"
#include "testbench/plan/run_request.h"
#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/schedule.h"
#include "traffic/tasks/task_graph.h"

namespace allport {

struct LoadedSchedule {
  /// The sound lines of the file; of a program, those of each of the groups, if there are several.
  std::vector<Schedule> schedules{};
  bool is_program = false;  ///< whether the file is an MSCCL program
  /// The nodes of the ranks of each schedule of a program, by rank; empty: they are in order.
  std::vector<std::vector<NodeId>> nodes_of_ranks{};
  /// Why the program does not do what it is to do; there are no schedules then.
  Finding faults{};
  /// Its messages as tasks, if some have lengths or starts of their own, and no schedules then.
  std::shared_ptr<const TaskGraph> tasks{};
  /// What the file has beside the sound lines, by schedule; `check` reports it.
  std::vector<LeftOut> left_out{};

  std::vector<NodeId> ranks_of(std::size_t schedule) const {
    return nodes_of_ranks.empty() ? std::vector<NodeId>{} : nodes_of_ranks[schedule];
  }
};

/// Reads the file that `request`, whose groups are `groups`, names, or stdin for `-`. An MSCCL
/// program says itself what it achieves: its collective, roots, blocks and parts are put into
/// `request`. Its GPUs are ranks, which sit where `request` says. Throws std::invalid_argument, one
/// sentence, when these are asked for otherwise, when the program is for another number of nodes,
/// when a file that names nodes is to be placed, and as read_schedule, read_msccl and from_msccl
/// do. Exact ties of messages without a displacement go by the rule of `routing`.
LoadedSchedule load_schedule(RunRequest& request, const Routing& routing,
                             const std::vector<std::shared_ptr<const NodeGroup>>& groups);

/// Throws std::invalid_argument with the first of the faults of `loaded`, if there is one.
void require_sound(const LoadedSchedule& loaded, const RunRequest& request);

}  // namespace allport
