// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/multicast_curves.h"

#include <gtest/gtest.h>

#include "testbench/studies/reproduce/papers/robinson/figures.h"

namespace allport::test {
namespace {

// Sizes 1 .. 8 with `values` for each of the four algorithms.
MulticastCurves curves(const std::vector<std::vector<double>>& values, double error = 0) {
  MulticastCurves all(robinson_algorithms(), {1, 2, 3, 4, 5, 6, 7, 8});
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const double one : values[i]) all.add(robinson_algorithms()[i], {one, error});
  }
  return all;
}

const std::vector<double> stairs{1, 2, 2, 3, 3, 3, 3, 4};
const std::vector<double> slope{1, 1.4, 1.8, 2.2, 2.6, 3, 3.4, 3.8};

TEST(MulticastCurves, AMeanKnowsItsStandardError) {
  const Mean mean = mean_of({1, 3});

  EXPECT_DOUBLE_EQ(mean.value, 2);
  EXPECT_DOUBLE_EQ(mean.error, 1);
  EXPECT_EQ(mean_of({5}).error, 0);
}

TEST(MulticastCurves, AStaircaseRisesInItsStairsOnly) {
  const MulticastCurves all = curves({stairs, slope, slope, slope});

  EXPECT_EQ(all.rises("ucube"), 3U);
  EXPECT_DOUBLE_EQ(all.share_of_steepest("ucube", 3), 100);
  EXPECT_NEAR(all.share_of_steepest("maxport", 3), 100.0 * 3 / 7, 1e-9);
  EXPECT_DOUBLE_EQ(all.mean_rise("ucube", true), 1);
  EXPECT_DOUBLE_EQ(all.mean_rise("ucube", false), 0);
}

TEST(MulticastCurves, SmoothingIsClaimedAndRefuted) {
  const Claim held = smoothness_claim(curves({stairs, slope, slope, slope}), 3, "here");
  const Claim refuted = smoothness_claim(curves({stairs, slope, stairs, slope}), 3, "here");

  EXPECT_EQ(held.outcome, Outcome::holds);
  EXPECT_EQ(refuted.outcome, Outcome::fails);
  EXPECT_EQ(
      refuted.measured,
      "share of the rise that falls on the 3 steepest intervals: U-cube 100 %, Maxport 43 %, Combine 100 %, W-sort 43 %");
}

TEST(MulticastCurves, AnAdvantageWithinTheErrorIsNotClear) {
  const std::vector<double> ten(8, 10);
  const std::vector<double> nine(8, 9);

  EXPECT_EQ(curves({ten, ten, ten, nine}, 0.1).sizes_clearly_below("wsort", new_algorithms()), 8U);
  EXPECT_EQ(curves({ten, ten, ten, nine}, 0.5).sizes_clearly_below("wsort", new_algorithms()), 0U);
  EXPECT_EQ(curves({ten, nine, ten, nine}, 0).sizes_clearly_below("wsort", new_algorithms()), 0U);
}

TEST(MulticastCurves, GainsAreInPercentOfTheOther) {
  const MulticastCurves all =
      curves({std::vector<double>(8, 10), std::vector<double>(8, 9), slope, slope});

  EXPECT_DOUBLE_EQ(all.gain("maxport", "ucube"), 10);
  EXPECT_EQ(all.sizes_above("ucube", "maxport"), 8U);
  EXPECT_EQ(all.sizes_above("maxport", "ucube"), 0U);
}

}  // namespace
}  // namespace allport::test
