// SPDX-License-Identifier: Apache-2.0
// The broadcast by one replicating worm takes the time of docs/timing.md, section 3.
#include <gtest/gtest.h>

#include <string>

#include "rtl_model/topology/group_routes.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

struct Timing {
  int flits = 16;
  Cycle ts = 0;
  Cycle tr = 0;
  int delay = 0;  // d
  int held = 0;   // r
  int depth = 0;  // B; 0: the smallest for full rate
  int round_trip() const { return 2 + 2 * delay + held; }
  int buffer() const { return depth == 0 ? round_trip() : depth; }
};

Cycle formula(const Routing& routing, NodeId root, NodeId node, const Timing& timing) {
  const Cycle depth = __builtin_popcountll(index(root) ^ index(node));
  const bool is_leaf = tree_outputs(routing, node, root, 0) == 0;
  const Cycle first =
      timing.ts + depth * (1 + timing.delay + timing.held) + 1 + (is_leaf ? 0 : timing.held);
  const Cycle rest = timing.flits - 1;
  const Cycle buffer = timing.buffer();
  const bool is_full_rate = buffer >= timing.round_trip();
  return first + (is_full_rate ? rest : rest / buffer * timing.round_trip() + rest % buffer) +
         timing.tr;
}

// The leaf next to the root has a shorter round trip than the other channels of the root: with
// small buffers it may be ahead of them by a flit or two.
bool is_early(const Routing& routing, NodeId root, NodeId node, const Timing& timing) {
  return timing.buffer() < timing.round_trip() && routing.distance(root, node) == 1 &&
         tree_outputs(routing, node, root, 0) == 0;
}

// The broadcasts from all roots in `roots`: the first node that has the message in another cycle,
// in words.
std::string first_wrong_node(const Routing& routing, const Timing& timing, std::size_t roots) {
  return forked([&]() -> std::string {
    const auto fabric =
        With().depth(timing.buffer()).link_delay(timing.delay).replication_delay(timing.held);
    Simulation simulation(Experiment().on(fabric).length(timing.flits).times(timing.ts, timing.tr),
                          routing);
    for (std::size_t root = 0; root < roots; ++root) {
      const Results results =
          simulation.run({{collective("tree", routing, broadcast_from(root, routing))}});
      if (!results.is_complete()) return fault_of(results);
      if (results.by_destination.size() + 1 != routing.topology().node_count())
        return "copies lack";
      for (const DestinationLatency& copy : results.by_destination) {
        const Cycle expected = formula(routing, node_id(root), copy.node, timing);
        if (copy.cycles == expected) continue;
        if (is_early(routing, node_id(root), copy.node, timing) && copy.cycles < expected) continue;
        return "root " + std::to_string(root) + " node " + std::to_string(index(copy.node)) + ": " +
               std::to_string(copy.cycles) + " instead of " + std::to_string(expected);
      }
      if (results.contention.events + results.reception.events > 0) return contention_of(results);
    }
    return "";
  });
}

std::string cube(int dimension) { return "hypercube:" + std::to_string(dimension); }

TEST(TreeWorm, ReachesEveryNodeInTheCycleOfTheFormulaFromOneToTenDimensions) {
  for (int n = 1; n <= 10; ++n) {
    const std::size_t roots = n <= 5 ? std::size_t{1} << n : 2;
    for (const int held : {0, 1, 3}) {
      Timing timing;
      timing.flits = n <= 5 ? 16 : 3;
      timing.held = held;
      EXPECT_EQ(first_wrong_node(routing_on(cube(n)), timing, roots), "") << n << " r " << held;
    }
  }
}

TEST(TreeWorm, ReachesEveryNodeInTheCycleOfTheFormulaWhateverTheTimes) {
  for (const int delay : {0, 1, 2}) {
    for (const int held : {0, 2}) {
      for (const int flits : {1, 2, 40}) {
        const Timing timing{flits, 11, 7, delay, held};
        EXPECT_EQ(first_wrong_node(routing_on(cube(4)), timing, 3), "");
        EXPECT_EQ(first_wrong_node(ascending_on(cube(4)), timing, 3), "");
      }
    }
  }
}

TEST(TreeWorm, KeepsTheRoundTripWhereBuffersAreSmall) {
  for (int n = 2; n <= 4; ++n) {
    for (const int delay : {0, 1}) {
      for (const int held : {0, 1, 2}) {
        for (int depth = 1; depth < 2 + 2 * delay + held; ++depth) {
          const Timing timing{9, 0, 0, delay, held, depth};
          EXPECT_EQ(first_wrong_node(routing_on(cube(n)), timing, 2), "")
              << "n " << n << " d " << delay << " r " << held << " B " << depth;
        }
      }
    }
  }
}

// The table of docs/timing.md, section 3.
TEST(TreeWorm, FinishesTheBroadcastsOfTheTable) {
  struct Row {
    int dimension, flits, held;
    const char* cycles;
  };
  for (const Row& row :
       {Row{4, 16, 0, "20"}, Row{6, 64, 0, "70"}, Row{6, 64, 1, "76"}, Row{10, 1024, 0, "1034"}}) {
    const Routing routing = routing_on(cube(row.dimension));
    EXPECT_EQ(forked([&] {
                Simulation simulation(
                    Experiment().on(With().replication_delay(row.held)).length(row.flits), routing);
                const auto tree = collective("tree", routing, broadcast_from(0, routing));
                return std::to_string(simulation.run({{tree}}).latency.max);
              }),
              row.cycles);
  }
}

}  // namespace
}  // namespace allport::test
