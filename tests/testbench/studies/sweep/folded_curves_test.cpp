// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/folded_curves.h"

#include <gtest/gtest.h>

#include <cmath>

namespace allport {
namespace {

// The mean of 30, 10, 20 is 20, its standard error 10 / sqrt(3), and Student's t for two degrees of
// freedom 4.30265.
TEST(FoldedCurves, RunsOfOnePlaceAreOnePointWithMeanAndInterval) {
  FoldedCurves curves;
  curves.add("a", {}, "1", {30, 5});
  curves.add("a", {}, "2", {99, 1});
  curves.add("a", {}, "1", {10, 6});
  curves.add("a", {}, "1", {20, 7});

  const std::vector<FoldedCurve> all = curves.best(0, false);
  ASSERT_EQ(all.size(), 1U);
  ASSERT_EQ(all[0].points.size(), 2U);
  const FoldedPoint& point = all[0].points[0];
  EXPECT_EQ(point.at, "1");
  EXPECT_EQ(point.runs, 3U);
  EXPECT_DOUBLE_EQ(point.values[0].mean, 20);
  EXPECT_NEAR(point.values[0].half, 4.30265 * 10 / std::sqrt(3.0), 1e-4);
  EXPECT_DOUBLE_EQ(point.values[1].mean, 6);
  EXPECT_EQ(all[0].points[1].values[0].half, 0);
  EXPECT_EQ(curves.most_runs(), 3U);
}

TEST(FoldedCurves, ARunMayHaveAnIntervalOfItsOwn) {
  FoldedCurves curves;
  EXPECT_FALSE(curves.has_own_intervals());
  curves.add("a", {}, "1", {30}, {false, false, 4});

  EXPECT_TRUE(curves.has_own_intervals());
  EXPECT_EQ(curves.best(0, false)[0].points[0].values[0].half, 4);
}

TEST(FoldedCurves, LabelsAndPanelsKeepApart) {
  FoldedCurves curves;
  curves.add("b", {}, "1", {1});
  curves.add("a", {"vcs 2", ""}, "1", {2});
  curves.add("a", {"vcs 4", ""}, "1", {3});

  const std::vector<FoldedCurve> all = curves.best(0, false);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].label, "b");
  EXPECT_EQ(all[2].place.panel, "vcs 4");
  EXPECT_DOUBLE_EQ(all[2].points[0].values[0].mean, 3);
}

// The mean over seeds of each choice counts, not the best single run.
TEST(FoldedCurves, OfSeveralChoicesEachPointIsTheBest) {
  FoldedCurves curves;
  for (const double cycles : {10.0, 40.0}) curves.add("a", {"", "ports 1"}, "1", {cycles});
  for (const double cycles : {20.0, 22.0}) curves.add("a", {"", "ports 2"}, "1", {cycles});
  curves.add("a", {"", "ports 1"}, "2", {5});
  curves.add("a", {"", "ports 2"}, "2", {6});

  const std::vector<FoldedCurve> least = curves.best(0, false);
  ASSERT_EQ(least.size(), 1U);
  EXPECT_DOUBLE_EQ(least[0].points[0].values[0].mean, 21);
  EXPECT_DOUBLE_EQ(least[0].points[1].values[0].mean, 5);
  const std::vector<FoldedCurve> most = curves.best(0, true);
  EXPECT_DOUBLE_EQ(most[0].points[0].values[0].mean, 25);
  EXPECT_DOUBLE_EQ(most[0].points[1].values[0].mean, 6);
}

TEST(FoldedCurves, APointIsFlaggedByMoreThanHalfOfItsRuns) {
  FoldedCurves curves;
  const auto is_flagged = [&] { return curves.best(0, false)[0].points[0].is_flagged(); };
  curves.add("", {}, "1", {1}, {true, false, 0});
  EXPECT_TRUE(is_flagged());
  curves.add("", {}, "1", {1});
  EXPECT_FALSE(is_flagged());
  curves.add("", {}, "1", {1}, {true, false, 0});
  EXPECT_TRUE(is_flagged());
}

}  // namespace
}  // namespace allport
