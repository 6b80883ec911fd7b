// SPDX-License-Identifier: Apache-2.0
// A Simulation leads from configuration and plan to results: it elaborates the fabric with its
// nodes, monitors and checkers and runs trials on it, each from reset. A process has one
// Simulation, because SystemC's kernel cannot be reset.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "rtl_model/systemc/fabric.h"
#include "testbench/plan/simulation_config.h"
#include "testbench/plan/work.h"
#include "testbench/results/progress.h"
#include "testbench/results/results.h"
#include "testbench/simulation/flit_machine.h"

namespace allport {

struct ShownTrial;

class Simulation {
 public:
  /// Elaborates the fabric and what its processors are made for (SimulationConfig::processors).
  /// Once `stop` is set (by a signal handler), elaboration ends with Stopped, and a run ends with
  /// the results so far. Throws std::invalid_argument as validate() does.
  Simulation(const SimulationConfig& config, const Routing& routing,
             const RouterReplacement& replace_routers = {}, StopFlag stop = nullptr);
  ~Simulation();

  /// Runs `work`, for which the configuration was made: collectives trial by trial, each from
  /// reset, until a trial cannot complete; all other work once. Flits and seed of a pattern are
  /// those of the configuration, whatever its request has; task_fault() must find nothing in tasks;
  /// what a program threw is the broken invariant of the results. Throws std::invalid_argument, one
  /// sentence, for work of another kind, with a host or a background where the configuration has
  /// none or without one where it has one, and for what it cannot run as it is (require_trials,
  /// require_kinds, require_room).
  Results run(const Work& work);
  /// The same of collectives, which the simulation keeps until it runs others.
  Results run(Trials trials, std::size_t first = 0) {
    kept_ = CollectiveWork{std::move(trials), first};
    return run(kept_);
  }

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
  struct Parts;
  void keep();

  std::unique_ptr<Parts> parts_;
  Work kept_;
};

}  // namespace allport
