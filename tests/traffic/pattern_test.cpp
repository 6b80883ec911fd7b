// SPDX-License-Identifier: Apache-2.0
#include "traffic/pattern.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/traffic/planning.h"

namespace allport {
namespace {

std::vector<Start> all_starts(const TrafficRequest& request, std::size_t node) {
  UniformPattern pattern(request, node_id(node));
  std::vector<Start> starts;
  while (const auto start = pattern.next()) starts.push_back(*start);
  return starts;
}

// The rule, cycle by cycle.
TEST(UniformPattern, DrawsOncePerCycleAndAgainForADestination) {
  const TrafficRequest request{16, 0.6, 4, 500, 42};
  for (std::size_t node = 0; node < 16; ++node) {
    SplitMix64 generator((std::uint64_t{42} * 1000003 + (1 << 20)) * 1000003 + node);
    const std::vector<Start> starts = all_starts(request, node);
    std::size_t found = 0;
    for (Cycle cycle = 0; cycle < 500; ++cycle) {
      if (static_cast<double>(generator.next()) / 18446744073709551616.0 >= 0.6 / 4) continue;
      std::size_t destination = generator.next() % 15;
      if (destination >= node) ++destination;
      ASSERT_LT(found, starts.size());
      EXPECT_EQ(starts[found].cycle, cycle);
      EXPECT_EQ(starts[found].destination, node_id(destination));
      ++found;
    }
    EXPECT_EQ(found, starts.size());
  }
}

TEST(UniformPattern, NeverSendsToItselfAndReachesEverybodyElse) {
  const TrafficRequest request{5, 1, 1, 1000, 3};
  for (std::size_t node = 0; node < 5; ++node) {
    std::vector<int> counts(5);
    for (const Start& start : all_starts(request, node)) ++counts[index(start.destination)];
    for (std::size_t other = 0; other < 5; ++other) {
      EXPECT_EQ(counts[other] == 0, other == node);
    }
  }
}

TEST(UniformPattern, OffersTheRateItIsAskedFor) {
  const TrafficRequest request{64, 0.32, 8, 100000, 9};

  const auto starts = static_cast<double>(all_starts(request, 17).size());

  EXPECT_NEAR(starts * 8 / 100000, 0.32, 0.01);
}

TEST(UniformPattern, EndsWithTheCycles) {
  EXPECT_TRUE(all_starts({4, 0, 1, 1000, 1}, 0).empty());
  EXPECT_TRUE(all_starts({4, 1, 1, 0, 1}, 0).empty());
  EXPECT_EQ(all_starts({4, 3, 3, 1000, 1}, 0).size(), 1000U);
}

TEST(UniformPattern, RefusesRatesAndLengthsOutOfRange) {
  EXPECT_EQ(complaint_of([] {
              UniformPattern({4, 4.5, 4, 10, 1}, node_id(0));
            }),
            "rate 4.5 must be 0..4 flits per node and cycle, one message a cycle at most");
  EXPECT_EQ(complaint_of([] {
              UniformPattern({4, 0.5, 0, 10, 1}, node_id(0));
            }),
            "flits 0 must be at least 1");
  for (const double rate :
       {-0.1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(UniformPattern({4, rate, 4, 10, 1}, node_id(0)), std::invalid_argument);
  }
}

TEST(Patterns, AreFoundByName) {
  EXPECT_EQ(find_pattern("uniform").name, "uniform");
  EXPECT_EQ(complaint_of([] { find_pattern("unifrom"); }),
            "unknown pattern 'unifrom': did you mean 'uniform'?");
}

}  // namespace
}  // namespace allport
