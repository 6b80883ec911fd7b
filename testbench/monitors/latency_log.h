// SPDX-License-Identifier: Apache-2.0
// When each processor had each message, and what follows from it: latencies from the start of a
// collective, percentiles of synthetic traffic.
#pragma once

#include <vector>

#include "testbench/results.h"
#include "testbench/simulation.h"
#include "tlm/message_log.h"

namespace allport {

/// What a run of synthetic traffic was asked for and has counted.
struct TrafficMeasurement {
  Cycle cycles;  ///< messages start in cycles 0 .. cycles - 1 (up to where it was interrupted)
  std::size_t nodes;
  int flits;
  std::uint64_t ejected_first_half;  ///< flits ejected before cycle cycles / 2
  std::uint64_t ejected;             ///< flits ejected before cycle cycles
};

class LatencyLog {
 public:
  // Collectives:
  void begin_trial(std::size_t nodes, std::size_t collectives);
  /// `collective` starts: its sources have the message.
  void start(int collective, const std::vector<NodeId>& sources, Cycle now);
  /// The processor of `node` has the message; whether for the first time.
  bool receive(int collective, NodeId node, Cycle now);
  /// Adds the trial to `results`.
  void end_trial(const std::vector<PlannedCollective>& collectives, Results& results);
  /// Sums up all trials in `results.latency`.
  void summarize(Results& results) const;

  // Synthetic traffic:
  void add_message(Cycle latency) { messages_.push_back(latency); }
  void summarize_traffic(const MessageLog& log, const TrafficMeasurement& measured,
                         Results& results);

 private:
  std::size_t nodes_ = 0;
  std::vector<Cycle> starts_;    // per collective
  std::vector<Cycle> received_;  // per collective and node; -1: not yet
  double sum_ = 0;               // of the latencies of all trials
  std::size_t count_ = 0;
  Cycle max_ = 0;
  std::vector<Cycle> messages_;
};

}  // namespace allport
