// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/latency_log.h"

#include <gtest/gtest.h>

#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

PlannedCollective to(const std::vector<std::size_t>& destinations) {
  return {{node_id(0)}, nodes(destinations), {}};
}

TEST(LatencyLog, CountsEachDestinationFromTheStartOfItsCollective) {
  LatencyLog log;
  Results results;
  log.begin_trial(4, 2);
  log.start(0, {node_id(0)}, 0);
  log.start(1, {node_id(0)}, 100);
  EXPECT_TRUE(log.receive(0, node_id(1), 30));
  EXPECT_TRUE(log.receive(1, node_id(1), 110));
  EXPECT_TRUE(log.receive(1, node_id(2), 150));

  log.end_trial({to({1}), to({1, 2})}, results);
  log.summarize(results);

  ASSERT_EQ(results.by_destination.size(), 2U);
  EXPECT_EQ(results.by_destination[0].cycles, 30);  // the larger of its two
  EXPECT_EQ(results.by_destination[1].cycles, 50);
  EXPECT_EQ(results.latency.max, 50);
  EXPECT_DOUBLE_EQ(results.latency.mean, (30 + 10 + 50) / 3.0);
  EXPECT_EQ(results.cycles, 150);
}

TEST(LatencyLog, CountsTheFirstCopyOnly) {
  LatencyLog log;
  Results results;
  log.begin_trial(4, 1);
  log.start(0, {node_id(0)}, 0);
  EXPECT_TRUE(log.receive(0, node_id(1), 30));
  EXPECT_FALSE(log.receive(0, node_id(1), 40));

  log.end_trial({to({1})}, results);

  EXPECT_EQ(results.trials.front().max, 30);
}

TEST(LatencyLog, LeavesOutRelaysAndDestinationsThatNeverReceived) {
  LatencyLog log;
  Results results;
  log.begin_trial(4, 1);
  log.start(0, {node_id(0)}, 0);
  log.receive(0, node_id(2), 99);  // no destination
  log.receive(0, node_id(1), 10);

  log.end_trial({to({1, 3})}, results);
  log.summarize(results);

  EXPECT_EQ(results.by_destination.size(), 1U);
  EXPECT_EQ(results.latency.max, 10);
  EXPECT_DOUBLE_EQ(results.latency.mean, 10);
}

TEST(LatencyLog, CountsCyclesUntilTheLastReceptionOfAnyProcessor) {
  LatencyLog log;
  Results results;
  log.begin_trial(2, 1);
  log.start(0, {node_id(0), node_id(1)}, 0);
  EXPECT_FALSE(log.receive(0, node_id(1), 17));  // a source, which has the message
  log.end_trial({to({})}, results);
  EXPECT_EQ(results.cycles, 17);

  log.begin_trial(2, 1);
  log.receive(5);
  log.end_trial({to({})}, results);
  EXPECT_EQ(results.cycles, 17 + 5);
}

TEST(LatencyLog, CountsCyclesUntilTheDeadlock) {
  LatencyLog log;
  Results results;
  log.begin_trial(4, 1);
  log.receive(0, node_id(1), 6);
  results.deadlock.emplace().cycle = 9;
  log.end_trial({to({1})}, results);
  EXPECT_EQ(results.cycles, 9);
}

}  // namespace
}  // namespace allport::test
