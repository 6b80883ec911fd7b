// SPDX-License-Identifier: Apache-2.0
// Whole collectives take the time of the closed formulas (docs/algorithms.md, section 15).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"
#include "tests/testbench/simulation/times.h"

namespace allport::test {
namespace {

std::string latency(const char* algorithm, const Routing& routing, const Times& times, int ports) {
  return forked([&] {
    Simulation simulation(
        Experiment().on(With().ports(ports)).times(times.ts, times.tr).length(times.flits),
        routing);
    const auto goal = broadcast_from(0, routing);
    const Results results = simulation.run({{collective(algorithm, routing, goal, ports)}});
    return fault_of(results) + contention_of(results) + std::to_string(results.latency.max);
  });
}

std::string latency(const char* algorithm, int dimension, const Times& times, int ports) {
  return latency(algorithm, routing_on("hypercube:" + std::to_string(dimension)), times, ports);
}

TEST(Formulas, GiveTheTimeOfABroadcastBySbtWhateverTheNumberOfPorts) {
  for (int n = 1; n <= 6; ++n) {
    for (int ports = 1; ports <= n; ++ports) {
      for (const auto& [ts, tr, flits] : all_times) {
        EXPECT_EQ(latency("sbt", n, {ts, tr, flits}, ports),
                  std::to_string(n * (ts + 1 + flits + tr)))
            << "n " << n << " k " << ports << " ts " << ts << " tr " << tr << " L " << flits;
      }
    }
  }
}

TEST(Formulas, GiveTheTimeOfABroadcastBySeparateMessages) {
  for (int n = 1; n <= 6; ++n) {
    for (const auto& [ts, tr, flits] : all_times) {
      const Cycle longest = std::max<Cycle>(ts, flits);
      const Cycle half = Cycle{1} << (n - 1);
      EXPECT_EQ(latency("separate", n, {ts, tr, flits}, n),
                std::to_string(half * ts + (half - 1) * longest + n + flits + tr));
      EXPECT_EQ(latency("separate", n, {ts, tr, flits}, 1),
                std::to_string(ts + (2 * half - 2) * longest + n + flits + tr));
    }
  }
}

// The odd ids, half of all, use the busiest port: they are every second message of the program.
TEST(Formulas, GiveTheTimeOfABroadcastBySeparateMessagesUnderAscendingRouting) {
  for (int n = 1; n <= 6; ++n) {
    const Routing routing = ascending_on("hypercube:" + std::to_string(n));
    for (const auto& [ts, tr, flits] : all_times) {
      const Cycle apart = std::max<Cycle>(2 * ts, flits);
      const Cycle half = Cycle{1} << (n - 1);
      EXPECT_EQ(latency("separate", routing, {ts, tr, flits}, n),
                std::to_string(ts + (half - 1) * apart + n + flits + tr))
          << "n " << n << " ts " << ts << " L " << flits;
    }
  }
}

}  // namespace
}  // namespace allport::test
