// SPDX-License-Identifier: Apache-2.0
// Messages that are moved as worms are where they are when they are moved as flits, to the cycle:
// deliveries, latencies, contention and counts agree. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose
// other cases (scripts/nightly).
#include <gtest/gtest.h>

#include "tests/properties/reference/random_case.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/fatal.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

void expect_equal_results(Traffic traffic, std::uint64_t by_day) {
  const RandomCases cases(by_day);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    ASSERT_EQ(compare_machines(traffic, seed), "") << describe_case(traffic, seed);
  }
}

TEST(Worms, AreWhereFlitsAreInTreesOfUnicasts) { expect_equal_results(Traffic::schedule, 150); }

TEST(Worms, AreWhereFlitsAreUnderUniformTraffic) { expect_equal_results(Traffic::uniform, 150); }

TEST(Worms, AreWhereFlitsAreInEveryKindOfMessage) { expect_equal_results(Traffic::kinds, 150); }

TEST(Worms, AreWhereFlitsAreInEverySwitchingMode) {
  expect_equal_results(Traffic::modes, 200);
  expect_equal_results(Traffic::uniform_modes, 100);
}

TEST(Worms, AreWhereFlitsAreInEverySwitchingModeOverNarrowChannels) {
  expect_equal_results(Traffic::narrow, 150);
  expect_equal_results(Traffic::uniform_narrow, 75);
}

// A short worm drains out of an input that sleeping worms use, and is not one of them.
TEST(Worms, AreWhereFlitsAreWhenShortOnesDrainBesideLongOnes) {
  expect_equal_results(Traffic::mixed, 40);
}

TEST(Worms, AreWhereFlitsAreOverNarrowChannels) {
  expect_equal_results(Traffic::narrow_schedule, 150);
  expect_equal_results(Traffic::narrow_pattern, 75);
}

TEST(Worms, AreWhereFlitsAreWhenLongOnesShareNarrowChannels) {
  expect_equal_results(Traffic::narrow_mixed, 10);
}

// Two events of one list have the same names, those of messages of two collectives.
TEST(Worms, ListEventsOfOneNameInOneOrder) {
  EXPECT_EQ(compare_machines(Traffic::kinds, 7007226), "");
}

TEST(Worms, OfAMillionFlitsArriveByTheFormula) {
  const Routing routing = routing_on("hypercube:6");
  SimulationConfig config = Experiment().times(10, 5).length(1000000);
  config.is_transaction_level = true;
  Simulation simulation(config, routing);

  const Results results = simulation.run({{single(0, 63, routing)}});

  EXPECT_EQ(results.latency.max, 10 + 6 + 1000000 + 5);
}

TEST(Worms, ReachEveryNodeOfASixteenCube) {
  const Routing routing = routing_on("hypercube:16");
  SimulationConfig config = Experiment().length(1024);
  config.is_transaction_level = true;
  Simulation simulation(config, routing);

  const Results results =
      simulation.run({{collective("wsort", routing, broadcast_from(0, routing))}});

  EXPECT_EQ(results.missing, 0U);
  EXPECT_EQ(results.messages, 65535U);
  EXPECT_EQ(results.contention.events, 0U);
}

}  // namespace
}  // namespace allport::test
