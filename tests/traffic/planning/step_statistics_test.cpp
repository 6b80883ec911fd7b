// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/step_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/traffic/algorithms/golden.h"
#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<const Algorithm*> family() {
  return {&find_algorithm("ucube"), &find_algorithm("maxport"), &find_algorithm("combine"),
          &find_algorithm("wsort")};
}

StepRequest request_on(const Routing& routing, std::vector<std::size_t> sizes) {
  return {routing, all_ports(routing), node_id(0), family(), std::move(sizes), std::nullopt, 1};
}

std::string complaint_about(const StepRequest& request) {
  return complaint_of([&] { step_statistics(request); });
}

// sum / count with three decimals, halves rounded up, as the table is.
std::string in_thousandths(std::uint64_t sum, std::uint64_t count) {
  const std::uint64_t rounded = (2000 * sum + count) / (2 * count);
  const std::string decimals = std::to_string(1000 + rounded % 1000).substr(1);
  return std::to_string(rounded / 1000) + '.' + decimals;
}

TEST(StepStatistics, AllSetsOfTheFourCubeGiveTheExactTable) {
  const Routing cube = routing_on("hypercube:4");
  std::vector<std::size_t> sizes(15);
  std::iota(sizes.begin(), sizes.end(), 1U);

  std::ostringstream text;
  for (const StepRow& row : step_statistics(request_on(cube, sizes))) {
    text << row.size << ' ' << row.sets;
    for (const std::uint64_t sum : row.step_sums) text << ' ' << sum;
    text << '\n';
  }

  EXPECT_EQ(text.str(), golden("steps_4_cube.txt"));
}

// The rows of figure 9 for `sizes`, as in the golden file.
std::string figure9(const std::vector<std::size_t>& sizes) {
  const Routing cube = routing_on("hypercube:6");
  StepRequest request = request_on(cube, sizes);
  request.trials = 2000;
  request.seed = 7;
  std::ostringstream text;
  for (const StepRow& row : step_statistics(request)) {
    text << row.size;
    for (const std::uint64_t sum : row.step_sums) text << ' ' << in_thousandths(sum, row.sets);
    text << '\n';
  }
  return text.str();
}

TEST(StepStatistics, RandomSetsOfTheSixCubeGiveFigure9) {
  EXPECT_THAT(golden("robinson_fig_9.txt"), StartsWith(figure9({9, 17, 25, 33})));
}

TEST(StepStatistics, LargeRandomSetsOfTheSixCubeGiveFigure9) {
  EXPECT_THAT(golden("robinson_fig_9.txt"), EndsWith(figure9({41, 49, 57, 63})));
}

// Set by set: W-sort <= Combine <= both others; Maxport > U-cube for 1124 of 32767 sets.
TEST(StepStatistics, OnTheFourCubeTheAlgorithmsAreOrderedSetBySet) {
  const Routing cube = routing_on("hypercube:4");
  int maxport_is_slower = 0;
  for (std::uint32_t set = 1; set < 1U << 15; ++set) {
    std::vector<NodeId> destinations;
    for (std::size_t i = 0; i < 15; ++i) {
      if ((set >> i & 1U) != 0) destinations.push_back(node_id(i + 1));
    }
    const Multicast goal{node_id(0), destinations};
    std::vector<StepIndex> steps;
    for (const Algorithm* algorithm : family()) {
      steps.push_back(plan(*algorithm, {cube, 4, goal}).steps());
    }
    ASSERT_LE(steps[3], steps[2]);
    ASSERT_LE(steps[2], std::min(steps[0], steps[1]));
    if (steps[1] > steps[0]) ++maxport_is_slower;
  }
  EXPECT_EQ(maxport_is_slower, 1124);
}

TEST(StepStatistics, TheMeanIsTheSameFromEverySourceAndInBothOrders) {
  for (const Routing& cube : {routing_on("hypercube:3"), ascending_on("hypercube:3")}) {
    StepRequest request = request_on(cube, {3});
    const StepRow expected = step_statistics(request).front();
    for (std::size_t source = 1; source < 8; ++source) {
      request.source = node_id(source);
      EXPECT_EQ(step_statistics(request).front().step_sums, expected.step_sums);
    }
  }
}

TEST(StepStatistics, RefusesMoreSetsThanItCanTake) {
  const Routing cube = routing_on("hypercube:5");

  EXPECT_EQ(
      complaint_about(request_on(cube, {12})),
      "exhaustive: 141120525 sets, but the limit is 10000000; choose fewer sizes or a number of trials");
  EXPECT_THAT(complaint_about(request_on(cube, {9, 9})), HasSubstr("40320150 sets"));
  EXPECT_THAT(complaint_about(request_on(routing_on("hypercube:8"), {100})),
              HasSubstr("more than 10^19"));
}

TEST(StepStatistics, RefusesSizesAndTrialsOutOfRange) {
  const Routing cube = routing_on("hypercube:3");
  StepRequest no_trials = request_on(cube, {1});
  no_trials.trials = 0;

  EXPECT_EQ(complaint_about(request_on(cube, {0})),
            "size 0: a destination set has 1..7 nodes on hypercube:3");
  EXPECT_EQ(complaint_about(request_on(cube, {8})),
            "size 8: a destination set has 1..7 nodes on hypercube:3");
  EXPECT_EQ(complaint_about(no_trials), "trials 0: the number must be at least 1");
}

TEST(StepStatistics, PlansNothingMoreOnceItIsStopped) {
  const Routing cube = routing_on("hypercube:10");
  const std::atomic<bool> stop{true};
  StepRequest request = request_on(cube, {1, 500});
  request.stop = &stop;

  for (const auto trials : {std::optional<std::size_t>{}, std::optional<std::size_t>{1000000000}}) {
    request.trials = trials;
    if (!trials) request.sizes = {2};
    EXPECT_TRUE(step_statistics(request).empty());
  }
}

TEST(StepStatistics, ABroadcastHasOneSetOnly) {
  const Routing torus = routing_on("torus:4x4");
  const StepRequest request{torus, 4, node_id(5), {&find_algorithm("dcf")}, {15}, std::nullopt, 1};

  const StepRow row = step_statistics(request).front();

  EXPECT_EQ(row.sets, 1U);
  EXPECT_EQ(row.mean(0), 2.0);
}

}  // namespace
}  // namespace allport
