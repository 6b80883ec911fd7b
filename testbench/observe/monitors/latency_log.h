// SPDX-License-Identifier: Apache-2.0
// A LatencyLog keeps when each processor had each message of a collective, and the latencies that
// follow from it, from the start of the collective.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "testbench/plan/planned_collective.h"
#include "testbench/results/results.h"
#include "tlm/processor/pair_table.h"

namespace allport {

class LatencyLog {
 public:
  void begin_trial(std::size_t nodes, std::size_t collectives, PairPlaces places = PairPlaces::all);
  /// Notes that `collective` starts: its sources have the message.
  void start(int collective, const std::vector<NodeId>& sources, Cycle now);
  /// Notes that a processor has a message that is not the last one it needs.
  void receive(Cycle now) { last_ = std::max(last_, now); }
  /// Notes that the processor of `node` has the message; returns whether for the first time.
  bool receive(int collective, NodeId node, Cycle now);
  /// The cycle in which `collective` started, and the last reception of the trial.
  Cycle start_of(int collective) const { return starts_[static_cast<std::size_t>(collective)]; }
  Cycle last_reception() const { return last_; }
  /// The cycle in which the processor of `node` had the message of `collective`; -1: it has not.
  Cycle received(int collective, NodeId node) const {
    return received_.of(node, static_cast<std::size_t>(collective));
  }
  /// Adds the trial to `results`.
  void end_trial(const std::vector<PlannedCollective>& collectives, Results& results);
  /// Sums up all trials in `results.latency`.
  void summarize(Results& results) const;

 private:
  bool note(int collective, NodeId node, Cycle now);

  std::size_t nodes_ = 0;
  std::vector<Cycle> starts_;  // per collective
  PairTable<Cycle> received_;  // cycle per collective and node; -1: not yet
  double sum_ = 0;             // sum of the latencies of all trials
  std::size_t count_ = 0;
  Cycle max_ = 0;
  std::vector<double> sums_;  // of the latencies of all trials, per collective
  Cycle last_ = 0;            // last reception of the trial
};

}  // namespace allport
