// SPDX-License-Identifier: Apache-2.0
// The load monitor measures collectives that start at random (docs/guide/multicast-load.md). It is
// told of every collective and every delivery of the run, in any order. Offered load and latency
// count collectives that started within the window, however late they complete; accepted load
// counts those that completed within it. The load saturates the network when the number of
// collectives under way grows, those of a source or all of them (SourceQueue::grows).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "testbench/observe/monitors/measurement_window.h"
#include "testbench/observe/monitors/source_queues.h"
#include "testbench/results/results.h"

namespace allport {

class LoadMonitor {
 public:
  /// `sources` of the `nodes` nodes start collectives.
  LoadMonitor(const MeasurementWindow& window, std::size_t sources, std::size_t nodes);

  /// Ends the window before `to`, which must be behind all that was ejected; before any collective
  /// is added.
  void end_at(Cycle to);
  /// Adds a collective that `source` started in cycle `start`, and the cycles in which its
  /// destinations had it; -1: one never had it.
  void add(NodeId source, Cycle start, const std::vector<Cycle>& received);
  /// Adds a copy of `flits` flits with its head and tail on an ejection channel in these cycles.
  void add_ejected(Cycle head, Cycle tail, int flits);
  LoadResults results();

 private:
  MeasurementWindow window_;
  double sources_;
  double nodes_;
  std::size_t collectives_ = 0;  // started in the window
  std::size_t unfinished_ = 0;   // of these
  std::size_t completed_ = 0;    // in the window
  std::int64_t ejected_flits_ = 0;
  Cycle under_way_ = 0;  // cycles of the window, summed over the collectives under way
  struct Span {
    NodeId source{};
    Cycle start = 0;
    Cycle completed = -1;  // -1: it did not
  };

  SourceQueues queues_;
  std::vector<Span> spans_;
  Cycle shortest_ = 1'000'000'000'000;  // of those that completed
  std::vector<Cycle> latencies_;
  std::vector<Cycle> completions_;
};

}  // namespace allport
