// SPDX-License-Identifier: Apache-2.0
// The broadcasts whose steps are fixed by phases are simulated: they take the time of their
// formulas (docs/algorithms.md, section 15), and those that Theorem 1 refutes do contend, where it
// says.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"
#include "tests/testbench/simulation/times.h"
#include "traffic/theory/timing_model.h"

namespace allport::test {
namespace {

std::string square(int side) {
  return "torus:" + std::to_string(side) + "x" + std::to_string(side);
}

// The latency of a broadcast, or what went wrong or which messages contended.
std::string latency(const char* algorithm, const std::string& shape, const Times& times) {
  return forked([&] {
    const Routing routing = routing_on(shape);
    Simulation simulation(Experiment().times(times.ts, times.tr).length(times.flits), routing);
    const PlannedCollective planned = collective(algorithm, routing, broadcast_from(1, routing));
    const Results results = simulation.run({{planned}});
    return fault_of(results) + contention_of(results) + std::to_string(results.latency.max);
  });
}

void expect_latency(Cycle expected, const char* algorithm, const std::string& shape,
                    const Times& times) {
  EXPECT_EQ(latency(algorithm, shape, times), std::to_string(expected))
      << algorithm << " on " << shape << " ts " << times.ts << " tr " << times.tr << " L "
      << times.flits;
}

TEST(Broadcasts, ByFarThenNearTakeTheTimeOfTheFormula) {
  for (int d = 1; d <= 4; ++d) {
    const Cycle k = d / 2;
    const Cycle hops =
        d % 2 == 0 ? 4 * ((Cycle{1} << 2 * k) - 1) / 3 : 2 * ((Cycle{1} << (2 * k + 2)) - 1) / 3;
    for (const Times& times : all_times) {
      expect_latency(3 * d * times.ts + hops + d * (times.flits + times.tr), "far-then-near",
                     square(1 << d), times);
    }
  }
}

TEST(Broadcasts, ByZblockTakeTheTimeOfTheFormulaOnTheSmallestTori) {
  for (int d = 1; d <= 2; ++d) {
    for (const Times& times : all_times) {
      expect_latency(3 * d * times.ts + 2 * ((1 << d) - 1) + d * (times.flits + times.tr), "zblock",
                     square(1 << d), times);
    }
  }
}

TEST(Broadcasts, AroundARingTakeAMessageTimeALink) {
  for (const Times& times : all_times) {
    expect_latency(8 * (times.ts + 1 + times.flits + times.tr), "ring", "ring:9", times);
  }
}

TEST(Broadcasts, OverTheBinaryTreeTakeTheSlowerChildAtEveryLevel) {
  for (int n = 3; n <= 6; ++n) {
    for (const Times& times : all_times) {
      const Cycle child = std::max(times.ts + 2, 2 * times.ts + 1);
      expect_latency((n - 1) * (child + times.flits + times.tr), "binary-tree",
                     "hypercube:" + std::to_string(n), times);
    }
  }
}

TEST(Broadcasts, ByHkTakeTheTimeOfTheTimingModelAndNotMoreThanItsStepsAndHops) {
  constexpr int steps_of[] = {1, 2, 2, 2, 3, 3, 3, 4};
  constexpr int beta_of[] = {1, 2, 4, 5, 9, 11, 12, 17};
  for (int n = 1; n <= 8; ++n) {
    const std::string shape = "hypercube:" + std::to_string(n);
    const Routing routing = routing_on(shape);
    const PlannedCollective planned = collective("hk", routing, broadcast_from(1, routing));
    for (const Times& times : {Times{0, 0, 16}, Times{20, 3, 16}}) {
      const std::vector<Cycle> predicted = predicted_latency(
          planned.schedule, routing, planned.sources, {times.ts, times.tr, times.flits});
      const Cycle expected = *std::max_element(predicted.begin(), predicted.end());
      EXPECT_LE(times.ts > 0 ? 0 : expected, steps_of[n - 1] * times.flits + beta_of[n - 1]);
      expect_latency(expected, "hk", shape, times);
    }
  }
}

bool is_named(const MessageName& name, const Unicast& unicast) {
  return name.u == unicast.u && name.v == unicast.v;
}

// Trials of a broadcast from node 0 under jitter: the number of events, all of which belong to the
// one pair that Theorem 1 refutes, on its channel.
std::string events_of_the_pair(const char* algorithm, const std::string& shape,
                               const SimulationConfig& config, std::size_t trials) {
  return forked([&]() -> std::string {
    const Routing routing = routing_on(shape);
    const PlannedCollective planned = collective(algorithm, routing, broadcast_from(0, routing));
    const ScheduleReport report = check_schedule(
        planned.schedule, {routing, all_ports(routing), planned.sources, planned.destinations});
    if (report.theorem1.violations != 1) return "not one pair";
    const PairViolation& pair = report.theorem1.pairs.front();
    const Unicast& a = planned.schedule.unicasts[pair.a];
    const Unicast& b = planned.schedule.unicasts[pair.b];
    Simulation simulation(config, routing);
    const Results results = simulation.run({trials, {planned}});
    if (!results.is_complete()) return fault_of(results);
    for (const ContentionEvent& event : results.contention.list) {
      const bool is_pair = (is_named(event.waiting, a) && is_named(event.holding, b)) ||
                           (is_named(event.waiting, b) && is_named(event.holding, a));
      if (!is_pair || !(event.channel == pair.channel)) {
        return "not foreseen: " + printed(std::vector<ContentionEvent>{event});
      }
    }
    return std::to_string(results.contention.events) + " events";
  });
}

TEST(Broadcasts, ByZblockContendOnThe4x4TorusForTheChannelForeseen) {
  const Experiment delayed = Experiment().length(64).times(5, 5).with_jitter(100);
  EXPECT_EQ(events_of_the_pair("zblock", "torus:4x4", Experiment().length(64).times(5, 5), 1),
            "0 events");
  EXPECT_NE(events_of_the_pair("zblock", "torus:4x4", delayed, 100), "0 events");
}

TEST(Broadcasts, ByZblockContendOnThe8x8TorusWithoutAnyDelay) {
  EXPECT_EQ(latency("zblock", "torus:8x8", {0, 0, 64}).substr(0, 6), "cycle ");
}

// About one run in a hundred, and only when the ports of a node run far apart.
TEST(Broadcasts, ByFarThenNearSeldomContendOnThe8x8TorusAndOnlyUnderJitter) {
  Experiment config = Experiment().length(64).times(5, 5);
  config.is_transaction_level = true;  // to the same cycle, and fast
  EXPECT_EQ(events_of_the_pair("far-then-near", "torus:8x8", config, 1), "0 events");

  const std::string events =
      events_of_the_pair("far-then-near", "torus:8x8", config.with_jitter(1000), 2000);

  EXPECT_NE(events, "0 events");
  EXPECT_EQ(events.substr(events.find(' ')), " events");
}

TEST(Broadcasts, ByHkAndTheBinaryTreeMeetNobodyUnderJitter) {
  for (const char* algorithm : {"hk", "binary-tree"}) {
    EXPECT_EQ(forked([&] {
                const Routing routing = routing_on("hypercube:6");
                Experiment config = Experiment().times(5, 5).with_jitter(200);
                config.is_transaction_level = true;
                Simulation simulation(config, routing);
                const auto planned = collective(algorithm, routing, broadcast_from(9, routing));
                const Results results = simulation.run({200, {planned}});
                return fault_of(results) + contention_of(results);
              }),
              "")
        << algorithm;
  }
}

}  // namespace
}  // namespace allport::test
