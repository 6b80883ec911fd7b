// SPDX-License-Identifier: Apache-2.0
// A RunCore is what runs of all kinds of work have in common: the machine, the messages, who
// listens to them, and the results so far. What its processors send is the matter of a WorkRunner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/observe/explain/explainer.h"
#include "testbench/observe/monitors/delivery_checker.h"
#include "testbench/observe/monitors/delivery_log.h"
#include "testbench/plan/planned_collective.h"
#include "testbench/simulation/flit_machine.h"
#include "testbench/simulation/watch.h"
#include "testbench/simulation/work_runner.h"
#include "tlm/processor/task_workload.h"

namespace allport {

class RunCore final : public MessageObserver {
 public:
  /// Makes everything but machine and runner.
  RunCore(const SimulationConfig& given, const Routing& routes, StopFlag stop);
  /// Makes the machine, on which `runner` carries out its kind of work; it must outlive this.
  void make_machine(WorkRunner& runner, const RouterReplacement& replace_routers);

  Machine& machine() { return *machine_; }
  /// The machine of flits; throws std::logic_error if this is the machine of worms.
  FlitMachine& flits() const;
  Cycle now() const { return machine_->clock().cycle(); }
  std::size_t nodes() const { return routing.topology().node_count(); }
  MessageBytes message_bytes() const {
    return config.is_transaction_level ? MessageBytes::shared : MessageBytes::own;
  }
  /// What a workload that keeps its own time is made of.
  TaskMachine task_machine() { return {node, config.model, router, routing, pool}; }

  /// A run begins, whose trials begin with resets.
  void begin_run();
  /// The same of a run of one trial that takes `cycles` cycles; 0: nobody knows.
  void begin_single_trial(Cycle cycles);
  /// Trial `trial` begins.
  void reset(std::uint64_t trial = 0);
  /// Runs the kernel until nothing is left to do, and says in the results why, if that is not the
  /// end of the trial.
  void run_kernel(int trial);
  /// Adds the trial to the results; `is_random`: it lists contention up to a limit.
  void end_trial(int trial, bool is_random);
  /// The end of a trial in which the last thing moves, or is received, in cycle `last`: in a
  /// deadlock it is the deadlock's cycle.
  Cycle end_of(Cycle last) const {
    return results.deadlock ? std::max(last, results.deadlock->cycle) : last;
  }
  /// Its results, with the time that it took to make the machine.
  Results finish();

  // MessageObserver
  void on_delivered(const tlm::tlm_generic_payload& message,
                    const MessageExtension& extension) override;
  void on_received(const MessageExtension& extension, Cycle now) override;

  SimulationConfig config;
  const Routing routing;
  const RouterConfig router;
  MessageLog log;
  MessagePool pool;
  const NodeConfig node;
  Watch watch;
  DeliveryChecker checker;
  DeliveryLog deliveries;
  std::optional<Explainer> explainer;
  Results results;
  double startup_seconds = 0;

 private:
  std::unique_ptr<Machine> machine_;
  FlitMachine* flit_machine_ = nullptr;  // if that is the machine
  WorkRunner* runner_ = nullptr;
};

}  // namespace allport
