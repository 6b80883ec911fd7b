// SPDX-License-Identifier: Apache-2.0
// The traffic monitor measures synthetic traffic. It is told of every message of the run once, in
// any order, and knows no fabric, so it can measure anything that moves messages. Offered load and
// latency count messages that started within the window, however late they arrive; throughput
// counts flits that were ejected within it. The network is saturated when the queue of a source, or
// of all sources together, grows (SourceQueue::grows), or its processors cannot prepare all that
// starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "testbench/observe/monitors/measurement_window.h"
#include "testbench/observe/monitors/source_queues.h"
#include "testbench/results/results.h"

namespace allport {

/// The history of one message: cycles from the start of the run, -1 for events that did not happen.
struct TrafficMessage {
  NodeId source{};
  int flits = 0;
  Cycle created = 0;    ///< when it started at its source
  Cycle begun = 0;      ///< when its processor began to prepare it
  Cycle ready = 0;      ///< from when on it waits for its injection port
  Cycle injected = -1;  ///< when its head was on the injection channel
  Cycle head = -1;      ///< when its head was on the ejection channel
  Cycle tail = -1;      ///< when its tail was on the ejection channel
  Cycle received = -1;  ///< when the processor had it
};

/// What processors have to do for the messages that start, in cycles per cycle on average.
struct ProcessorLoad {
  double least = 0;  ///< at least so much; more than 1: they cannot prepare all messages
  /// Whether it is all that they do, one message after another: then up to 1 they have time for all
  /// messages, and what waits for them is in no queue that can grow without end.
  bool is_all = false;
};

class TrafficMonitor {
 public:
  TrafficMonitor(const MeasurementWindow& window, std::size_t nodes,
                 const ProcessorLoad& processors = {});

  void add(const TrafficMessage& message);
  /// All but the load of the channels, which a CrossingCounter counts.
  TrafficResults results();

 private:
  MeasurementWindow window_;
  double node_cycles_;
  ProcessorLoad processors_;
  std::int64_t ejected_flits_ = 0;
  SourceQueues queues_;
  std::vector<Cycle> latencies_;
  std::vector<Cycle> network_latencies_;
};

}  // namespace allport
