// SPDX-License-Identifier: Apache-2.0
// A CollectiveTrial is what collectives that start by plan and those that start at random have in
// common: what their processors send, the blocks that they hold, and who has received what.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbench/observe/monitors/completion_log.h"
#include "testbench/observe/monitors/latency_log.h"
#include "testbench/simulation/run_core.h"
#include "testbench/simulation/work_runner.h"
#include "tlm/processor/modelled_workload.h"
#include "tlm/processor/schedule_workload.h"

namespace allport {

class CollectiveTrial : public WorkRunner {
 public:
  explicit CollectiveTrial(RunCore& core)
      : WorkRunner(core),
        schedule_(core.pool, core.message_bytes(), core.watch.stop_flag()),
        modelled_(schedule_, core.node, core.config.model, core.router, core.routing) {}

  // WorkRunner
  Timekeeper* keeper() override {
    return core_.config.model.has_plain_processors() ? nullptr : &modelled_;
  }
  Workload* workload() override { return &schedule_; }
  Cycle on_received(const MessageExtension& extension, Cycle now) override;
  std::string finding() override { return memory_.fault(); }
  bool is_stopped() const override { return schedule_.is_stopped(); }
  const std::vector<PlannedCollective>* collectives() const override { return collectives_; }
  /// From cycle 0 to the last reception, or to the end of a trial that could not complete.
  Cycle cycles() const override;

 protected:
  /// Throws std::invalid_argument for what routers and messages cannot carry out.
  void require_runnable(const std::vector<PlannedCollective>& collectives) const;
  /// A trial of `collectives`, which must outlive it, begins; `programs` carry them out.
  void load(const ProgramTable& programs, const std::vector<PlannedCollective>& collectives);
  void reset(const std::vector<PlannedCollective>& collectives, int trial = 0);
  const PlannedCollective& planned(int collective) const {
    return (*collectives_)[static_cast<std::size_t>(collective)];
  }
  /// The message with which `node` starts `collective`, acquired once.
  tlm::tlm_generic_payload& message_at_start(NodeId node, int collective);
  tlm::tlm_generic_payload& whole_message(int collective);
  tlm::tlm_generic_payload& contribution(int collective, NodeId source, bool has_floats);
  /// `node` has what it must receive of a collective of the trial.
  virtual void on_complete(const MessageExtension&) {}

  ScheduleWorkload schedule_;
  LatencyLog latencies_;
  BlockMemory memory_;

 private:
  void fill_memory(const std::vector<PlannedCollective>& collectives);

  ModelledWorkload modelled_;
  CompletionLog completions_;
  const std::vector<PlannedCollective>* collectives_ = nullptr;
};

}  // namespace allport
