// SPDX-License-Identifier: Apache-2.0
// Deadlocks happen where the contract says they can, and nowhere else, and are named as they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "tests/simulation/experiment.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"

namespace allport::test {
namespace {

std::string cube(int dimension) { return "hypercube:" + std::to_string(dimension); }

PlannedCollective tree_from(std::size_t root, const Routing& routing) {
  return collective("tree", routing, broadcast_from(root, routing));
}

// How many ordered pairs of roots get stuck when both send a tree at once.
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

// Whether the wait-for graph of `deadlock` holds its cycle, edge for edge, and every message in it
// is stuck.
std::string fault_of_graph(const Deadlock& deadlock) {
  std::set<std::string> stuck;
  for (const MessageName& name : deadlock.messages) stuck.insert(printed(name));
  if (stuck.size() != deadlock.stuck_messages) return "a message is there twice, or not at all";
  std::size_t in_cycle = 0;
  for (const WaitingFlit& flit : deadlock.flits) {
    if (stuck.count(printed(flit.message)) == 0) return "a flit of nobody";
    for (const WaitEdge& edge : flit.waits) {
      if (stuck.count(printed(edge.held_by)) == 0) return "held by one that is not stuck";
      const bool is_late = edge.since > deadlock.cycle && !flit.is_queued;
      if (edge.since < 0 || is_late) return "a wait of another time";
      if (edge.is_in_cycle) ++in_cycle;
    }
  }
  for (const DeadlockWait& wait : deadlock.waits) {
    const WaitingFlit& flit = deadlock.flits.at(wait.flit);
    const auto is_it = [&](const WaitEdge& edge) {
      return edge.is_in_cycle && edge.waits_for == wait.waits_for && edge.vc == wait.vc &&
             printed(edge.held_by) == printed(wait.held_by) && edge.since == wait.since;
    };
    if (printed(flit.message) != printed(wait.message)) return "another message's flit";
    if (!std::any_of(flit.waits.begin(), flit.waits.end(), is_it)) return "not an edge of its flit";
  }
  return in_cycle == deadlock.waits.size() ? "" : "more edges in the cycle than it has";
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

// Two trees of three flits on a 2-cube, buffers of one flit, roots 0 and 2. Each owns both of its
// root's channels and, from cycle 1 on, wants one of the other's. The last flits that move are the
// second ones at the leaves 1 and 3, in cycle 3.
TEST(Deadlock, IsReportedAsTheCycleOfWaitsThatItIs) {
  const Routing routing = routing_on(cube(2));
  Simulation simulation(Experiment().on(With().depth(1)).length(3), routing);

  const Results results = simulation.run({{tree_from(0, routing), tree_from(2, routing)}});

  ASSERT_TRUE(results.deadlock);
  EXPECT_EQ(printed(*results.deadlock),
            "0>all#0 waits for vc 0 at 2.0 held by 2>all#0\n"
            "2>all#0 waits for vc 0 at 0.0 held by 0>all#0\n");
  EXPECT_EQ(results.deadlock->cycle, 3 + 2);
  EXPECT_EQ(results.deadlock->stuck_messages, 2U);
  EXPECT_FALSE(results.is_complete());
  EXPECT_EQ(printed(results.contention.list),
            "cycle 1 for 5 at 0.0: 2>all#0 behind 0>all#0\n"
            "cycle 1 for 5 at 2.0: 0>all#0 behind 2>all#0\n");
}

// The same, as the whole graph: in router 0 tree 2 stands at input 1, has its copy for the
// processor there (output 3) out, and lacks output 0.
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

// With room for a whole message in each buffer two trees never get stuck, three may; a flit then
// lacks two of its branches at once. Whoever starts first is drawn.
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

// Two trees among unicasts of the same nodes, of which the last one stays whole at its processor.
Schedule trees_and_unicasts() {
  const auto message = [](std::size_t u, std::size_t v, int order) {
    Unicast unicast;
    unicast.u = node_id(u);
    unicast.v = node_id(v);
    unicast.order = order;
    if (order == 0) unicast.kind = MessageKind::tree;
    return unicast;
  };
  return {{message(0, 0, 0), message(6, 0, 0), message(0, 1, 1), message(0, 3, 2), message(0, 7, 3),
           message(6, 4, 1)}};
}

/// One line a row of a queue: `0>1#1 at 0.3: buffer, behind 0>all#0, since 8`.
std::string printed_queues(const Deadlock& deadlock) {
  std::ostringstream text;
  for (const WaitingFlit& flit : deadlock.flits) {
    if (!flit.is_queued) continue;
    text << printed(flit.message) << " at " << index(flit.input.node) << "."
         << index(flit.input.port) << ":";
    for (const WaitEdge& edge : flit.waits) {
      text << " " << edge.waits_for << ", behind " << printed(edge.held_by) << ", since "
           << edge.since;
    }
    text << "\n";
  }
  return text.str();
}

TEST(Deadlock, HoldsWhatIsInAnInjectionQueue) {
  const PlannedCollective planned{{node_id(0), node_id(6)}, {}, trees_and_unicasts()};
  for (const int ports : {1, 3}) {
    const std::string queues = forked([&] {
      const Routing routing = routing_on(cube(3));
      Simulation simulation(Experiment().on(With().ports(ports)).length(16), routing);
      const Results results = simulation.run({{planned}});
      if (!results.deadlock) return std::string("no deadlock");
      const std::string fault = fault_of_graph(*results.deadlock);
      if (!fault.empty()) return fault;
      return std::to_string(results.deadlock->stuck_messages) + " messages\n" +
             printed_queues(*results.deadlock);
    });
    EXPECT_EQ(queues, ports == 1 ? "6 messages\n"
                                   "0>all#0 at 0.3: credit, behind 0>all#0, since 8\n"
                                   "0>1#1 at 0.3: buffer, behind 0>all#0, since 8\n"
                                   "0>3#2 at 0.3: buffer, behind 0>1#1, since 8\n"
                                   "0>7#3 at 0.3: buffer, behind 0>3#2, since 8\n"
                                   "6>all#0 at 6.3: credit, behind 6>all#0, since 8\n"
                                   "6>4#1 at 6.3: buffer, behind 6>all#0, since 8\n"
                                 : "6 messages\n"
                                   "0>all#0 at 0.3: credit, behind 0>all#0, since 8\n"
                                   "0>1#1 at 0.3: buffer, behind 0>all#0, since 8\n"
                                   "0>3#2 at 0.4: credit, behind 0>3#2, since 8\n"
                                   "0>7#3 at 0.5: credit, behind 0>7#3, since 8\n"
                                   "6>all#0 at 6.3: credit, behind 6>all#0, since 8\n"
                                   "6>4#1 at 6.4: credit, behind 6>4#1, since 8\n");
  }
}

// Prepared one after another, the unicasts come after everything stands still: each waits from the
// cycle in which it is prepared.
TEST(Deadlock, DatesTheWaitInAQueueByThePreparationOfTheMessage) {
  const PlannedCollective planned{{node_id(0), node_id(6)}, {}, trees_and_unicasts()};
  const Routing routing = routing_on(cube(3));
  Simulation simulation(Experiment().on(With().ports(1)).length(16).times(100, 0), routing);

  const Results results = simulation.run({{planned}});

  ASSERT_TRUE(results.deadlock);
  EXPECT_EQ(results.deadlock->cycle, 100 + 9);
  EXPECT_EQ(printed_queues(*results.deadlock),
            "0>all#0 at 0.3: credit, behind 0>all#0, since 108\n"
            "0>1#1 at 0.3: buffer, behind 0>all#0, since 200\n"
            "0>3#2 at 0.3: buffer, behind 0>1#1, since 300\n"
            "0>7#3 at 0.3: buffer, behind 0>3#2, since 400\n"
            "6>all#0 at 6.3: credit, behind 6>all#0, since 108\n"
            "6>4#1 at 6.3: buffer, behind 6>all#0, since 200\n");
}

// On three ports 0>3 and 0>7 have channels of their own, and want what their source's tree owns
// from the cycle in which all three heads were there.
TEST(Deadlock, DatesTheWaitForAMessageOfTheSameSource) {
  const PlannedCollective planned{{node_id(0), node_id(6)}, {}, trees_and_unicasts()};
  const Routing routing = routing_on(cube(3));
  Simulation simulation(Experiment().length(16), routing);

  const Results results = simulation.run({{planned}});

  ASSERT_TRUE(results.deadlock);
  int queued = 0;
  for (const WaitingFlit& flit : results.deadlock->flits) {
    if (!flit.message.v || flit.is_queued) continue;
    ++queued;
    ASSERT_EQ(flit.waits.size(), 1U);
    EXPECT_EQ(flit.waits[0].waits_for, "vc");
    EXPECT_EQ(flit.waits[0].since, 0) << printed(flit.message);
  }
  EXPECT_EQ(queued, 3);
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

// Random collectives of random kinds at once.
struct Mix {
  explicit Mix(std::uint64_t seed) : draw(seed) {
    dimension = 2 + draw.below(3);
    config = Experiment()
                 .on(With().depth(1 + draw.below(3)).link_delay(draw.below(2)))
                 .length(1 + draw.below(20))
                 .with_jitter(draw.one_of<int>({0, 30}))
                 .with_seed(seed);
  }
  std::size_t node() { return static_cast<std::size_t>(draw.below(1 << dimension)); }
  /// `count` messages between random nodes.
  std::vector<PlannedCollective> messages(int count, MessageKind kind, const Routing& routing) {
    std::vector<PlannedCollective> planned;
    while (static_cast<int>(planned.size()) < count) {
      const std::size_t u = node();
      const std::size_t v = node();
      if (u != v) planned.push_back(single(u, v, routing, kind));
    }
    return planned;
  }

  Draw draw;
  int dimension;
  SimulationConfig config;
};

// Whether the waits of `deadlock` are a cycle of messages that were really sent.
std::string fault_of_report(const Deadlock& deadlock, const std::set<std::string>& sent) {
  if (deadlock.waits.size() < 2) return "no cycle";
  for (std::size_t i = 0; i < deadlock.waits.size(); ++i) {
    const DeadlockWait& wait = deadlock.waits[i];
    const DeadlockWait& next = deadlock.waits[(i + 1) % deadlock.waits.size()];
    if (printed(wait.held_by) != printed(next.message)) return "the chain is broken";
    if (printed(wait.held_by) == printed(wait.message)) return "a message waits for itself";
    if (sent.count(printed(wait.message)) == 0) return "nobody sent " + printed(wait.message);
    if (std::set<std::string>{"vc", "credit", "buffer"}.count(wait.waits_for) == 0)
      return "for what";
  }
  if (deadlock.stuck_messages < deadlock.waits.size()) return "too few are stuck";
  return fault_of_graph(deadlock);
}

TEST(Deadlock, ReportsAlwaysNameACycleOfMessagesThatWereSent) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Mix mix(seed);
    const std::string found = forked([&]() -> std::string {
      const Routing routing = routing_on(cube(mix.dimension));
      std::vector<PlannedCollective> planned;
      std::set<std::string> sent;
      while (planned.size() < 4) {
        const std::size_t root = mix.node();
        if (sent.count(std::to_string(root) + ">all#0") > 0) continue;  // trees of one name
        planned.push_back(tree_from(root, routing));
        for (int order = 0; order < 4; ++order) {
          sent.insert(std::to_string(root) + ">all#" + std::to_string(order));
        }
      }
      Simulation simulation(mix.config, routing);
      const Results results = simulation.run({planned});
      if (!results.deadlock) return "none";
      const std::string fault = fault_of_report(*results.deadlock, sent);
      return fault.empty() ? results.deadlock->waits.front().waits_for : fault;
    });
    seen.insert(found);
  }
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](const std::string& found) {
    return std::set<std::string>{"none", "vc", "credit", "buffer"}.count(found) > 0;
  })) << *seen.begin();
  EXPECT_GT(seen.count("vc"), 0U);
}

// What `count` messages of `kind` (and, perhaps, a tree) come to: number of deadlocks in `cases`.
int deadlocks(int cases, MessageKind kind, int ports, bool has_tree) {
  int found = 0;
  for (int seed = 0; seed < cases; ++seed) {
    Mix mix(static_cast<std::uint64_t>(seed));
    mix.config.fabric.internal_ports = ports;
    const std::string fault = forked([&] {
      const Routing routing = routing_on(cube(mix.dimension));
      auto planned = mix.messages(12, kind, routing);
      if (has_tree) planned.push_back(tree_from(mix.node(), routing));
      Simulation simulation(mix.config, routing);
      return fault_of(simulation.run({planned}));
    });
    if (!fault.empty()) ++found;
    EXPECT_TRUE(fault.empty() || fault.rfind("deadlock", 0) == 0) << "seed " << seed << fault;
  }
  return found;
}

TEST(Deadlock, NeverComesFromOneTreeAmongUnicasts) {
  EXPECT_EQ(deadlocks(150, MessageKind::unicast, 0, true), 0);
}

TEST(Deadlock, NeverComesFromDepositsWithAllPortsAndOneVirtualChannel) {
  EXPECT_EQ(deadlocks(150, MessageKind::deposit, 0, false), 0);
}

TEST(Deadlock, CanComeFromDepositsThatShareAnEjectionChannel) {
  EXPECT_GT(deadlocks(100, MessageKind::deposit, 1, false), 0);
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

// From node 0, and from its neighbour by port 2: worms that run through the same nodes at once.
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

// On a line of four nodes: to the end, back to 1, and once more over the channel 1 -> 2.
TEST(Deadlock, OfAMultidestinationWormWithItsOwnBodyIsNamed) {
  const std::string words = forked([] {
    const Routing routing = routing_on("mesh:4");
    Simulation simulation(Experiment().on(With().depth(1)).length(40), routing);
    const Results results = simulation.run({{listed(0, {3, 1, 2})}});
    return results.deadlock ? printed(*results.deadlock) : "no deadlock";
  });
  EXPECT_EQ(words, "0>2#0 waits for vc 0 at 1.0 held by 0>2#0\n");
}

// From 1 to 2 and back through 1, where the head wants port 0 in cycle 4; its tail is still at
// home.
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
