// SPDX-License-Identifier: Apache-2.0
// A LoadRunner carries out one trial of collectives that start at random, each in its own cycle,
// and measures them in a window, with what the background does beside them.
#pragma once

#include <optional>
#include <vector>

#include "testbench/observe/monitors/load_monitor.h"
#include "testbench/simulation/collective_trial.h"
#include "testbench/simulation/traffic_meter.h"

namespace allport {

class LoadRunner final : public CollectiveTrial {
 public:
  explicit LoadRunner(RunCore& core) : CollectiveTrial(core), meter_(core) {}

  // WorkRunner
  Results run(const Work& work) override;
  void on_delivered(const MessageExtension& extension) override;

 private:
  void run_trial(const std::vector<PlannedCollective>& collectives);
  LoadResults measure(const MeasurementWindow& window);

  std::optional<LoadMonitor> monitor_;  // of the last run
  TrafficMeter meter_;                  // of the background
};

}  // namespace allport
