// SPDX-License-Identifier: Apache-2.0
// A TrafficMeter measures the messages of a pattern, alone or beside other work: it counts what
// crosses the channels in a window, and sums up latencies and throughput when the trial is over.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "testbench/observe/monitors/crossing_counter.h"
#include "testbench/observe/monitors/traffic_monitor.h"
#include "testbench/simulation/run_core.h"

namespace allport {

class TrafficMeter {
 public:
  /// `core` must outlive it.
  explicit TrafficMeter(RunCore& core) : core_(core) {}

  /// `request` with the length, the seed and the ties of the configuration.
  TrafficRequest settled(TrafficRequest request) const;
  /// Runs the one trial of a settled request by itself, until all messages that started have
  /// arrived. `start` has the nodes send what is drawn for it. Returns what measure() needs.
  MeasurementWindow run(const TrafficRequest& request,
                        const std::function<void(const SyntheticTraffic&)>& start);
  /// Counts what crosses channels in the coming trial, which measure() ends.
  void count(CountedCrossings counted);
  /// The window of a trial that is over, of which the first `warmup` cycles are not measured.
  MeasurementWindow window(Cycle warmup, Cycle cycles) const;
  /// How busy the processors of the pattern are.
  ProcessorLoad processor_load(const TrafficRequest& request) const;
  /// Measures the messages of the collectives from `first_collective` on: of a pattern all, beside
  /// ranks those of Background.
  TrafficResults measure(const MeasurementWindow& window, const ProcessorLoad& processors,
                         std::size_t first_collective = 0);

 private:
  RunCore& core_;
  std::optional<CrossingCounter> crossings_;  // while they are counted
};

}  // namespace allport
