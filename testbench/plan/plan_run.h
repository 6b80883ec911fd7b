// SPDX-License-Identifier: Apache-2.0
// From options to a run: fabric, nodes and the collectives of every trial.
#pragma once

#include <optional>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/plan/planned_collective.h"
#include "testbench/plan/simulation_config.h"
#include "testbench/program/options/options.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

/// The collectives of each trial, one per source; for a schedule file one with all its sources.
using Trials = std::vector<std::vector<PlannedCollective>>;

struct RunPlan {
  Routing routing;
  RouterConfig router;           ///< with every default applied
  SimulationConfig simulation;   ///< what the simulation is given
  std::vector<NodeId> sources;   ///< none for a pattern
  Trials trials;                 ///< none for a pattern
  std::vector<NodeId> relays{};  ///< receive without being destinations, over all trials, ascending
  std::optional<TrafficRequest> traffic{};  ///< of a pattern
};

/// Fabric and nodes of a run; throws std::invalid_argument, one sentence, for what does not fit
/// together.
RunPlan plan_fabric(const Options& options);

/// The collectives of `algorithm`, into `plan`; throws as traffic/algorithms/algorithms.h does.
void plan_algorithm(RunPlan& plan, const Options& options, const Algorithm& algorithm);

/// Throws std::invalid_argument, one sentence, when the model of `options` does not know something
/// of `plan`.
void require_movable(const RunPlan& plan, const Options& options);

/// Everything that `options` ask for: algorithm, schedule or pattern.
RunPlan plan_run(const Options& options);

/// Destinations of the longest multidestination message behind its first.
int longest_via(const RunPlan& plan);

/// The latency of the contention-free timing model: the largest over destinations and trials.
Cycle predicted_latency(const RunPlan& plan);

/// The same where a message also waits for the one before it on its injection port, as it does in
/// the fabric; none unless every trial is one multicast by unicasts, of the whole message and from
/// one source. For collectives of blocks predicted_latency() counts that wait already.
std::optional<Cycle> predicted_latency_with_ports(const RunPlan& plan);

}  // namespace allport
