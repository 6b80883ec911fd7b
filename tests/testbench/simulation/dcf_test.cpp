// SPDX-License-Identifier: Apache-2.0
// The depth contention-free broadcast keeps its name and its formula, from any source.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"
#include "tests/testbench/simulation/times.h"

namespace allport::test {
namespace {

// [Hou98] for the depth contention-free broadcast on an N x N torus, N = 4^k or 2 * 4^k.
Cycle formula(int side, const Times& times) {
  Cycle phases = 0;
  Cycle power = 1;  // 4^k
  while (4 * power <= side) {
    power *= 4;
    ++phases;
  }
  const Cycle end = times.flits + times.tr;
  if (power == side) return 5 * phases * times.ts + 4 * (power - 1) / 3 + 2 * phases * end;
  return (5 * phases + 3) * times.ts + 2 * (4 * power - 1) / 3 + (2 * phases + 1) * end;
}

// The first of `sources` whose broadcast takes another time or contends, in words.
std::string first_wrong_source(int side, const Times& times,
                               const std::vector<std::size_t>& sources) {
  return forked([&]() -> std::string {
    const std::string number = std::to_string(side);
    const Routing routing = routing_on("torus:" + number + "x" + number);
    std::vector<PlannedCollective> broadcasts;
    for (const std::size_t source : sources) {
      broadcasts.push_back(collective("dcf", routing, broadcast_from(source, routing)));
    }
    Simulation simulation(Experiment().times(times.ts, times.tr).length(times.flits), routing);
    const Results results = simulation.run(one_by_one(broadcasts));
    if (!results.is_complete()) return fault_of(results);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (results.trials[i].max == formula(side, times)) continue;
      return "source " + std::to_string(sources[i]) + " took " +
             std::to_string(results.trials[i].max) + " instead of " +
             std::to_string(formula(side, times));
    }
    return contention_of(results);
  });
}

void expect_formula(int side, const Times& times, const std::vector<std::size_t>& sources) {
  EXPECT_EQ(first_wrong_source(side, times, sources), "")
      << side << " x " << side << " L " << times.flits << " ts " << times.ts << " tr " << times.tr;
}

std::vector<std::size_t> all_sources(int side) {
  const auto nodes = static_cast<std::size_t>(side * side);
  return Draw(1).subset(nodes, nodes);
}

std::vector<std::size_t> random_sources(int side, std::size_t count) {
  return Draw(2).subset(static_cast<std::size_t>(side * side), count);
}

TEST(Dcf, TakesTheTimeOfTheFormulaFromEverySourceOfSmallTori) {
  for (const int side : {2, 4, 8}) {
    for (const Times& times : all_times) expect_formula(side, times, all_sources(side));
    expect_formula(side, {200, 200, 64}, all_sources(side));
  }
}

TEST(Dcf, TakesTheTimeOfTheFormulaFromTwentySourcesOfThe16x16Torus) {
  for (const Times& times : all_times) expect_formula(16, times, random_sources(16, 20));
  expect_formula(16, {200, 200, 64}, random_sources(16, 20));
}

TEST(Dcf, TakesTheTimeOfTheFormulaFromTwentySourcesOfThe32x32Torus) {
  expect_formula(32, {0, 0, 1}, random_sources(32, 20));
  expect_formula(32, {200, 200, 16}, random_sources(32, 20));
}

TEST(Dcf, TakesTheTimeOfTheFormulaFromTwentySourcesOfThe64x64Torus) {
  expect_formula(64, {0, 0, 1}, random_sources(64, 20));
}

TEST(Dcf, TakesTheTimeOfTheFormulaWithLongMessagesOnThe64x64Torus) {
  expect_formula(64, {0, 0, 64}, {2741});
}

// The table of docs/algorithms.md, section 15.
TEST(Dcf, TakesTheTimesOfTheTable) {
  EXPECT_EQ(formula(2, {200, 200, 64}), 866);
  EXPECT_EQ(formula(4, {200, 200, 64}), 1532);
  EXPECT_EQ(formula(8, {200, 200, 64}), 2402);
  EXPECT_EQ(formula(16, {200, 200, 64}), 3076);
  EXPECT_EQ(formula(32, {200, 200, 64}), 3962);
  EXPECT_EQ(formula(64, {200, 200, 64}), 4668);
  EXPECT_EQ(formula(4, {0, 0, 64}), 132);
  EXPECT_EQ(formula(64, {0, 0, 64}), 468);
}

TEST(Dcf, MeetsNobodyUnderJitterEither) {
  const Routing routing = routing_on("torus:16x16");
  Simulation simulation(Experiment().length(16).times(5, 5).with_jitter(60), routing);
  std::vector<PlannedCollective> broadcasts;
  for (const std::size_t source : random_sources(16, 40)) {
    broadcasts.push_back(collective("dcf", routing, broadcast_from(source, routing)));
  }

  const Results results = simulation.run(one_by_one(broadcasts));

  EXPECT_EQ(fault_of(results) + contention_of(results), "");
  EXPECT_GT(results.latency.max, formula(16, {5, 5, 16}));
}

}  // namespace
}  // namespace allport::test
