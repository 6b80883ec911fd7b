// SPDX-License-Identifier: Apache-2.0
// plan() leads from a request to a run: fabric, nodes and the collectives of every trial.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rtl_model/router/pin_kinds.h"
#include "rtl_model/topology/routing.h"
#include "testbench/plan/places.h"
#include "testbench/plan/run_request.h"
#include "testbench/plan/simulation_config.h"
#include "testbench/plan/work.h"

namespace allport {

struct RunPlan {
  RunRequest request;  ///< what was asked for
  Routing routing;
  RouterConfig router;          ///< the router with every default applied
  SimulationConfig simulation;  ///< what the simulation is given
  std::vector<NodeId> sources;  ///< sources of the collectives; none for a pattern
  Work work{};                  ///< what is carried out
  std::vector<NodeId>
      relays{};  ///< receivers that are not destinations, over all trials, ascending
  /// Whether the request left the model open; its model is then the one that was chosen.
  bool is_model_chosen = false;

  std::vector<Channel> missing{};  ///< channels that no message may cross, sorted

  /// Whether routes by table:updown were taken because links are missing.
  bool goes_around = false;

  /// Whether it was planned anew around something that is missing.
  bool is_replanned() const {
    return request.fabric.replan && (!missing.empty() || !request.fabric.gone.empty());
  }

  /// The groups that carry the collectives out: one for all of them, or one for each source.
  std::vector<std::shared_ptr<const NodeGroup>> groups{};

  const WorkKind& kind() const { return kind_of(processors_of(work)); }
  /// Whether collectives are planned that start by their schedules. Only these have a theory, a
  /// lower bound and a static check, and no contention is to be expected of them.
  bool is_scheduled() const {
    return kind().starts_by == WorkKind::StartsBy::schedule && !trials().empty();
  }
  /// The collectives of each trial; none for a pattern, tasks and programs.
  const Trials& trials() const { return trials_of(work); }
  /// The pattern, alone or beside something else; null: there is none.
  const TrafficRequest* traffic() const { return traffic_of(work); }
  /// The same, if it is beside something else.
  const TrafficRequest* background() const { return background_of(work); }
  /// The collectives that start at random; null: it is other work.
  const LoadWork* load() const { return std::get_if<LoadWork>(&work); }
  /// The tasks; null: it is other work.
  const PlannedTasks* tasks() const {
    const auto* const own = std::get_if<TaskWork>(&work);
    return own == nullptr ? nullptr : &own->tasks;
  }

  /// Whether the fabric is partitioned into groups, each with a collective of its own.
  bool has_partition() const {
    return request.traffic.group && request.traffic.group->is_partition;
  }
};

/// Fabric and nodes of a run; throws std::invalid_argument, one sentence, for what does not fit
/// together.
RunPlan plan_fabric(const RunRequest& given);

/// To be called when `plan` has its work: says what processors are made for, chooses routers if the
/// model was left open and worms cannot move it, and says whether messages carry symbols and how
/// many threads take part. Throws std::invalid_argument if the model cannot move them, or if they
/// cannot end by the last cycle.
void settle_model(RunPlan& plan);

/// Everything that `request` asks for: algorithm, schedule, tasks or pattern. Throws
/// std::invalid_argument, one sentence, for what excludes one another (coherence.h) as well.
RunPlan plan(const RunRequest& request);

/// The channels of all missing links, those of nodes that were cut off as well, and the fabric
/// whose channels they are.
struct MissingOfWhole {
  const Topology* topology;
  const std::vector<Channel>* channels;
};
MissingOfWhole missing_of_whole(const RunPlan& plan);
/// `2 links: 0-1, 5>6`, a few of them by name; empty: none are missing.
std::string missing_links_in_words(const RunPlan& plan);

/// Number of destinations of the longest multidestination message, not counting its first.
int longest_via(const RunPlan& plan);

/// What the headers of its messages must say of groups, where they go over the pins of routers.
PinGroups pin_groups(const RunPlan& plan);
/// Whether it sends joins.
bool has_joins(const RunPlan& plan);

}  // namespace allport
