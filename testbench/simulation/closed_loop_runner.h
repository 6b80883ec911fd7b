// SPDX-License-Identifier: Apache-2.0
// A ClosedLoopRunner carries out a closed loop, until the requests that were made have their
// replies.
#pragma once

#include "testbench/simulation/reception_takes.h"
#include "testbench/simulation/run_core.h"
#include "testbench/simulation/traffic_meter.h"
#include "testbench/simulation/work_runner.h"
#include "tlm/processor/closed_loop_workload.h"
#include "tlm/processor/modelled_workload.h"

namespace allport {

class ClosedLoopRunner final : public WorkRunner {
 public:
  explicit ClosedLoopRunner(RunCore& core)
      : WorkRunner(core),
        loop_(core.node, core.pool, core.message_bytes(), core.nodes(),
              core.router.classes > 1 ? 1 : 0, core.config.reception_limit > 0 ? &takes_ : nullptr),
        modelled_(loop_, core.node, core.config.model, core.router, core.routing),
        meter_(core) {}

  // WorkRunner
  Timekeeper* keeper() override {
    return core_.config.model.has_plain_processors() ? nullptr : &modelled_;
  }
  Workload* workload() override { return &loop_; }
  void on_machine() override { takes_.serve(core_.machine()); }
  Results run(const Work& work) override;
  Cycle cycles() const override { return core_.results.cycles; }

 private:
  ClosedLoopResults measure(const MeasurementWindow& window) const;

  ReceptionTakes takes_{"reception_takes"};
  ClosedLoopWorkload loop_;
  ModelledWorkload modelled_;
  TrafficMeter meter_;
};

}  // namespace allport
