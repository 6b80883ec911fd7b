// SPDX-License-Identifier: Apache-2.0
// Measures synthetic traffic. It is told of every message of the run once, in any order, and knows
// no fabric: whatever moves messages can be measured by it. Of offered load and latency, messages
// count that started within the window, however late they arrive; of throughput and the load of the
// channels, flits count that were ejected within it. The network is saturated when the queue of a
// source, or of all sources together, grows (SourceQueue::grows).
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/monitors/channel_load.h"
#include "testbench/monitors/measurement_window.h"
#include "testbench/results/results.h"

namespace allport {

/// What became of one message; cycles from the start of the run, -1 for what did not happen.
struct TrafficMessage {
  NodeId source{};
  NodeId destination{};
  int flits = 0;
  Cycle created = 0;                            ///< it started at its source
  Cycle injected = -1;                          ///< its head was on the injection channel
  Cycle head = -1;                              ///< on the ejection channel
  Cycle tail = -1;                              ///< on the ejection channel
  Cycle received = -1;                          ///< the processor had it
  const std::vector<Channel>* route = nullptr;  ///< it took; null: the one that the routing names
};

/// What waits at a source, over the two halves of the window.
struct SourceQueue {
  std::int64_t messages = 0;  ///< offered in the window
  std::int64_t flits = 0;     ///< of these
  double waiting_first = 0;   ///< flits that wait, on average over the first half
  double waiting_second = 0;  ///< .. over the second half

  /// Flits by which the queue grew from end to end of the window: an even growth is on average
  /// half as much from half to half. Averages, not two samples: a burst at the end is no growth.
  double growth() const { return 2 * (waiting_second - waiting_first); }
  /// More than 5 % of what was offered piled up, and more than chance piles up: three times the
  /// square root of the number of messages, in messages.
  bool grows() const;
};

class TrafficMonitor {
 public:
  /// `routing` must outlive it.
  TrafficMonitor(const MeasurementWindow& window, const Routing& routing);

  void add(const TrafficMessage& message);
  TrafficResults results();

 private:
  void count_ejected(const TrafficMessage& message);

  MeasurementWindow window_;
  MeasurementWindow first_half_;
  MeasurementWindow second_half_;
  double node_cycles_;
  ChannelCounter channels_;
  std::int64_t ejected_flits_ = 0;
  std::vector<SourceQueue> queues_;  // by node
  std::vector<Cycle> latencies_;
  std::vector<Cycle> network_latencies_;
};

}  // namespace allport
