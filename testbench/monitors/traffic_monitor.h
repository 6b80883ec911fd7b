// SPDX-License-Identifier: Apache-2.0
// The traffic monitor measures synthetic traffic. It is told of every message of the run once, in
// any order, and knows no fabric, so it can measure anything that moves messages. Offered load and
// latency count messages that started within the window, however late they arrive; throughput and
// the load of the channels count flits that were ejected within it. The network is saturated when
// the queue of a source, or of all sources together, grows (SourceQueue::grows).
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/monitors/channel_load.h"
#include "testbench/monitors/measurement_window.h"
#include "testbench/results/results.h"

namespace allport {

/// The history of one message: cycles from the start of the run, -1 for events that did not happen.
struct TrafficMessage {
  NodeId source{};
  NodeId destination{};
  int flits = 0;
  Cycle created = 0;                            ///< when it started at its source
  Cycle injected = -1;                          ///< when its head was on the injection channel
  Cycle head = -1;                              ///< when its head was on the ejection channel
  Cycle tail = -1;                              ///< when its tail was on the ejection channel
  Cycle received = -1;                          ///< when the processor had it
  const std::vector<Channel>* route = nullptr;  ///< taken; null: that of the routing
};

/// What waits at a source in the two halves of the window.
struct SourceQueue {
  std::int64_t messages = 0;  ///< messages offered in the window
  std::int64_t flits = 0;     ///< flits of these messages
  double waiting_first = 0;   ///< flits that wait, on average over the first half
  double waiting_second = 0;  ///< flits that wait, on average over the second half

  /// Flits by which the queue grew from end to end of the window: with an even growth, the averages
  /// of the halves differ by half as much. It uses averages, not two samples, so that a burst at
  /// the end is no growth.
  double growth() const { return 2 * (waiting_second - waiting_first); }
  /// Whether more than 5 % of the offered flits piled up, and more than chance piles up: three
  /// times the square root of the number of messages, in messages.
  bool grows() const;
  /// The number of messages after which a growth of this share is more than chance, if it is more
  /// than 5 % and not yet that; 0: it is one or the other.
  double telling_messages() const;
};

class TrafficMonitor {
 public:
  /// `routing` must outlive it.
  TrafficMonitor(const MeasurementWindow& window, const Routing& routing);

  void add(const TrafficMessage& message);
  TrafficResults results();

 private:
  void count_ejected(const TrafficMessage& message);
  Cycle telling_cycles(const SourceQueue& all) const;

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
