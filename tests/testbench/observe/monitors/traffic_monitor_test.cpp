// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/traffic_monitor.h"

#include <gtest/gtest.h>

#include <array>

namespace allport::test {
namespace {

constexpr MeasurementWindow window{100, 1100};

/// From node 0 of four: 2 flits, from `created` on.
TrafficMessage message(Cycle created, Cycle waits = 0, Cycle travels = 10) {
  const Cycle injected = created + waits;
  return {node_id(0),
          2,
          created,
          created,
          created,
          injected,
          injected + travels,
          injected + travels + 1,
          injected + travels + 1};
}

class Measured : public testing::Test {
 protected:
  void add(const TrafficMessage& one) { monitor.add(one); }
  TrafficResults results() { return monitor.results(); }

  TrafficMonitor monitor{window, 4};
};

TEST_F(Measured, CountsTheMessagesThatStartInTheWindowHoweverLateTheyArrive) {
  add(message(99));
  add(message(100));
  add(message(1099, 0, 5000));
  add(message(1100));

  const TrafficResults found = results();

  EXPECT_DOUBLE_EQ(found.offered, 2 * 2 / (4 * 1000.0));
  EXPECT_EQ(found.latency.p50, 11);
  EXPECT_EQ(found.latency.max, 5001);
}

TEST_F(Measured, CountsTheFlitsThatAreEjectedInTheWindow) {
  add(message(88));    // head in 98, tail in 99
  add(message(89));    // 99, 100
  add(message(90));    // 100, 101
  add(message(1089));  // 1099, 1100
  add(message(1090));  // 1100, 1101

  EXPECT_DOUBLE_EQ(results().accepted, (0 + 1 + 2 + 1 + 0) / (4 * 1000.0));
}

// 6 flits from cycle 95 to 106, twice as long as they would take: half of them in the window.
TEST_F(Measured, SpreadsTheFlitsOfAHeldUpMessageEvenly) {
  add({node_id(0), 6, 0, 0, 0, 0, 95, 106, 106});

  EXPECT_DOUBLE_EQ(results().accepted, 7 * 6 / 12 / (4 * 1000.0));
}

TEST_F(Measured, TakesPercentilesByTheNearestRank) {
  for (Cycle latency = 200; latency >= 1; --latency) {
    add({node_id(0), 1, 100, 100, 100, 101, 100 + latency, 100 + latency, 100 + latency});
  }

  const TrafficResults found = results();

  EXPECT_EQ(found.latency.p50, 100);
  EXPECT_EQ(found.latency.p95, 190);
  EXPECT_EQ(found.latency.p99, 198);
  EXPECT_EQ(found.latency.max, 200);
  EXPECT_EQ(found.latency_histogram, (std::vector<std::size_t>{1, 2, 4, 8, 16, 32, 64, 73}));
  EXPECT_DOUBLE_EQ(found.latency.mean, 100.5);
  EXPECT_DOUBLE_EQ(found.network_latency.mean, 99.5);
}

TEST_F(Measured, LeavesOutOfTheLatencyWhatHasNotArrived) {
  add(message(200));
  add({node_id(0), 2, 200, 200, 200, 210, -1, -1, -1});

  const TrafficResults found = results();

  EXPECT_EQ(found.latency.max, 11);
  EXPECT_DOUBLE_EQ(found.offered, 4 / (4 * 1000.0));
}

// 400 messages, one every other cycle from 200 on, each of which waits `factor` times as long as
// the network has been measured: the queue grows evenly.
TrafficResults queue_of(TrafficMonitor& monitor, double factor) {
  for (Cycle created = 100; created < 1100; created += 2) {
    monitor.add(message(created, static_cast<Cycle>(factor * static_cast<double>(created - 100))));
  }
  return monitor.results();
}

TEST_F(Measured, SaysSaturatedWhenTheQueueOfOneSourceGrows) {
  const TrafficResults found = queue_of(monitor, 0.5);

  EXPECT_TRUE(found.saturated);
  EXPECT_EQ(found.growing_sources, std::vector<NodeId>{node_id(0)});
  EXPECT_EQ(found.telling_cycles, 0);
  EXPECT_NEAR(found.queue_growth * 4, 1 - 1 / 1.5, 0.01);  // of one flit per cycle, a third
}

TEST_F(Measured, SaysNotSaturatedWhenTheQueueIsLongButDoesNotGrow) {
  for (Cycle created = -1000; created < 1100; created += 2) add(message(created, 400));

  const TrafficResults found = results();

  EXPECT_FALSE(found.saturated);
  EXPECT_NEAR(found.queue_growth, 0, 1e-9);
}

// 500 messages of one source, whose number deviates by 22, 4.5 %: the queue of one of four nodes
// must grow by 3.43 deviations, 15 %.
TEST_F(Measured, SaysTooShortToTellWhenNoMorePilesUpThanChanceMayPile) {
  const TrafficResults found = queue_of(monitor, 0.14);
  EXPECT_FALSE(found.saturated);  // 0.14 / 1.14 = 12 %
  // If the growth is over, 12 % are 5 % of 2.46 times as many; a tenth more to be sure.
  EXPECT_NEAR(static_cast<double>(found.telling_cycles), 100 + 1.1 * 2456, 20);
}

TEST_F(Measured, SaysSaturatedWhenMorePilesUpThanChanceMayPile) {
  EXPECT_TRUE(queue_of(monitor, 0.22).saturated);  // 0.22 / 1.22 = 18 %
}

// All messages wait as long as the first ones do: an empty network has filled.
TEST_F(Measured, SaysTooShortToTellWhenTheQueueFillsAtFirst) {
  for (Cycle created = 100; created < 1100; created += 2) add(message(created, 400));
  const TrafficResults found = results();
  EXPECT_FALSE(found.saturated);
  EXPECT_GT(found.queue_growth * 4, 0.05);
  EXPECT_GT(found.telling_cycles, 1100);
}

// Each message is prepared for 400 cycles, which is no queue.
TEST_F(Measured, DoesNotTakeThePreparationForAQueue) {
  for (Cycle created = 100; created < 1100; created += 2) {
    add({node_id(0), 2, created, created, created + 400, created + 400, created + 410,
         created + 411, created + 411});
  }
  const TrafficResults found = results();
  EXPECT_FALSE(found.saturated);
  EXPECT_EQ(found.telling_cycles, 0);
  EXPECT_EQ(found.queue_growth, 0);
}

TEST_F(Measured, SaysSaturatedWhenProcessorsCannotPrepareAll) {
  TrafficMonitor busy(window, 4, {1.25, true});
  for (Cycle created = 100; created < 300; created += 50) busy.add(message(created));
  EXPECT_TRUE(busy.results().saturated);
  TrafficMonitor idle(window, 4, {0.63, true});
  for (Cycle created = 100; created < 300; created += 50) idle.add(message(created));
  EXPECT_FALSE(idle.results().saturated);
}

SourceQueue queue_with(std::array<double, 4> waiting, double chance) {
  SourceQueue queue;
  queue.messages = 10000;
  queue.flits = 20000;
  queue.waiting = waiting;
  queue.chance = chance;
  return queue;
}

TEST(SourceQueue, GrowsWhenMoreThanOneInTwentyOfManyFlitsPileUp) {
  EXPECT_FALSE(queue_with({0, 249, 498, 747}, 600).grows());
  EXPECT_TRUE(queue_with({0, 251, 502, 753}, 600).grows());
}

TEST(SourceQueue, GrowsOnlyByMoreThanChance) {
  EXPECT_FALSE(queue_with({0, 1000, 2000, 3000}, 4001).grows());
  EXPECT_TRUE(queue_with({0, 1000, 2000, 3000}, 3999).grows());
  EXPECT_NEAR(queue_with({0, 1000, 2000, 3000}, 8000).telling_times(), 4, 1e-9);
  EXPECT_FALSE(SourceQueue{}.grows());
}

TEST(SourceQueue, DoesNotGrowWhereItsGrowthSlowsDown) {
  const SourceQueue filling = queue_with({0, 3000, 4000, 4900}, 600);
  EXPECT_FALSE(filling.grows());
  EXPECT_GT(filling.telling_times(), 1);
  EXPECT_TRUE(queue_with({0, 3000, 4000, 5100}, 600).grows());
}

TEST_F(Measured, SaysNotSaturatedOfNothing) { EXPECT_FALSE(results().saturated); }

}  // namespace
}  // namespace allport::test
