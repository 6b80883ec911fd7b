// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/golden.h"
#include "tests/traffic/algorithms/planning.h"
#include "traffic/algorithms/cube_chain.h"
#include "traffic/patterns/sampling.h"

namespace allport {
namespace {

const char* const family[] = {"ucube", "maxport", "combine", "wsort"};

Multicast random_goal(const Topology& topology, DestinationSampler& sampler, NodeId source) {
  std::vector<NodeId> destinations;
  for (const std::uint32_t relative : sampler.next()) {
    destinations.push_back(topology.absolute(relative, source));
  }
  return multicast(topology, source, destinations);
}

TEST(HypercubeMulticast, PlansFigure8) {
  const Routing cube = routing_on("hypercube:4");
  const Multicast goal =
      multicast(cube.topology(), node_id(0), nodes({1, 3, 5, 7, 11, 12, 14, 15}));

  std::ostringstream text;
  for (const std::string algorithm : family) {
    const Schedule schedule = planned(algorithm, cube, goal);
    text << algorithm << ' ' << printed(schedule) << '\n';
    text << algorithm << " all-port " << schedule.steps();
    if (algorithm == "ucube") text << " one-port " << planned(algorithm, cube, goal, 1).steps();
    text << '\n';
  }

  EXPECT_EQ(text.str(), golden("robinson_fig_8.txt"));
}

TEST(HypercubeMulticast, PlansFigure5FromAnotherSource) {
  const Routing cube = routing_on("hypercube:4");
  const Multicast goal = multicast(cube.topology(), node_id(4), nodes({1, 3, 5, 7, 8, 10, 11, 15}));

  std::ostringstream text;
  text << "ucube " << printed(planned("ucube", cube, goal)) << '\n';
  text << "ucube one-port " << planned("ucube", cube, goal, 1).steps() << '\n';

  EXPECT_EQ(text.str(), golden("robinson_fig_5.txt"));
}

TEST(HypercubeMulticast, PlansFigure6) {
  const Routing cube = routing_on("hypercube:4");
  const Multicast goal = multicast(cube.topology(), node_id(0), nodes({9, 10, 11}));

  std::ostringstream text;
  for (const char* algorithm : {"maxport", "ucube"}) {
    text << algorithm << ' ' << printed(planned(algorithm, cube, goal)) << '\n';
  }

  EXPECT_EQ(text.str(), golden("robinson_fig_6.txt"));
}

TEST(HypercubeMulticast, WeightedSortPutsTheMorePopulatedHalfFirst) {
  std::vector<std::uint32_t> chain{0, 1, 3, 5, 7, 11, 12, 14, 15};

  weighted_sort(chain, 4);

  EXPECT_THAT(chain, testing::ElementsAre(0, 1, 3, 5, 7, 14, 15, 12, 11));
}

TEST(HypercubeMulticast, WeightedSortLeavesEqualHalvesAndTheSourceInPlace) {
  std::vector<std::uint32_t> equal{0, 8, 9, 12, 13};
  std::vector<std::uint32_t> light_source{0, 4, 5, 6};

  weighted_sort(equal, 4);
  weighted_sort(light_source, 3);

  EXPECT_THAT(equal, testing::ElementsAre(0, 8, 9, 12, 13));
  EXPECT_THAT(light_source, testing::ElementsAre(0, 4, 5, 6));
}

TEST(HypercubeMulticast, UcubeNeedsTheLogarithmOfTheNumberOfHolders) {
  const Routing cube = routing_on("hypercube:6");
  for (std::size_t size = 1; size <= 63; ++size) {
    DestinationSampler sampler(63, size, 1);
    StepIndex expected = 0;
    while ((std::size_t{1} << expected) < size + 1) ++expected;
    for (int trial = 0; trial < 5; ++trial) {
      const Multicast goal = random_goal(cube.topology(), sampler, node_id(17));
      EXPECT_EQ(planned("ucube", cube, goal).steps(), expected);
      EXPECT_EQ(planned("ucube", cube, goal, 1).steps(), expected);
    }
  }
}

TEST(HypercubeMulticast, ABroadcastNeedsAsManyStepsAsDimensions) {
  for (int n = 1; n <= 10; ++n) {
    const Routing cube = routing_on("hypercube:" + std::to_string(n));
    for (const char* algorithm : family) {
      EXPECT_EQ(planned(algorithm, cube, broadcast(cube.topology(), node_id(1))).steps(), n);
    }
  }
}

TEST(HypercubeMulticast, ReachesExactlyTheDestinationsFromAnySourceInBothOrders) {
  for (const Routing& cube : {routing_on("hypercube:6"), ascending_on("hypercube:6")}) {
    for (std::size_t size = 1; size <= 63; size += 3) {
      DestinationSampler sampler(63, size, 11);
      for (std::size_t source = 0; source < 64; source += 9) {
        const Multicast goal = random_goal(cube.topology(), sampler, node_id(source));
        for (const char* algorithm : family) {
          const Schedule schedule = planned(algorithm, cube, goal);
          const ScheduleReport report = checked(schedule, cube, goal);
          EXPECT_EQ(schedule.unicasts.size(), size);
          EXPECT_TRUE(report.exactly_once.ok() && report.causality.ok() && report.port_rule.ok());
          EXPECT_TRUE(relays(schedule, goal).empty());
        }
      }
    }
  }
}

std::size_t reversed_bits(std::size_t bits, int count) {
  std::size_t reversed = 0;
  for (int i = 0; i < count; ++i) reversed |= (bits >> i & 1U) << (count - 1 - i);
  return reversed;
}

TEST(HypercubeMulticast, AscendingIsTheMirrorImageOfDescending) {
  const Routing down = routing_on("hypercube:5");
  const Routing up = ascending_on("hypercube:5");
  DestinationSampler sampler(31, 13, 3);
  for (std::size_t source = 0; source < 32; ++source) {
    const Multicast goal = random_goal(up.topology(), sampler, node_id(source));
    std::vector<NodeId> mirrored;
    for (const NodeId node : goal.destinations) {
      mirrored.push_back(node_id(reversed_bits(index(node), 5)));
    }
    const Multicast image = multicast(down.topology(), node_id(reversed_bits(source, 5)), mirrored);
    for (const char* algorithm : {"ucube", "maxport", "combine", "wsort", "sbt"}) {
      Schedule expected = planned(algorithm, down, image);
      for (Unicast& unicast : expected.unicasts) {
        unicast.u = node_id(reversed_bits(index(unicast.u), 5));
        unicast.v = node_id(reversed_bits(index(unicast.v), 5));
      }
      expected.sort();
      EXPECT_EQ(printed(planned(algorithm, up, goal)), printed(expected)) << algorithm;
    }
  }
}

// The rule of the steps, unicast by unicast: one more than the later of the sender's own reception
// and its last step on that injection port.
TEST(HypercubeMulticast, EveryUnicastTakesTheFirstStepInWhichItsInjectionPortIsFree) {
  for (const Routing& cube : {routing_on("hypercube:5"), ascending_on("hypercube:5")}) {
    DestinationSampler sampler(31, 20, 5);
    for (int ports = 1; ports <= 5; ++ports) {
      const Multicast goal = random_goal(cube.topology(), sampler, node_id(9));
      for (const char* algorithm : {"ucube", "maxport", "combine", "wsort", "sbt", "separate"}) {
        const Schedule schedule = planned(algorithm, cube, goal, ports);
        std::vector<StepIndex> received(32);
        for (const Unicast& unicast : schedule.unicasts) received[index(unicast.v)] = unicast.step;
        for (const Unicast& unicast : schedule.unicasts) {
          const auto port_of = [&](const Unicast& send) {
            return index(cube.route(send.u, send.v, 0)->port) % static_cast<std::size_t>(ports);
          };
          StepIndex before = unicast.u == goal.source ? 0 : received[index(unicast.u)];
          for (const Unicast& other : schedule.unicasts) {
            const bool is_earlier = other.u == unicast.u && other.order < unicast.order;
            if (is_earlier && port_of(other) == port_of(unicast))
              before = std::max(before, other.step);
          }
          EXPECT_EQ(unicast.step, before + 1) << algorithm << " with " << ports << " ports";
        }
        EXPECT_TRUE(checked(schedule, cube, goal, ports).port_rule.ok());
      }
    }
  }
}

}  // namespace
}  // namespace allport
