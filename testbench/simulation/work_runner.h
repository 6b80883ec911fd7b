// SPDX-License-Identifier: Apache-2.0
// A WorkRunner carries out one kind of work (testbench/plan/work.h): it owns what the processors
// send and what is measured of it. A new kind of work is a class of its own and a row in
// work_runner.cpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "testbench/plan/planned_collective.h"
#include "testbench/plan/work.h"
#include "testbench/results/results.h"
#include "tlm/message/message.h"
#include "tlm/processor/timekeeper.h"
#include "tlm/processor/workload.h"

namespace allport {

class RunCore;

class WorkRunner {
 public:
  /// `core` must outlive it; its machine is made later.
  explicit WorkRunner(RunCore& core) : core_(core) {}
  virtual ~WorkRunner() = default;

  /// What the processors do if they keep their own time; null: they send workload() by the plain
  /// rule.
  virtual Timekeeper* keeper() = 0;
  /// What the processors send; null: their keeper knows.
  virtual Workload* workload() { return nullptr; }
  /// The machine is there, and has not been started.
  virtual void on_machine() {}

  /// Carries `work` out, which is of its kind, as Simulation::run() says.
  virtual Results run(const Work& work) = 0;

  // While it runs:
  virtual void on_delivered(const MessageExtension&) {}
  /// Returns the latency of the receiver if it has all that it needs now, and had not before;
  /// otherwise -1.
  virtual Cycle on_received(const MessageExtension&, Cycle) { return -1; }
  /// When a trial is over: what it broke, a sentence; empty: nothing.
  virtual std::string finding() { return {}; }

  /// Whether messages are kept from being sent because the run is to stop.
  virtual bool is_stopped() const { return false; }

  /// The collectives of the last trial; null: it had none.
  virtual const std::vector<PlannedCollective>* collectives() const { return nullptr; }
  /// How long the last trial took.
  virtual Cycle cycles() const = 0;

 protected:
  RunCore& core_;
};

/// The runner of the kind of work for which `core` is configured.
std::unique_ptr<WorkRunner> make_runner(RunCore& core);

}  // namespace allport
