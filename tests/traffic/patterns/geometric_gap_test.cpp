// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/geometric_gap.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/traffic/patterns/literal_gap.h"

namespace allport {
namespace {

TEST(GeometricGap, DrawsTheExampleOfItsPage) {
  SplitMix64 generator(1);
  const GeometricGap gap(0.05);
  EXPECT_EQ(gap.draw(generator), 11);
  EXPECT_EQ(gap.draw(generator), 5);
  EXPECT_EQ(gap.draw(generator), 0);
}

TEST(GeometricGap, DrawsWhatItsPageSays) {
  for (const double probability :
       {1.0, 0.999, 0.5, 0.3, 1e-2, 1e-4, 1e-9, 1e-15, 0x1p-63, 0x1p-64}) {
    const GeometricGap gap(probability);
    EXPECT_FALSE(gap.is_never());
    SplitMix64 generator(17);
    SplitMix64 literal(17);
    for (int i = 0; i < 2000; ++i) {
      ASSERT_EQ(gap.draw(generator), literal_gap(literal, probability)) << probability << " " << i;
    }
  }
}

TEST(GeometricGap, IsTheNumberOfLeadingZerosAtAHalf) {
  SplitMix64 generator(3);
  SplitMix64 copy(3);
  const GeometricGap gap(0.5);
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(gap.draw(generator), __builtin_clzll(copy.next()));
}

TEST(GeometricGap, IsZeroInEveryCycleAndNeverWithoutAProbability) {
  SplitMix64 generator(3);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(GeometricGap(1).draw(generator), 0);
  EXPECT_TRUE(GeometricGap(0).is_never());
  EXPECT_TRUE(GeometricGap(0x1p-65).is_never());
}

// Bins of equal probability, 31 degrees of freedom: chi-square is above 61.1 once in 1000 times.
TEST(GeometricGap, IsGeometric) {
  constexpr std::uint64_t seed = 11;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  for (const double probability : {0.4, 0.05, 1e-3, 1e-6, 1e-11}) {
    SplitMix64 generator(seed);
    const GeometricGap gap(probability);
    // A gap of k cycles stands for all of [q^(k+1), q^k), in which it is spread evenly.
    std::array<double, 32> found{};
    constexpr int draws = 100000;
    for (int i = 0; i < draws; ++i) {
      const auto k = static_cast<double>(gap.draw(generator));
      const double high = std::exp(k * std::log1p(-probability));
      const double low = high * (1 - probability);
      for (std::size_t bin = 0; bin < found.size(); ++bin) {
        const double from = std::max(low, static_cast<double>(bin) / 32);
        const double to = std::min(high, static_cast<double>(bin + 1) / 32);
        if (to > from) found[bin] += (to - from) / (high - low);
      }
    }
    double square = 0;
    for (const double count : found) {
      square += (count - draws / 32.0) * (count - draws / 32.0) / (draws / 32.0);
    }
    EXPECT_LT(square, 61.1) << probability;
  }
}

}  // namespace
}  // namespace allport
