// SPDX-License-Identifier: Apache-2.0
// Deadlocks happen where the contract says they can, and nowhere else, and are described correctly.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/forked.h"
#include "tests/testbench/observe/monitors/deadlocks.h"

namespace allport::test {
namespace {

// The number of ordered pairs of roots that get stuck when both send a tree at once.
int stuck_pairs(int dimension, const SimulationConfig& config) {
  return std::stoi(forked([&] {
    const Routing routing = routing_on(cube(dimension));
    const std::size_t nodes = routing.topology().node_count();
    Simulation simulation(config, routing);
    int stuck = 0;
    for (std::size_t pair = 0; pair < nodes * nodes; ++pair) {
      if (pair / nodes == pair % nodes) continue;
      const Results results =
          simulation.run({{tree_from(pair / nodes, routing), tree_from(pair % nodes, routing)}});
      if (results.deadlock) ++stuck;
    }
    return std::to_string(stuck);
  }));
}

TEST(Deadlock, OfTwoTreesBeginsAtTwoFlitsMoreThanABufferHolds) {
  const int expected[] = {4, 24, 112};  // for dimensions 2, 3, 4
  for (int dimension = 2; dimension <= 4; ++dimension) {
    for (const int depth : {1, 2, 4, 7}) {
      const auto stuck = [&](int flits) {
        return stuck_pairs(dimension, Experiment().on(With().depth(depth)).length(flits));
      };
      EXPECT_EQ(stuck(depth + 1), 0) << "n " << dimension << " B " << depth;
      EXPECT_EQ(stuck(depth + 2), expected[dimension - 2]) << "n " << dimension << " B " << depth;
      EXPECT_EQ(stuck(depth + 30), expected[dimension - 2]) << "n " << dimension << " B " << depth;
    }
  }
}

TEST(Deadlock, OfTwoTreesIsAvoidedByTheBarrier) {
  for (int dimension = 2; dimension <= 4; ++dimension) {
    EXPECT_EQ(stuck_pairs(dimension, Experiment().on(With().depth(1)).length(20).with_barrier(0)),
              0);
  }
}

TEST(Deadlock, IsAvoidedByTheBarrierAtTheCostOfOneBroadcastAfterTheOther) {
  const Routing routing = routing_on(cube(4));
  Simulation simulation(Experiment().times(10, 5).with_barrier(7), routing);

  const Results results = simulation.run({{tree_from(0, routing), tree_from(3, routing)}});

  EXPECT_EQ(fault_of(results) + contention_of(results), "");
  const Cycle one = 10 + 4 + 16 + 5;
  EXPECT_EQ(results.latency.max, one);  // each from its own start
  EXPECT_EQ(results.cycles, one + 7 + one);
}

// Two trees of three flits on a 2-cube, with buffers of one flit and roots 0 and 2. Each owns both
// channels of its root and, from cycle 1 on, wants one of the other's. The last flits that move are
// the second ones at the leaves 1 and 3, in cycle 3.
TEST(Deadlock, IsReportedAsTheCycleOfWaitsThatItIs) {
  const Routing routing = routing_on(cube(2));
  Simulation simulation(Experiment().on(With().depth(1)).length(3), routing);

  const Results results = simulation.run({{tree_from(0, routing), tree_from(2, routing)}});

  ASSERT_TRUE(results.deadlock);
  EXPECT_EQ(printed(*results.deadlock),
            "0>all#0 waits for vc 0 at 2.0 held by 2>all#0\n"
            "2>all#0 waits for vc 0 at 0.0 held by 0>all#0\n");
  EXPECT_EQ(results.deadlock->last_movement, 3);
  EXPECT_EQ(results.deadlock->cycle, 3 + 2);
  EXPECT_EQ(results.deadlock->stuck_messages, 2U);
  EXPECT_EQ(results.deadlock->delivered_messages, 0U);
  EXPECT_FALSE(results.is_complete());
  EXPECT_EQ(printed(results.contention.list),
            "cycle 1 for 5 at 0.0: 2>all#0 behind 0>all#0\n"
            "cycle 1 for 5 at 2.0: 0>all#0 behind 2>all#0\n");
}

// A third tree that keeps out of their way is delivered, and told as that.
TEST(Deadlock, TellsWhatIsDeliveredInSpiteOfIt) {
  const Routing routing = routing_on(cube(4));
  Simulation simulation(Experiment().on(With().depth(4)).length(16), routing);

  const Results results =
      simulation.run({{tree_from(0, routing), tree_from(6, routing), tree_from(9, routing)}});

  ASSERT_TRUE(results.deadlock);
  EXPECT_EQ(results.deadlock->stuck_messages, 2U);
  EXPECT_EQ(results.deadlock->delivered_messages, 1U);
  ASSERT_EQ(results.deadlock->delivered.size(), 1U);
  EXPECT_EQ(printed(results.deadlock->delivered[0]), "9>all#0");
}

// The same as the whole graph: in router 0 tree 2 is at input 1, has sent its copy to the processor
// there (output 3), and lacks output 0.
TEST(Deadlock, TellsWhatAReplicatedFlitHasDoneAndAllThatItWaitsFor) {
  const Routing routing = routing_on(cube(2));
  Simulation simulation(Experiment().on(With().depth(1)).length(3), routing);

  const Results results = simulation.run({{tree_from(0, routing), tree_from(2, routing)}});

  ASSERT_TRUE(results.deadlock);
  const Deadlock& deadlock = *results.deadlock;
  ASSERT_EQ(deadlock.waits.size(), 2U);
  const WaitingFlit& flit = deadlock.flits.at(deadlock.waits[1].flit);
  EXPECT_EQ(printed(flit.message), "2>all#0");
  EXPECT_EQ(index(flit.input.node), 0U);
  EXPECT_EQ(index(flit.input.port), 1U);
  ASSERT_EQ(flit.taken.size(), 1U);
  EXPECT_EQ(index(flit.taken[0]), 3U);
  ASSERT_EQ(flit.waits.size(), 1U);
  EXPECT_TRUE(flit.waits[0].is_in_cycle);
  EXPECT_EQ(flit.waits[0].since, 1);
  EXPECT_EQ(deadlock.messages.size(), 2U);
}

// If each buffer has room for a whole message, two trees never get stuck, but three may; a flit
// then lacks two of its branches at once. It is drawn which tree starts first.
TEST(Deadlock, OfThreeTreesComesThoughABufferHoldsAMessage) {
  for (const std::size_t roots : {2U, 3U}) {
    const Routing routing = routing_on(cube(3));
    const std::string found = forked([&]() -> std::string {
      Simulation simulation(Experiment().on(With().depth(3)).length(3).with_jitter(4).with_seed(1),
                            routing);
      std::vector<PlannedCollective> trees;
      for (const std::size_t root : {0U, 2U, 4U}) {
        if (trees.size() < roots) trees.push_back(tree_from(root, routing));
      }
      const Results results =
          simulation.run(std::vector<std::vector<PlannedCollective>>(200, trees));
      if (!results.deadlock) return "none";
      const std::vector<WaitingFlit>& flits = results.deadlock->flits;
      const bool has_two = std::any_of(flits.begin(), flits.end(), [](const WaitingFlit& flit) {
        return flit.waits.size() == 2 && !flit.taken.empty();
      });
      return fault_of_graph(*results.deadlock) + (has_two ? "two at once" : "one by one");
    });
    EXPECT_EQ(found, roots == 2 ? "none" : "two at once");
  }
}

TEST(Deadlock, EndsTheCyclesOfItsTrial) {
  const Routing routing = routing_on(cube(2));
  Simulation simulation(Experiment().on(With().depth(1)).length(3), routing);

  const Results results = simulation.run({{tree_from(0, routing), tree_from(2, routing)}});

  ASSERT_TRUE(results.deadlock);
  EXPECT_EQ(results.cycles, results.deadlock->cycle);
}

TEST(Deadlock, IsDatedTwoCyclesTwoLinkDelaysAndTheReplicationDelayAfterTheLastMovement) {
  const Routing routing = routing_on(cube(3));
  Simulation simulation(Experiment().on(With().link_delay(3).replication_delay(5)).length(40),
                        routing);

  const Results results = simulation.run({{tree_from(0, routing), tree_from(2, routing)}});

  ASSERT_TRUE(results.deadlock);
  EXPECT_EQ(results.deadlock->cycle, simulation.fabric().last_movement() + 2 + 2 * 3 + 5);
}

TEST(Deadlock, IsNotSeenInAnEmptyNetworkWhoseProcessorStillCounts) {
  const Routing routing = routing_on(cube(3));
  Simulation simulation(Experiment().times(1000000, 500000).length(4), routing);

  const Results results =
      simulation.run({{collective("sbt", routing, broadcast_from(0, routing))}});

  EXPECT_EQ(fault_of(results), "");
  EXPECT_EQ(results.latency.max, 3 * (1000000 + 1 + 4 + 500000));
}

TEST(Deadlock, IsDeclaredOnlyWhenNothingElseCanMoveEither) {
  const Routing routing = routing_on(cube(4));
  Simulation simulation(Experiment().times(0, 1000).length(20), routing);
  PlannedCollective relay = single(12, 13, routing);  // out of the way of the trees' channels
  relay.schedule.unicasts.push_back(single(13, 15, routing).schedule.unicasts.front());
  relay.schedule.unicasts.back().step = 2;

  const Results results = simulation.run({{tree_from(0, routing), tree_from(2, routing), relay}});

  ASSERT_TRUE(results.deadlock);
  EXPECT_GT(results.deadlock->cycle, 1000);
}

TEST(Deadlock, EndsTheRunWithItsTrial) {
  const Routing routing = routing_on(cube(2));
  Simulation simulation(Experiment().on(With().depth(1)).length(3), routing);
  const std::vector<PlannedCollective> fine{tree_from(0, routing)};
  const std::vector<PlannedCollective> stuck{tree_from(0, routing), tree_from(2, routing)};

  const Results results = simulation.run({fine, stuck, fine});
  ASSERT_TRUE(results.deadlock);
  EXPECT_EQ(results.deadlock->trial, 1);
  EXPECT_EQ(results.trials.size(), 2U);

  EXPECT_EQ(fault_of(simulation.run({fine})), "");  // the fabric is as new
}

// Worms from node 0, and from its neighbour by port 2, run through the same nodes at once.
TEST(Deadlock, OfTwoPathWormsIsNamedAsWell) {
  const std::string words = forked([] {
    const Routing routing = routing_on("hypercube:3");
    Simulation simulation(Experiment().on(With().depth(2)).length(30), routing);
    int stuck = 0;
    for (std::size_t other = 1; other < 8; ++other) {
      const Results results = simulation.run({{path_worm(0, routing), path_worm(other, routing)}});
      if (!results.deadlock) continue;
      ++stuck;
      for (const DeadlockWait& wait : results.deadlock->waits) {
        if (wait.message.v || wait.held_by.v) return std::string("a path worm has a destination");
      }
    }
    return stuck > 0 ? std::string() : std::string("none");
  });
  EXPECT_EQ(words, "");
}

TEST(Deadlock, OfTwoMultidestinationWormsWhoseLegsAreNoEcubeRouteIsSeen) {
  const std::string words = forked([] {
    const Routing routing = routing_on("hypercube:2");
    Simulation simulation(Experiment().on(With().depth(1)).length(30), routing);
    std::vector<PlannedCollective> all;  // around the square, each from another corner
    for (const auto& corners :
         {std::vector<std::size_t>{0, 1, 3}, {1, 3, 2}, {3, 2, 0}, {2, 0, 1}}) {
      all.push_back(listed(corners[0], {corners[1], corners[2]}));
    }
    const Results results = simulation.run({all});
    return results.deadlock ? std::string() : "no deadlock " + contention_of(results);
  });
  EXPECT_EQ(words, "");
}

// On a line of four nodes the worm goes to the end, back to 1, and once more over the channel 1 ->
// 2.
TEST(Deadlock, OfAMultidestinationWormWithItsOwnBodyIsNamed) {
  const std::string words = forked([] {
    const Routing routing = routing_on("mesh:4");
    Simulation simulation(Experiment().on(With().depth(1)).length(40), routing);
    const Results results = simulation.run({{listed(0, {3, 1, 2})}});
    return results.deadlock ? printed(*results.deadlock) : "no deadlock";
  });
  EXPECT_EQ(words, "0>2#0 waits for vc 0 at 1.0 held by 0>2#0\n");
}

// The worm goes from 1 to 2 and back through 1, where the head wants port 0 in cycle 4; its tail is
// still at its source.
TEST(Deadlock, OfAMultidestinationWormWithItselfIsDatedByItsHead) {
  const Routing routing = routing_on("mesh:4x2");
  Simulation simulation(Experiment().length(40), routing);

  const Results results = simulation.run({{listed(1, {2, 0, 3})}});

  ASSERT_TRUE(results.deadlock);
  EXPECT_EQ(printed(*results.deadlock), "1>3#0 waits for vc 0 at 1.0 held by 1>3#0\n");
  EXPECT_EQ(results.deadlock->waits[0].since, 4);
}

}  // namespace
}  // namespace allport::test
