// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/folded_curves.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

TEST(FoldedCurves, RunsOfOnePlaceAreOnePointWithMeanLeastAndLargest) {
  FoldedCurves curves;
  curves.add("a", "1", {30, 5});
  curves.add("a", "2", {99, 1});
  curves.add("a", "1", {10, 6});
  curves.add("a", "1", {20, 7});

  ASSERT_EQ(curves.all().size(), 1U);
  ASSERT_EQ(curves.all()[0].points.size(), 2U);
  const FoldedPoint& point = curves.all()[0].points[0];
  EXPECT_EQ(point.at, "1");
  EXPECT_EQ(point.runs, 3U);
  EXPECT_DOUBLE_EQ(point.values[0].mean, 20);
  EXPECT_DOUBLE_EQ(point.values[0].least, 10);
  EXPECT_DOUBLE_EQ(point.values[0].largest, 30);
  EXPECT_DOUBLE_EQ(point.values[1].mean, 6);
  EXPECT_EQ(curves.most_runs(), 3U);
}

TEST(FoldedCurves, LabelsKeepApart) {
  FoldedCurves curves;
  curves.add("b", "1", {1});
  curves.add("a", "1", {2});

  ASSERT_EQ(curves.all().size(), 2U);
  EXPECT_EQ(curves.all()[0].label, "b");
  EXPECT_DOUBLE_EQ(curves.all()[1].points[0].values[0].mean, 2);
}

TEST(FoldedCurves, APointIsFlaggedByMoreThanHalfOfItsRuns) {
  FoldedCurves curves;
  curves.add("", "1", {1}, true);
  EXPECT_TRUE(curves.all()[0].points[0].is_flagged());
  curves.add("", "1", {1}, false);
  EXPECT_FALSE(curves.all()[0].points[0].is_flagged());
  curves.add("", "1", {1}, true);
  EXPECT_TRUE(curves.all()[0].points[0].is_flagged());
}

}  // namespace
}  // namespace allport
