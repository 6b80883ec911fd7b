// SPDX-License-Identifier: Apache-2.0
// What a run carries out is one of several kinds of work. A plan has one, and a simulation runs it.
#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "testbench/plan/planned_collective.h"
#include "testbench/plan/simulation_config.h"
#include "testbench/plan/task_plan.h"
#include "traffic/patterns/collective_load.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

class CollectivePlanner;
class Program;

/// The collectives of each trial, one per source or group; for a schedule file on the whole fabric
/// or one group, one with all its sources.
using Trials = std::vector<std::vector<PlannedCollective>>;

/// Collectives, trial by trial, each from reset: all of a trial start at cycle 0, or one after
/// another behind a barrier. The trials before `first` are not run.
struct CollectiveWork {
  Trials trials{};
  std::size_t first = 0;
};

/// Collectives that start at random: one trial, in which the messages of the background, if there
/// is one, are collectives too and follow the others.
struct LoadWork {
  Trials trials{};
  CollectiveLoad load{};
  std::size_t sources = 0;  ///< nodes that start collectives
  std::optional<TrafficRequest> background{};
};

/// A pattern or flows, until all messages that started in cycles 0 .. cycles - 1 have arrived.
struct PatternWork {
  TrafficRequest traffic{};
};

/// The same of a closed loop: until the requests made in cycles 0 .. cycles - 1 have their replies.
struct ClosedLoopWork {
  TrafficRequest traffic{};
};

/// Tasks of ranks. No message of the background, if there is one, starts when they are over.
struct TaskWork {
  PlannedTasks tasks{};
  std::optional<TrafficRequest> background{};
};

/// Programs of ranks, which run on the nodes and call collectives.
struct ProgramWork {
  std::vector<Program*> programs{};      ///< by rank
  std::vector<NodeId> nodes{};           ///< of each rank
  CollectivePlanner* planner = nullptr;  ///< plans the collectives that they call
  Program* host_program = nullptr;       ///< what the host runs; null: there is no host
  std::optional<TrafficRequest> background{};
};

using Work =
    std::variant<CollectiveWork, LoadWork, PatternWork, ClosedLoopWork, TaskWork, ProgramWork>;

/// What the processors that carry it out are made for.
Processors processors_of(const Work& work);
/// Its collectives; none: it has none.
const Trials& trials_of(const Work& work);
/// Its pattern, alone or beside something else; null: there is none.
const TrafficRequest* traffic_of(const Work& work);

}  // namespace allport
