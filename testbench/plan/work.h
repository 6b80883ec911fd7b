// SPDX-License-Identifier: Apache-2.0
// What a run carries out is one of several kinds of work. A plan has one, and a simulation runs it.
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
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

/// What is asked of a kind of work by all that treat kinds otherwise than one another. Each kind
/// has its answers beside its data.
struct WorkKind {
  enum class StartsBy { schedule, draws, ranks };

  const char* name;    ///< `patterns`
  StartsBy starts_by;  ///< what says when a message starts
  /// Why there is no lower bound, a sentence; of collectives: where none are planned.
  const char* no_bound;

  /// Whether ranks send and receive, messages of any lengths.
  bool has_ranks() const { return starts_by == StartsBy::ranks; }
};

inline constexpr const char* has_own_waits =
    "Tasks, programs and messages that start by a clock have no lower bound: what they wait for is their own.";
inline constexpr const char* draws_starts =
    "A pattern has no lower bound: its messages start when they are drawn.";

/// The collectives of each trial, one per source or group; for a schedule file on the whole fabric
/// or one group, one with all its sources.
using Trials = std::vector<std::vector<PlannedCollective>>;

/// Collectives, trial by trial, each from reset: all of a trial start at cycle 0, or one after
/// another behind a barrier. The trials before `first` are not run.
struct CollectiveWork {
  static constexpr WorkKind kind{"collectives", WorkKind::StartsBy::schedule, has_own_waits};
  Trials trials{};
  std::size_t first = 0;
};

/// Collectives that start at random: one trial, in which the messages of the background, if there
/// is one, are collectives too and follow the others.
struct LoadWork {
  static constexpr WorkKind kind{"collectives that start at random", WorkKind::StartsBy::draws,
                                 "Collectives that start at random have no lower bound."};
  Trials trials{};
  CollectiveLoad load{};
  std::size_t sources = 0;  ///< nodes that start collectives
  std::optional<TrafficRequest> background{};
};

/// A pattern or flows, until all messages that started in cycles 0 .. cycles - 1 have arrived.
struct PatternWork {
  static constexpr WorkKind kind{"patterns", WorkKind::StartsBy::draws, draws_starts};
  TrafficRequest traffic{};
};

/// The same of a closed loop: until the requests made in cycles 0 .. cycles - 1 have their replies.
struct ClosedLoopWork {
  static constexpr WorkKind kind{"closed loops", WorkKind::StartsBy::draws, draws_starts};
  TrafficRequest traffic{};
};

/// Tasks of ranks. No message of the background, if there is one, starts when they are over.
struct TaskWork {
  static constexpr WorkKind kind{"tasks", WorkKind::StartsBy::ranks, has_own_waits};
  PlannedTasks tasks{};
  std::optional<TrafficRequest> background{};
};

/// Programs of ranks, which run on the nodes and call collectives.
struct ProgramWork {
  static constexpr WorkKind kind{"programs", WorkKind::StartsBy::ranks, has_own_waits};
  std::vector<Program*> programs{};      ///< by rank
  std::vector<NodeId> nodes{};           ///< of each rank
  CollectivePlanner* planner = nullptr;  ///< plans the collectives that they call
  Program* host_program = nullptr;       ///< what the host runs; null: there is no host
  std::optional<TrafficRequest> background{};
};

using Work =
    std::variant<CollectiveWork, LoadWork, PatternWork, ClosedLoopWork, TaskWork, ProgramWork>;

/// Its place among the kinds: what the processors that carry it out are made for.
inline Processors processors_of(const Work& work) { return Processors{work.index()}; }
template <class Kind, class... Kinds>
constexpr Processors place_among(const std::variant<Kinds...>* /*all*/) {
  std::size_t place = 0;
  static_cast<void>((... || (std::is_same_v<Kind, Kinds> || (++place, false))));
  return Processors{place};
}
/// The same of all work of a kind.
template <class Kind>
inline constexpr Processors processors_for = place_among<Kind>(static_cast<const Work*>(nullptr));

const WorkKind& kind_of(Processors made_for);
/// Its collectives; none: it has none.
const Trials& trials_of(const Work& work);
/// The pattern beside its collectives or ranks; null: there is none.
const TrafficRequest* background_of(const Work& work);
/// Its pattern, alone or beside something else; null: there is none.
const TrafficRequest* traffic_of(const Work& work);

}  // namespace allport
