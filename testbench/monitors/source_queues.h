// SPDX-License-Identifier: Apache-2.0
// SourceQueues says what waits at the sources of random traffic, and whether it grows without end;
// distribution() gives the distribution of latencies, which says something only if it does not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "testbench/monitors/measurement_window.h"
#include "testbench/results/results.h"

namespace allport {

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

/// The queues of all sources over a window.
class SourceQueues {
 public:
  SourceQueues(const MeasurementWindow& window, std::size_t nodes);

  /// Adds something of `flits` flits that waits at `source` from cycle `created` until `ended`; -1:
  /// it waits for ever.
  void add(NodeId source, int flits, Cycle created, Cycle ended);
  /// The queues of all sources together.
  SourceQueue all() const;
  /// The sources whose own queue grew, ascending.
  std::vector<NodeId> growing() const;
  /// The window in which the slowest of the queues that may grow would have enough messages; 0:
  /// this one tells of all.
  Cycle telling_cycles() const;
  /// The same for the queues of all sources together.
  Cycle telling_cycles_of_all() const;

 private:
  Cycle telling_cycles(const SourceQueue& queue) const;

  MeasurementWindow window_;
  MeasurementWindow first_half_;
  MeasurementWindow second_half_;
  std::vector<SourceQueue> queues_;  // by node
};

/// Sorts `latencies` and sums them up; zeros if there are none.
LatencyDistribution distribution(std::vector<Cycle>& latencies);

/// The counts by powers of two.
LatencyHistogram histogram(const std::vector<Cycle>& latencies);

}  // namespace allport
