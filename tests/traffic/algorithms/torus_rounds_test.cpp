// SPDX-License-Identifier: Apache-2.0
// These are the broadcasts of a 2^d x 2^d torus besides DCF: recursive Z_block, EDN, and
// far-then-near.
#include "traffic/algorithms/torus_rounds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/theory/timing_model.h"

namespace allport {
namespace {

std::string square(int side) {
  return "torus:" + std::to_string(side) + "x" + std::to_string(side);
}

Schedule plan_on(const char* algorithm, const Routing& torus, std::size_t source = 0) {
  return planned(algorithm, torus, broadcast(torus.topology(), node_id(source)));
}

ScheduleReport report_of(const char* algorithm, const Routing& torus, std::size_t source = 0) {
  return checked(plan_on(algorithm, torus, source), torus,
                 broadcast(torus.topology(), node_id(source)));
}

// All pairs of a finding, as `u-v with u-v`.
std::string pairs_of(const Finding& finding, const Schedule& schedule) {
  std::ostringstream text;
  for (const PairViolation& pair : finding.pairs) {
    for (const std::size_t i : {pair.a, pair.b}) {
      const Unicast& one = schedule.unicasts[i];
      text << index(one.u) << '-' << index(one.v) << (i == pair.a ? " with " : ";");
    }
  }
  return text.str();
}

Cycle last(const std::vector<Cycle>& latencies) {
  return *std::max_element(latencies.begin(), latencies.end());
}

TEST(TorusRounds, PlanTheFourByFourTorus) {
  const Routing torus = routing_on("torus:4x4");

  EXPECT_EQ(
      printed(plan_on("zblock", torus)),
      "(0,2,1) (0,8,1) (0,10,1) (0,1,2) (0,4,2) (0,7,2) (2,3,2) (2,6,2) (2,5,2) (8,9,2) (8,12,2) (8,15,2) (10,11,2) (10,14,2) (10,13,2)");
  EXPECT_EQ(
      printed(plan_on("far-then-near", torus)),
      "(0,8,1) (0,6,1) (0,14,1) (0,1,2) (0,3,2) (0,4,2) (6,7,2) (6,5,2) (6,10,2) (8,9,2) (8,11,2) (8,12,2) (14,15,2) (14,13,2) (14,2,2)");
  EXPECT_EQ(
      printed(plan_on("edn", torus)),
      "(0,5,1) (0,15,1) (0,8,1) (0,3,2) (0,4,2) (0,2,2) (5,6,2) (5,1,2) (5,7,2) (8,9,2) (8,12,2) (8,10,2) (15,14,2) (15,11,2) (15,13,2)");
}

TEST(TorusRounds, ReachEverybodyOnceInDStepsStepwiseFree) {
  std::mt19937 generator(3);
  for (int d = 1; d <= 6; ++d) {
    const Routing torus = routing_on(square(1 << d));
    for (const char* algorithm : {"zblock", "edn", "far-then-near"}) {
      const std::size_t source = generator() % torus.topology().node_count();
      const ScheduleReport report = report_of(algorithm, torus, source);
      EXPECT_EQ(plan_on(algorithm, torus, source).steps(), d);
      EXPECT_TRUE(report.exactly_once.ok() && report.causality.ok() && report.port_rule.ok() &&
                  report.routes_valid.ok() && report.stepwise.ok())
          << algorithm << ' ' << square(1 << d) << " from " << source;
    }
  }
}

TEST(TorusRounds, ZblockFailsTheorem1FromSideFourOn) {
  const Routing torus = routing_on("torus:4x4");
  EXPECT_EQ(pairs_of(report_of("zblock", torus).theorem1, plan_on("zblock", torus)),
            "0-10 with 2-6;");
  EXPECT_TRUE(report_of("zblock", routing_on("torus:2x2")).theorem1.ok());
  for (const int side : {8, 16, 32}) {
    EXPECT_FALSE(report_of("zblock", routing_on(square(side))).theorem1.ok()) << side;
  }
}

TEST(TorusRounds, FarThenNearFailsTheorem1FromSideEightOn) {
  for (const int side : {2, 4}) {
    EXPECT_TRUE(report_of("far-then-near", routing_on(square(side))).theorem1.ok()) << side;
  }
  const Routing torus = routing_on("torus:8x8");
  EXPECT_EQ(pairs_of(report_of("far-then-near", torus).theorem1, plan_on("far-then-near", torus)),
            "0-20 with 4-12;");
  for (const int side : {16, 32}) {
    EXPECT_FALSE(report_of("far-then-near", routing_on(square(side))).theorem1.ok()) << side;
  }
}

// The pairs that Theorem 1 refutes, N = 2 to 32.
TEST(TorusRounds, EdnFailsTheorem1FromSideEightOn) {
  std::vector<std::size_t> pairs;
  for (const int side : {2, 4, 8, 16, 32}) {
    pairs.push_back(report_of("edn", routing_on(square(side))).theorem1.violations);
  }
  EXPECT_EQ(pairs, (std::vector<std::size_t>{0, 0, 4, 8, 88}));
}

TEST(TorusRounds, OnlyTheTiesOfTheFirstStepGoTheOtherWay) {
  const Routing torus = routing_on("torus:16x16");
  for (const char* algorithm : {"zblock", "far-then-near"}) {
    int displaced = 0;
    for (const Unicast& unicast : plan_on(algorithm, torus).unicasts) {
      if (unicast.displacement.empty()) continue;
      EXPECT_EQ(unicast.step, 1);
      EXPECT_EQ(unicast.displacement[0], -8);
      ++displaced;
    }
    EXPECT_EQ(displaced, 1) << algorithm;
  }
}

// N = 4^k: 6k ts + (4/3)(4^k-1) + 2k(L + tr); N = 2*4^k: 3(2k+1) ts + (2/3)(4^(k+1)-1) + (2k+1)(L +
// tr) [Hou98, section 6.1].
void expect_the_time_of_edn(const char* algorithm) {
  for (int d = 1; d <= 6; ++d) {
    const Routing torus = routing_on(square(1 << d));
    const Schedule schedule = plan_on(algorithm, torus);
    const Cycle k = d / 2;
    const Cycle hops =
        d % 2 == 0 ? 4 * ((Cycle{1} << 2 * k) - 1) / 3 : 2 * ((Cycle{1} << (2 * k + 2)) - 1) / 3;
    for (const Cycle ts : {0, 1, 50, 1000}) {
      for (const Cycle tr : {0, 7}) {
        for (const int flits : {1, 64, 4096}) {
          const Cycle expected = 3 * d * ts + hops + d * (flits + tr);
          EXPECT_EQ(last(predicted_latency(schedule, torus, nodes({0}), {ts, tr, flits})), expected)
              << algorithm << ", " << square(1 << d) << " ts " << ts << " L " << flits;
        }
      }
    }
  }
}

TEST(TorusRounds, EdnAndFarThenNearHaveTheLatencyOfTheFormulasForAllParameters) {
  expect_the_time_of_edn("edn");
  expect_the_time_of_edn("far-then-near");
}

// The diagonal message is a step's last and longest: 3 ts + 2 unit + L + tr, units N/2 .. 1.
TEST(TorusRounds, ZblockTakesThreeSendsAndTheDiagonalAStep) {
  for (int d = 1; d <= 6; ++d) {
    const Routing torus = routing_on(square(1 << d));
    for (const Cycle ts : {0, 1, 50, 1000}) {
      for (const int flits : {1, 64}) {
        const Cycle expected = 3 * d * ts + 2 * ((1 << d) - 1) + d * (flits + 7);
        EXPECT_EQ(
            last(predicted_latency(plan_on("zblock", torus), torus, nodes({0}), {ts, 7, flits})),
            expected)
            << square(1 << d) << " ts " << ts;
      }
    }
  }
}

TEST(TorusRounds, AreForSquareToriOfAPowerOfTwoOnly) {
  for (const char* algorithm : {"zblock", "edn", "edn-reading", "far-then-near"}) {
    for (const char* shape : {"torus:6x6", "torus:8x4", "torus:4x4x4", "mesh:4x4", "hypercube:4"}) {
      EXPECT_THAT(
          complaint_of([&] { plan_on(algorithm, routing_on(shape)); }),
          testing::StartsWith("algorithm " + std::string(algorithm) + " is for 2^d x 2^d tori; " +
                              shape + " is not one, for which there are "));
    }
  }
}

}  // namespace
}  // namespace allport
