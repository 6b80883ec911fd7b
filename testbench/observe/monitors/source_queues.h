// SPDX-License-Identifier: Apache-2.0
// SourceQueues says what waits at the sources of random traffic, and whether it grows without end
// or only fills an empty network (docs/guide/traffic.md, "Saturation"); distribution() gives the
// distribution of latencies, which says something only if it does not grow.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "testbench/observe/monitors/measurement_window.h"
#include "testbench/results/results.h"

namespace allport {

/// What waits at a source, or at several, in the four quarters of the window.
struct SourceQueue {
  std::int64_t messages = 0;  ///< messages offered in the window
  double flits = 0;           ///< flits of these messages
  double squares = 0;         ///< the squares of their lengths, summed up
  /// Flits that wait, on average over each quarter.
  std::array<double, 4> waiting{};
  /// What is more than chance, in flits (SourceQueues).
  double chance = 0;

  /// Flits by which the queue grew from end to end of the window: with an even growth, the averages
  /// of the halves differ by half as much. It uses averages, not two samples, so that a burst at
  /// the end is no growth.
  double growth() const { return waiting[2] + waiting[3] - waiting[0] - waiting[1]; }
  /// The growth as a share of the offered flits.
  double share() const { return flits > 0 ? growth() / flits : 0; }
  /// Whether more than 5 % of the offered flits piled up.
  bool may_grow() const;
  /// Whether it goes on in the second half: by a third of what it is in the first, or more.
  bool goes_on() const;
  /// Whether it may grow, by more than chance, and goes on.
  bool grows() const { return may_grow() && growth() > chance && goes_on(); }
  /// How many times as long a window must be to tell of a queue that may grow: the growth is beyond
  /// chance if it goes on as it is, and below 5 % if it is over.
  double telling_times() const;
};

/// The queues of all sources over a window.
class SourceQueues {
 public:
  SourceQueues(const MeasurementWindow& window, std::size_t nodes);

  /// Adds something of `flits` flits that `source` offers in cycle `created`.
  void offer(NodeId source, int flits, Cycle created);
  /// Adds that `flits` flits wait at `source` from cycle `from` until `to`; -1: for ever.
  void wait(NodeId source, int flits, Cycle from, Cycle to);
  /// The queues of all sources together.
  SourceQueue all() const;
  /// The sources whose own queue grew, ascending.
  std::vector<NodeId> growing() const;
  /// The `--cycles` of a run whose window would tell of all queues that may grow; 0: this one does.
  Cycle telling_cycles() const;
  /// The same for the queues of all sources together.
  Cycle telling_cycles_of_all() const;

 private:
  MeasurementWindow quarter(std::size_t number) const;
  SourceQueue averaged(SourceQueue queue) const;
  SourceQueue of(std::size_t node) const;
  Cycle cycles_of(double times) const;

  MeasurementWindow window_;
  std::vector<SourceQueue> queues_;  // by node; what waits is summed up over cycles
};

/// Sorts `latencies` and sums them up; zeros if there are none.
LatencyDistribution distribution(std::vector<Cycle>& latencies);

/// The counts by powers of two.
LatencyHistogram histogram(const std::vector<Cycle>& latencies);

}  // namespace allport
