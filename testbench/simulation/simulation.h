// SPDX-License-Identifier: Apache-2.0
// A Simulation leads from configuration and plan to results: it elaborates the fabric with its
// nodes, monitors and checkers and runs trials on it, each from reset. A process has one
// Simulation, because SystemC's kernel cannot be reset.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "testbench/plan/planned_collective.h"
#include "testbench/plan/simulation_config.h"
#include "testbench/results/progress.h"
#include "testbench/results/results.h"
#include "testbench/simulation/flit_machine.h"
#include "traffic/patterns/collective_load.h"
#include "traffic/patterns/synthetic_traffic.h"
#include "traffic/tasks/task_graph.h"

namespace allport {

class CollectivePlanner;
class Program;
struct ShownTrial;

class Simulation {
 public:
  static constexpr std::size_t max_listed_events = 100000;

  /// Elaborates the fabric. `pattern_nodes` makes nodes for synthetic traffic instead of
  /// collectives. Once `stop` is set (by a signal handler), elaboration ends with Stopped, and a
  /// run ends with the results so far. Throws std::invalid_argument as validate() does.
  Simulation(const SimulationConfig& config, const Routing& routing, bool pattern_nodes = false,
             const Equip& equip = {}, StopFlag stop = nullptr);
  ~Simulation();

  /// Runs one trial per element of `trials`, each from reset; stops after a trial that could not
  /// complete. All collectives of a trial start at cycle 0, or one after another behind a barrier.
  /// `first`: number of the first trial to run. Throws std::invalid_argument, one sentence, for
  /// what it cannot run as it is (require_trials, require_kinds, require_room).
  Results run(const std::vector<std::vector<PlannedCollective>>& trials, std::size_t first = 0);
  /// Runs `collectives`, each from its own start on, once, and measures them as `load` says;
  /// those of the background as messages of a pattern. Throws as run() does.
  Results run_load(const std::vector<PlannedCollective>& collectives, const CollectiveLoad& load,
                   std::size_t sources);
  /// Runs a synthetic pattern until all messages started in cycles 0 .. cycles - 1 have arrived.
  /// Flits and seed are those of the configuration, whatever the request has.
  Results run_pattern(TrafficRequest request);
  /// Runs the tasks of `graph`, for which the configuration was made (has_tasks); `nodes[r]` is the
  /// node of rank r. task_fault() must find nothing, and the configuration must have the host of
  /// the graph. `background`, for which it was made as well
  /// (has_background): a pattern beside them, of which no message starts when the tasks are over.
  Results run_tasks(const TaskGraph& graph, const std::vector<NodeId>& nodes,
                    const std::optional<TrafficRequest>& background = {});
  /// Runs `programs`, one for each rank, for which the configuration was made (has_programs);
  /// `nodes[r]` is the node of rank r. The results are those of tasks; what a program threw is
  /// their broken invariant. `planner` plans the collectives that they call. `host_program`,
  /// exactly where the configuration has a host: what that runs. `background`: as of tasks.
  Results run_programs(const std::vector<Program*>& programs, const std::vector<NodeId>& nodes,
                       CollectivePlanner& planner, Program* host_program = nullptr,
                       const std::optional<TrafficRequest>& background = {});
  /// The pattern `uniform`, measured from the first cycle on.
  Results run_uniform(double rate, Cycle cycles);

  /// The fabric of routers; throws std::logic_error if worms are moved, since there is none then.
  Fabric& fabric();
  /// The name of a message of the current trial, for waves.
  MessageName message_name(MessageId id) const;
  /// Whether a loss of the current trial is contention, for waves.
  bool is_contention(const Loss& loss) const;
  /// The events noted in the current trial, with cycles from its start.
  const MessageRecord& message(MessageId id) const;

  /// Calls `show` with the last trial; the collectives of the run must still be there. Throws
  /// std::logic_error if its movement was not kept (ExplainRequest).
  void show_trial(const std::function<void(const ShownTrial&)>& show) const;

  /// From the next run on, messages have the length and payload of `config`; nothing else of it
  /// counts. Throws std::invalid_argument as validate() does.
  void use_message(const SimulationConfig& config);

  void on_progress(Progress progress);

 private:
  class Implementation;
  void keep();

  std::unique_ptr<Implementation> implementation_;
};

}  // namespace allport
