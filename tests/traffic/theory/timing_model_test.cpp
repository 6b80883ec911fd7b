// SPDX-License-Identifier: Apache-2.0
#include "traffic/theory/timing_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/blueprint.h"
#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using testing::ElementsAre;

TEST(TimingModel, OneUnicastTakesTsPlusHopsPlusFlitsPlusTr) {
  const Routing mesh = routing_on("mesh:6");
  for (const std::size_t hops : {1U, 3U, 5U}) {
    for (const int link_delay : {0, 2}) {
      const Schedule schedule{{{node_id(0), node_id(hops), 1, 0, MessageKind::unicast, {}}}};

      const auto latency = predicted_latency(schedule, mesh, nodes({0}),
                                             {100, 30, 16, test::With().link_delay(link_delay)});

      EXPECT_EQ(latency[0], 0);
      EXPECT_EQ(latency[hops], 100 + static_cast<Cycle>(hops) * (1 + link_delay) + 16 + 30);
    }
  }
}

TEST(TimingModel, EachDimensionHasItsOwnLinkDelay) {
  const Routing torus = routing_on("torus:6x5");
  TimingParameters timing{10, 3, 4};
  timing.link_delays = {2, 7};
  for (std::size_t to = 1; to < 30; ++to) {
    const Schedule schedule{{{node_id(0), node_id(to), 1, 0, MessageKind::unicast, {}}}};
    const auto by = torus.displacement(node_id(0), node_id(to), 0);
    const Cycle way = std::abs(by[0]) * 3 + std::abs(by[1]) * 8;

    EXPECT_EQ(predicted_latency(schedule, torus, nodes({0}), timing)[to], 10 + way + 4 + 3);
    timing.switching = Switching::circuit;
    EXPECT_EQ(predicted_latency(schedule, torus, nodes({0}), timing)[to], 10 + 3 * way + 3 + 4 + 3);
    timing.switching = Switching::wormhole;
  }
  const Routing cube = routing_on("hypercube:3");
  timing.link_delays = {1, 0, 6};
  const auto latency = predicted_worm_latency(cube, node_id(0), MessageKind::tree, timing);
  for (std::size_t node = 1; node < 8; ++node) {
    const Cycle way = Cycle(node & 1) * 2 + Cycle(node >> 1 & 1) + Cycle(node >> 2) * 7;
    EXPECT_EQ(latency[node], 10 + way + 4 + 3) << node;
  }
}

// The tables of docs/timing.md, section 2: small buffers and narrow channels.
TEST(TimingModel, AMessageAloneIsSlowedDownByBuffersAndNarrowChannels) {
  const Routing mesh = routing_on("mesh:2x2x2");
  const std::vector<Channel> way = mesh.path(node_id(0), node_id(7));
  const auto latency = [&](int depth, int delay, std::vector<int> phits) {
    return reception_alone(
        way, mesh.topology(),
        {0, 0, 16, test::With().depth(depth).link_delay(delay), std::move(phits)});
  };
  EXPECT_EQ(latency(2, 0, {}), 19);
  EXPECT_EQ(latency(1, 0, {}), 34);
  EXPECT_EQ(latency(4, 1, {}), 22);
  EXPECT_EQ(latency(2, 1, {}), 36);
  EXPECT_EQ(latency(1, 1, {}), 67);
  EXPECT_EQ(latency(4, 0, {2, 2, 2}), 37);
  EXPECT_EQ(latency(4, 0, {1, 4, 2}), 68);
  EXPECT_EQ(latency(1, 0, {1, 4, 2}), 83);
  EXPECT_EQ(latency(2, 1, {2, 2, 2}), 47);
}

// The table of docs/timing.md, section 2, for a + v = 3, and two cases worked out by hand with
// store-and-forward, where a head waits for its route or for its tail, whichever takes longer.
TEST(TimingModel, APipelineHoldsTheHeadOfAMessageAlone) {
  const Routing mesh = routing_on("mesh:2x2x2");
  const std::vector<Channel> way = mesh.path(node_id(0), node_id(7));
  const auto latency = [&](const FabricConfig& fabric, int flits, std::vector<int> phits = {}) {
    return reception_alone(way, mesh.topology(), {0, 0, flits, fabric, std::move(phits)});
  };
  EXPECT_EQ(latency(test::With().depth(4).pipeline(1, 2, 0), 16), 31);
  EXPECT_EQ(latency(test::With().depth(4).pipeline(1, 2, 0), 16, {2, 2, 2}), 46);
  EXPECT_EQ(latency(test::With().depth(4).pipeline(2, 1, 1), 16, {4, 2, 1}), 75);
  EXPECT_EQ(latency(test::With().depth(2).link_delay({3, 0, 0}).pipeline(3, 0, 0), 16), 70);
  const auto stored = test::With().switching(Switching::store_and_forward);
  EXPECT_EQ(latency(test::With(stored).depth(2).pipeline(1, 2, 0), 2, {4, 1, 1}),
            (3 + 4) + (4 + 1) + (3 + 1) + (3 + 2));
  EXPECT_EQ(latency(test::With(stored).depth(8).link_delay({0, 2, 0}).pipeline(4, 4, 1), 5),
            (8 + 1 + 1) + (8 + 1 + 1 + 2) + (8 + 1 + 1) + (8 + 1 + 5));
}

TEST(TimingModel, ASenderPreparesItsMessagesOneAfterAnotherInProgramOrder) {
  const Routing cube = routing_on("hypercube:2");
  Schedule schedule{{{node_id(0), node_id(1), 1, 5, MessageKind::unicast, {}},
                     {node_id(0), node_id(2), 1, 2, MessageKind::unicast, {}}}};

  EXPECT_THAT(predicted_latency(schedule, cube, nodes({0}), {10, 0, 4}),
              ElementsAre(0, 10 + 10 + 1 + 4, 10 + 1 + 4, -1));
}

TEST(TimingModel, ARelayStartsWhenItHasTheMessage) {
  const Routing cube = routing_on("hypercube:2");
  const Schedule schedule = planned("sbt", cube, broadcast(cube.topology(), node_id(0)));

  // 0 sends to 2, then to 1; 2 sends to 3.
  EXPECT_THAT(predicted_latency(schedule, cube, nodes({0}), {10, 3, 4}),
              ElementsAre(0, 28, 18, 36));
}

TEST(TimingModel, NodesOnTheWayOfADepositReceiveAsItPasses) {
  const Routing mesh = routing_on("mesh:4");
  const Schedule schedule{{{node_id(0), node_id(3), 1, 0, MessageKind::deposit, {}}}};

  EXPECT_THAT(predicted_latency(schedule, mesh, nodes({0}), {10, 3, 4, test::With().link_delay(1)}),
              ElementsAre(0, 10 + 2 + 7, 10 + 4 + 7, 10 + 6 + 7));
}

TEST(TimingModel, TheFirstReceptionCounts) {
  const Routing ring = routing_on("ring:8");
  const Schedule schedule{{{node_id(0), node_id(4), 1, 0, MessageKind::unicast, {}},
                           {node_id(0), node_id(3), 1, 1, MessageKind::unicast, {}},
                           {node_id(4), node_id(3), 2, 0, MessageKind::unicast, {}}}};

  EXPECT_EQ(predicted_latency(schedule, ring, nodes({0}), {1, 0, 1})[3], 2 + 3 + 1);
}

TEST(TimingModel, SeveralSourcesAllStartAtZero) {
  const Routing mesh = routing_on("mesh:4");
  const Schedule schedule{{{node_id(0), node_id(1), 1, 0, MessageKind::unicast, {}},
                           {node_id(3), node_id(2), 1, 0, MessageKind::unicast, {}}}};

  EXPECT_THAT(predicted_latency(schedule, mesh, nodes({0, 3}), {5, 0, 2}), ElementsAre(0, 8, 8, 0));
}

TEST(TimingModel, TheDeepestNodeOfATreeWaitsForAllHopsOnce) {
  for (int n = 1; n <= 6; ++n) {
    const Routing cube = routing_on("hypercube:" + std::to_string(n));
    for (const int replication : {0, 1, 3}) {
      for (const int link_delay : {0, 2}) {
        const TimingParameters timing{
            100, 20, 32, test::With().link_delay(link_delay).replication_delay(replication)};

        const auto latency = predicted_worm_latency(cube, node_id(0), MessageKind::tree, timing);

        const std::size_t deepest = cube.topology().node_count() - 1;
        EXPECT_EQ(latency[0], 0);
        EXPECT_EQ(latency[deepest], 100 + n * (1 + replication + link_delay) + 32 + 20);
      }
    }
  }
}

// Every router that sends on tree flits holds each of them for r cycles, including the copy for its
// own node.
TEST(TimingModel, OnlyLeavesOfATreeReceiveWithoutReplication) {
  const Routing cube = routing_on("hypercube:2");
  const Routing mirrored = ascending_on("hypercube:2");
  const TimingParameters timing{0, 0, 8, test::With().replication_delay(5)};

  // Descending: 0 -> 1 and 2, 2 -> 3; ascending: 0 -> 1 and 2, 1 -> 3.
  EXPECT_THAT(predicted_worm_latency(cube, node_id(0), MessageKind::tree, timing),
              ElementsAre(0, 14, 19, 20));
  EXPECT_THAT(predicted_worm_latency(mirrored, node_id(0), MessageKind::tree, timing),
              ElementsAre(0, 19, 14, 20));
}

TEST(TimingModel, ATreeInAScheduleIsTheSameWorm) {
  const Routing cube = routing_on("hypercube:4");
  const TimingParameters timing{7, 2, 8, test::With().link_delay(1).replication_delay(1)};
  const Schedule schedule{{{node_id(3), node_id(0), 1, 0, MessageKind::tree, {}}}};

  EXPECT_EQ(predicted_latency(schedule, cube, nodes({3}), timing),
            predicted_worm_latency(cube, node_id(3), MessageKind::tree, timing));
}

TEST(TimingModel, RefusesInvalidRoutes) {
  const Routing cube = routing_on("hypercube:2");
  const Schedule schedule{{{node_id(0), node_id(4), 1, 0, MessageKind::unicast, {}}}};

  EXPECT_EQ(complaint_of([&] { predicted_latency(schedule, cube, nodes({0}), {}); }),
            "unicast 0 -> 4 (step 1): node 4 is not one of 0..3 of hypercube:2");
}

}  // namespace
}  // namespace allport
