// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/mean_estimate.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

// Tables of Student's distribution, two-sided 95 %.
TEST(MeanEstimate, KnowsStudentsDistribution) {
  EXPECT_NEAR(student_t_95(1), 12.706205, 1e-6);
  EXPECT_NEAR(student_t_95(2), 4.302653, 1e-6);
  EXPECT_NEAR(student_t_95(3), 3.182446, 1e-6);
  EXPECT_NEAR(student_t_95(4), 2.776445, 1e-6);
  EXPECT_NEAR(student_t_95(9), 2.262157, 1e-6);
  EXPECT_NEAR(student_t_95(30), 2.042272, 1e-6);
  EXPECT_NEAR(student_t_95(99), 1.984217, 1e-6);
  EXPECT_NEAR(student_t_95(1000000), 1.959966, 1e-6);
}

// s = 2 and n = 3: 4.302653 * 2 / sqrt(3).
TEST(MeanEstimate, IsTheMeanWithHalfTheWidthOfItsInterval) {
  const MeanEstimate estimate = estimate_mean({8, 10, 12});
  EXPECT_DOUBLE_EQ(estimate.mean, 10);
  ASSERT_TRUE(estimate.half_width.has_value());
  EXPECT_NEAR(*estimate.half_width, 4.968275, 1e-6);
}

TEST(MeanEstimate, EqualValuesLeaveNoDoubtAndOneValueNoInterval) {
  EXPECT_DOUBLE_EQ(estimate_mean({7, 7, 7}).half_width.value(), 0);
  EXPECT_DOUBLE_EQ(estimate_mean({7}).mean, 7);
  EXPECT_FALSE(estimate_mean({7}).half_width.has_value());
}

Results of_trials(const std::vector<Cycle>& largest) {
  Results results;
  results.destinations = largest.size();
  for (const Cycle one : largest) results.trials.push_back({one, 1.0});
  return results;
}

TEST(MeanCompletion, IsOverTheLargestLatencyOfEachTrial) {
  EXPECT_DOUBLE_EQ(of_trials({20, 40}).completion()->mean, 30);
}

TEST(MeanCompletion, LeavesOutTheTrialThatDidNotEnd) {
  Results results = of_trials({20, 40, 3});
  results.was_interrupted = true;
  EXPECT_DOUBLE_EQ(results.completion()->mean, 30);

  results.trials.resize(1);
  EXPECT_FALSE(results.completion().has_value());
}

TEST(MeanCompletion, IsAlsoCountedFromTheLastStartOfEachTrial) {
  Results results = of_trials({20, 40, 3});
  EXPECT_FALSE(results.completion_after_last_start().has_value());

  results.last_starts = {5, 15, 3};
  results.was_interrupted = true;
  EXPECT_DOUBLE_EQ(results.completion_after_last_start()->mean, 20);
}

TEST(MeanCompletion, IsNotThereWithoutDestinations) {
  Results results = of_trials({0});
  results.destinations = 0;
  EXPECT_FALSE(results.completion().has_value());
}

}  // namespace
}  // namespace allport
