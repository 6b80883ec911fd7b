// SPDX-License-Identifier: Apache-2.0
// These channels are narrower than a flit: the latency of a message alone is the formula of
// docs/timing.md, over every route, and a flit on such a channel holds up those of others.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/forked.h"
#include "tests/testbench/simulation/all_pairs.h"
#include "tests/testbench/simulation/experiment.h"
#include "traffic/theory/timing_model.h"

namespace allport::test {
namespace {

// The formula for any buffers, wormhole.
Cycle formula(const Unicast& message, const Routing& routing, const SimulationConfig& config) {
  const FabricConfig& fabric = config.fabric;
  Cycle hops = 0;     // H
  Cycle slowest = 1;  // S
  Cycle round = 2;    // R
  for (const Channel channel : routing.path(message.u, message.v)) {
    const std::size_t dimension = routing.topology().dimension_of(channel.port);
    const Cycle phits = fabric.phits[dimension];
    const Cycle delay =
        fabric.link_delays.empty() ? fabric.link_delay : fabric.link_delays[dimension];
    hops += phits + delay;
    slowest = std::max(slowest, phits);
    round = std::max(round, phits + 1 + 2 * delay);
  }
  const Cycle behind = config.flits - 1;
  const Cycle depth = fabric.buffer_depth;
  const Cycle spread =
      std::max(behind * slowest, behind / depth * round + behind % depth * slowest);
  return config.ts + hops + 1 + spread + config.tr;
}

// What the timing model of plans says of it, at full rate in any mode.
Cycle transit_of(const Unicast& message, const Routing& routing, const SimulationConfig& config) {
  const TimingParameters timing{config.ts, config.tr, config.flits, config.fabric,
                                config.fabric.phits};
  return config.ts + transit(length_between(message.u, message.v, routing, timing), timing);
}

TEST(NarrowChannels, TakeTheFormulaForAllPairsWidthsDepthsAndLengths) {
  for (const auto& [topology, phits] :
       {std::pair("torus:4x3", std::vector{1, 3}), std::pair("torus:4x3", std::vector{5, 2}),
        std::pair("mesh:3x2x2", std::vector{2, 1, 4}),
        std::pair("hypercube:3", std::vector{3, 7, 1}), std::pair("ring:5", std::vector{64}),
        std::pair("hypercube:3", std::vector{2, 2, 2})}) {
    for (const int depth : {1, 2, 3, 4, 9}) {
      for (const int delay : {0, 1, 4}) {
        for (const int flits : {1, 2, 3, 13}) {
          const auto config = Experiment()
                                  .on(With().phits(phits).depth(depth).link_delay(delay))
                                  .length(flits)
                                  .times(3, 2);
          ASSERT_EQ(first_wrong_pair(topology, config, formula), "")
              << topology << " " << describe(config);
        }
      }
    }
  }
}

TEST(NarrowChannels, TakeTheFormulaWhereLinkDelaysDifferToo) {
  for (const int depth : {1, 2, 5}) {
    const auto fabric = With().phits({4, 1, 2}).link_delay({0, 6, 1}).depth(depth).ports(1);
    const auto config = Experiment().on(fabric).length(11);
    EXPECT_EQ(first_wrong_pair("torus:3x2x3", config, formula), "") << describe(config);
  }
}

TEST(NarrowChannels, TakeTheTimesOfTheTimingModelInEverySwitchingMode) {
  for (const Switching mode : switching_modes) {
    for (const int flits : {1, 2, 9}) {
      const auto fabric = With().phits({3, 1, 2}).link_delay({1, 0, 2}).depth(20).switching(mode);
      const auto config = Experiment().on(fabric).length(flits).times(4, 1);
      EXPECT_EQ(first_wrong_pair("mesh:3x3x2", config, transit_of), "") << describe(config);
      const auto cube = With().phits({2, 5, 2}).link_delay(1).depth(20).switching(mode);
      const auto even = Experiment().on(cube).length(flits);
      EXPECT_EQ(first_wrong_pair("hypercube:3", even, transit_of), "") << describe(even);
    }
  }
}

// The messages 2 -> 0 -> 1 and 0 -> 1, of two flits each, meet at output 0 of node 0 on two virtual
// channels.
std::string contention_over(int phits, bool is_transaction_level) {
  return forked([&] {
    const Routing routing = routing_on("hypercube:2");
    Experiment experiment = Experiment().on(With().vcs(2).phits({phits, 1})).length(2);
    experiment.is_transaction_level = is_transaction_level;
    Simulation simulation(experiment, routing);
    return printed(
        simulation.run({{single(2, 1, routing), single(0, 1, routing)}}).contention.list);
  });
}

// The flits of 0 -> 1 and of 2 -> 1 cross in turn, in cycles 0 and 2, and 1 and 3, or s times as
// far apart; a flit waits for all phits of the other's before it.
TEST(NarrowChannels, HoldUpTheFlitsOfOthersUntilTheLastPhitHasGone) {
  for (const bool as_worms : {false, true}) {
    EXPECT_EQ(contention_over(1, as_worms),
              "cycle 1 for 1 at 0.0: 0>1#0 behind 2>1#0\n"
              "cycle 2 for 1 at 0.0: 2>1#0 behind 0>1#0\n");
    EXPECT_EQ(contention_over(3, as_worms),
              "cycle 1 for 5 at 0.0: 2>1#0 behind 0>1#0\n"
              "cycle 3 for 3 at 0.0: 0>1#0 behind 2>1#0\n");
  }
}

TEST(NarrowChannels, OfOnePhitAreAsWideAsAFlit) {
  const auto digest_with = [](std::vector<int> phits) {
    return forked([&] {
      const Routing routing = routing_on("torus:4x4");
      Simulation simulation(Experiment().on(With().phits(phits)).length(7), routing);
      const Results results =
          simulation.run({{collective("dcf", routing, broadcast_from(5, routing))}});
      return results.digest + std::to_string(results.flit_hops);
    });
  };
  EXPECT_EQ(digest_with({1, 1}), digest_with({}));
  EXPECT_NE(digest_with({1, 2}), digest_with({}));
}

}  // namespace
}  // namespace allport::test
