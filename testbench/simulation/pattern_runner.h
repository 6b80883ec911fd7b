// SPDX-License-Identifier: Apache-2.0
// A PatternRunner carries out a pattern or flows, until all messages that started have arrived.
#pragma once

#include "testbench/simulation/run_core.h"
#include "testbench/simulation/traffic_meter.h"
#include "testbench/simulation/work_runner.h"
#include "tlm/processor/modelled_workload.h"
#include "tlm/processor/pattern_workload.h"

namespace allport {

/// Has every node send in `pattern` what `traffic`, which must outlive the trial, draws for it.
void start_pattern(RunCore& core, PatternWorkload& pattern, const SyntheticTraffic& traffic);

class PatternRunner final : public WorkRunner {
 public:
  explicit PatternRunner(RunCore& core)
      : WorkRunner(core),
        pattern_(core.node, core.pool, core.message_bytes(), core.nodes()),
        modelled_(pattern_, core.node, core.config.model, core.router, core.routing),
        meter_(core) {}

  // WorkRunner
  Timekeeper* keeper() override {
    return core_.config.model.has_plain_processors() ? nullptr : &modelled_;
  }
  Workload* workload() override { return &pattern_; }
  Results run(const Work& work) override;
  Cycle cycles() const override { return core_.results.cycles; }

 private:
  PatternWorkload pattern_;
  ModelledWorkload modelled_;
  TrafficMeter meter_;
};

}  // namespace allport
