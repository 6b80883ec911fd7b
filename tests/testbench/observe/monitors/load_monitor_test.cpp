// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/load_monitor.h"

#include <gtest/gtest.h>

namespace allport::test {
namespace {

constexpr MeasurementWindow load_window{100, 1100};

// Two of four nodes start collectives.
class MeasuredLoad : public testing::Test {
 protected:
  LoadMonitor monitor{load_window, 2, 4};
};

TEST_F(MeasuredLoad, CountsLatenciesOfDeliveriesAndOfWholeCollectives) {
  monitor.add(node_id(0), 99, {110, 120});  // completes in the window, started before it
  monitor.add(node_id(0), 100, {110, 130});
  monitor.add(node_id(1), 1099, {1109, 1149});
  monitor.add(node_id(1), 1100, {1110, 1120});

  const LoadResults found = monitor.results();

  EXPECT_EQ(found.collectives, 2U);
  EXPECT_EQ(found.unfinished, 0U);
  EXPECT_DOUBLE_EQ(found.offered, 2 / (2 * 1000.0));
  EXPECT_DOUBLE_EQ(found.accepted, 2 / (2 * 1000.0));  // those of cycles 99 and 100
  EXPECT_DOUBLE_EQ(found.latency.mean, (10 + 30 + 10 + 50) / 4.0);
  EXPECT_DOUBLE_EQ(found.completion.mean, (30 + 50) / 2.0);
  EXPECT_EQ(found.completion.max, 50);
  EXPECT_DOUBLE_EQ(found.under_way, (20 + 30 + 1) / 1000.0);
}

TEST_F(MeasuredLoad, TellsWhatNeverCompleted) {
  monitor.add(node_id(0), 200, {210, -1});
  const LoadResults found = monitor.results();
  EXPECT_EQ(found.collectives, 1U);
  EXPECT_EQ(found.unfinished, 1U);
  EXPECT_EQ(found.latency.max, 10);  // of the delivery that there was
  EXPECT_EQ(found.completion.max, 0);
  EXPECT_DOUBLE_EQ(found.under_way, 900 / 1000.0);
}

TEST_F(MeasuredLoad, CountsFlitsThatAreEjectedInTheWindow) {
  monitor.add_ejected(98, 101, 4);     // two of four
  monitor.add_ejected(1099, 1102, 4);  // one
  monitor.add_ejected(500, 500, 1);
  EXPECT_DOUBLE_EQ(monitor.results().accepted_flits, (2 + 1 + 1) / (4 * 1000.0));
}

TEST_F(MeasuredLoad, IsSaturatedWhenCollectivesPileUp) {
  for (Cycle start = 100; start < 1100; ++start) {
    const Cycle steady = start + 20;
    monitor.add(node_id(0), start, {steady});
  }
  EXPECT_FALSE(monitor.results().saturated);

  LoadMonitor growing(load_window, 2, 4);
  for (Cycle start = 100; start < 1100; ++start) {
    growing.add(node_id(1), start, {start + 2 * (start - 100)});  // each waits for all before it
  }
  const LoadResults found = growing.results();
  EXPECT_TRUE(found.saturated);
  EXPECT_EQ(found.growing_sources, std::vector<NodeId>{node_id(1)});
  EXPECT_GT(found.growth, 0);
}

TEST_F(MeasuredLoad, EndsItsWindowWhereTheRunWasInterrupted) {
  monitor.end_at(600);
  monitor.add(node_id(0), 200, {210});
  monitor.add(node_id(0), 700, {-1});
  const LoadResults found = monitor.results();
  EXPECT_EQ(found.collectives, 1U);
  EXPECT_DOUBLE_EQ(found.offered, 1 / (2 * 500.0));
}

}  // namespace
}  // namespace allport::test
