// SPDX-License-Identifier: Apache-2.0
// plan() leads from a request to a run: fabric, nodes and the collectives of every trial.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "rtl_model/router/pin_kinds.h"
#include "rtl_model/topology/routing.h"
#include "testbench/plan/places.h"
#include "testbench/plan/planned_collective.h"
#include "testbench/plan/run_request.h"
#include "testbench/plan/simulation_config.h"
#include "testbench/plan/task_plan.h"
#include "traffic/patterns/collective_load.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

/// The collectives of each trial, one per source or group; for a schedule file on the whole fabric
/// or one group, one with all its sources.
using Trials = std::vector<std::vector<PlannedCollective>>;

struct RunPlan {
  RunRequest request;  ///< what was asked for
  Routing routing;
  RouterConfig router;          ///< the router with every default applied
  SimulationConfig simulation;  ///< what the simulation is given
  std::vector<NodeId> sources;  ///< sources of the collectives; none for a pattern
  Trials trials{};              ///< collectives of each trial; none for a pattern
  std::vector<NodeId>
      relays{};  ///< receivers that are not destinations, over all trials, ascending
  std::optional<TrafficRequest> traffic{};  ///< the pattern; none for collectives and tasks alone
  /// The collectives that start at random, which are then one trial; none: all start at once.
  std::optional<CollectiveLoad> load{};
  std::optional<PlannedTasks> tasks{};  ///< the tasks; none for collectives and a pattern
  /// Whether the request left the model open; its model is then the one that was chosen.
  bool is_model_chosen = false;

  std::vector<Channel> missing{};  ///< channels that no message may cross, sorted

  /// The groups that carry the collectives out: one for all of them, or one for each source.
  std::vector<std::shared_ptr<const NodeGroup>> groups{};

  /// Whether the fabric is partitioned into groups, each with a collective of its own.
  bool has_partition() const {
    return request.traffic.group && request.traffic.group->is_partition;
  }
};

/// Fabric and nodes of a run; throws std::invalid_argument, one sentence, for what does not fit
/// together.
RunPlan plan_fabric(const RunRequest& given);

/// To be called when `plan` has its collectives or its pattern: if the model was left open and
/// worms cannot move these, chooses routers; says whether messages carry symbols. Throws
/// std::invalid_argument if the model cannot move them, or if they cannot end by the last cycle.
void settle_model(RunPlan& plan);

/// Fills `plan` with the collectives of `algorithm`, planned as the rest of its request says;
/// throws as traffic/algorithms/algorithms.h does.
void plan_algorithm(RunPlan& plan, const Algorithm& algorithm);

/// Cycles in which a pattern beside ranks starts messages at most, where its cycles are not given:
/// it ends with the ranks, but not all ranks end.
constexpr Cycle most_background_cycles = 1000000;

/// Fills the `plan` of ranks, which carry out tasks or run programs, with the pattern of its
/// request, which sends messages beside them; does nothing if there is none. Throws as plan() does.
void plan_background(RunPlan& plan);

/// Everything that `request` asks for: algorithm, schedule, tasks or pattern. Throws
/// std::invalid_argument, one sentence, for what excludes one another (coherence.h) as well.
RunPlan plan(const RunRequest& request);

/// Number of destinations of the longest multidestination message, not counting its first.
int longest_via(const RunPlan& plan);

/// What the headers of its messages must say of groups, where they go over the pins of routers.
PinGroups pin_groups(const RunPlan& plan);
/// Whether it sends joins.
bool has_joins(const RunPlan& plan);

}  // namespace allport
