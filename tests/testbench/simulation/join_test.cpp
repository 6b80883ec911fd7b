// SPDX-License-Identifier: Apache-2.0
// Joins, join-trees and trees take the times of docs/joins.md on every fabric, for every root and
// group, and yield the right results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rtl_model/base/split_mix.h"
#include "testbench/simulation/program_table.h"
#include "tests/testbench/simulation/group_cases.h"
#include "tlm/processor/jitter.h"

namespace allport::test {
namespace {

constexpr MessageKind join = MessageKind::join;
constexpr MessageKind join_tree = MessageKind::join_tree;
constexpr MessageKind tree = MessageKind::tree;

struct Case {
  const char* fabric;
  bool is_ascending;
  int ports;
  const char* cycles;
  GroupFormula formula;
};

// kind, root, free, L, ts, tr, d, r, c, B
TEST(Join, TakesTheCyclesOfTheWorkedCases) {
  const std::vector<Case> cases{
      {"hypercube:4", false, 0, "20", {join, 5, 0, 16, 0, 0, 0, 0, 0, 4}},
      {"hypercube:4", false, 0, "28", {join, 5, 0, 16, 0, 0, 1, 0, 1, 5}},
      {"hypercube:4", false, 0, "31", {join, 5, 0, 16, 0, 0, 1, 0, 1, 4}},
      {"hypercube:6", true, 0, "82", {join_tree, 0, 0, 64, 0, 0, 0, 0, 1, 4}},
      {"mesh:8x8", false, 0, "87", {join, 0, 0, 16, 10, 5, 1, 0, 2, 6}},
      {"mesh:8x8", false, 0, "87", {join_tree, 27, 0, 16, 10, 5, 1, 1, 2, 7}},
      {"torus:8x8", false, 0, "17", {join_tree, 9, 0, 1, 0, 0, 0, 0, 0, 4}},
      {"torus:8x8", false, 0, "55", {join, 9, 1, 32, 0, 0, 0, 0, 1, 2}},
      {"torus:4x4x4", false, 1, "26", {tree, 21, 0, 8, 0, 0, 0, 2, 0, 4}},
      {"hypercube:3", false, 0, "19", {join_tree, 6, 5, 4, 0, 0, 2, 0, 0, 3}},
      {"ring:2", false, 0, "5", {join_tree, 1, 0, 3, 0, 0, 0, 0, 0, 4}}};
  for (const Case& one : cases) {
    const Routing routing = one.is_ascending ? ascending_on(one.fabric) : routing_on(one.fabric);
    const std::string expected = std::string("complete ") + one.cycles;
    EXPECT_EQ(outcome_of(one.formula, routing, one.ports), expected) << one.fabric;
    EXPECT_EQ(outcome_of(one.formula, routing, one.ports, true), expected)
        << one.fabric << ", worms";
    const NodeId root = node_id(one.formula.root);
    Cycle last = 0;
    for (const NodeId node : group_nodes(routing.topology(), root, one.formula.free)) {
      last = std::max(last, one.formula.of(node, routing));
    }
    EXPECT_EQ(std::to_string(last), one.cycles) << one.fabric << ": the formula itself";
  }
}

// All kinds, roots and groups of a fabric with these times, each node in its cycle.
std::string first_wrong(const Routing& routing, GroupFormula formula, int ports,
                        bool is_transaction_level = false) {
  return forked([&]() -> std::string {
    Experiment experiment = experiment_of(formula, ports);
    experiment.is_transaction_level = is_transaction_level;
    Simulation simulation(experiment, routing);
    const Topology& topology = routing.topology();
    for (const MessageKind kind : {join, join_tree, tree}) {
      for (DimensionMask free = 1; free <= free_dimensions(topology, 0); ++free) {
        for (std::size_t root = 0; root < topology.node_count(); ++root) {
          formula.kind = kind;
          formula.root = root;
          formula.free = group_mask(topology, free);
          const int trip = formula.round_trip(formula.distance_of_farthest(routing));
          const std::string wrong =
              first_wrong_cycle(formula, routing, simulation, formula.depth < trip);
          if (!wrong.empty()) return std::string(to_string(kind)) + " " + wrong;
        }
      }
    }
    return "";
  });
}

std::vector<Routing> small_fabrics() {
  return {routing_on("hypercube:3"), ascending_on("hypercube:3"), routing_on("mesh:3x4"),
          routing_on("torus:4x3"),   routing_on("ring:5"),        routing_on("ring:6"),
          routing_on("torus:2x3x2")};
}

TEST(Join, ReachesEveryNodeInTheCycleOfTheFormulaForEveryRootAndGroup) {
  for (const Routing& routing : small_fabrics()) {
    for (const auto& [d, r, c] : {std::array{0, 0, 0}, std::array{1, 2, 1}, std::array{0, 1, 3}}) {
      GroupFormula formula{join, 0, 0, 7, 3, 2, d, r, c, 2 + 2 * d + r + c};
      EXPECT_EQ(first_wrong(routing, formula, 0), "") << routing.topology().name() << " d " << d;
      EXPECT_EQ(first_wrong(routing, formula, 0, true), "")
          << routing.topology().name() << " d " << d << ", worms";
    }
  }
}

TEST(Join, TakesTheSameTimeWithOneInternalPort) {
  for (const Routing& routing : small_fabrics()) {
    GroupFormula formula{join, 0, 0, 5, 0, 0, 0, 1, 1, 4};
    EXPECT_EQ(first_wrong(routing, formula, 1), "") << routing.topology().name();
  }
}

TEST(Join, KeepsTheRoundTripWhereBuffersAreSmall) {
  for (const Routing& routing : {routing_on("hypercube:3"), routing_on("mesh:3x3"),
                                 routing_on("torus:4x3"), routing_on("ring:5")}) {
    for (const auto& [d, r, c] : {std::array{0, 0, 0}, std::array{1, 0, 2}, std::array{0, 2, 1}}) {
      for (int depth = 1; depth < 2 + 2 * d + r + c; ++depth) {
        GroupFormula formula{join, 0, 0, 9, 0, 0, d, r, c, depth};
        EXPECT_EQ(first_wrong(routing, formula, 0), "")
            << routing.topology().name() << " d " << d << " r " << r << " c " << c << " B "
            << depth;
      }
    }
  }
}

// The starts of the nodes differ by their jitter.
TEST(Join, WaitsForTheLatestStart) {
  for (const Routing& routing : small_fabrics()) {
    EXPECT_EQ(
        forked([&]() -> std::string {
          const Topology& topology = routing.topology();
          Experiment experiment = experiment_of({join, 0, 0, 6, 0, 0, 1, 0, 2, 6});
          experiment.with_jitter(40);
          Simulation simulation(experiment, routing);
          for (std::size_t root = 0; root < topology.node_count(); ++root) {
            Cycle latest = 0;
            for (std::size_t v = 0; v < topology.node_count(); ++v) {
              SplitMix64 generator(node_seed(experiment.seed, 0, v));
              const Cycle start = draw_jitter(generator, 40);
              const bool has_inputs = join_inputs(routing, node_id(v), node_id(root), 0) != 0;
              latest = std::max(latest, start + routing.distance(node_id(v), node_id(root)) * 4 +
                                            (has_inputs ? 2 : 0));
            }
            const Results results = simulation.run({{group_collective(join, root, 0, routing)}});
            if (!results.is_complete()) return fault_of(results);
            if (results.latency.max != latest + 6) {
              return std::to_string(results.latency.max) + " instead of " +
                     std::to_string(latest + 6);
            }
          }
          return "";
        }),
        "")
        << routing.topology().name();
  }
}

// Every operation and type; the checker of deliveries compares each byte with what the
// contributions yield, in the order of the ports.
TEST(Join, YieldsTheBytesOfEveryOperation) {
  for (const char* fabric : {"hypercube:4", "torus:4x4", "mesh:3x5"}) {
    const Routing routing = routing_on(fabric);
    for (const JoinOperation operation : values_of<JoinOperation>()) {
      for (const LaneType type : values_of<LaneType>()) {
        const JoinTag what{3, operation, type};
        if (!lane_fault(what, 8, 64).empty()) continue;
        EXPECT_EQ(forked([&]() -> std::string {
                    Experiment experiment;
                    experiment.flit_bytes = 8;
                    experiment.length(9);
                    Simulation simulation(experiment, routing);
                    for (const MessageKind kind : {join, join_tree}) {
                      const auto planned = group_collective(kind, 5, 0, routing, what);
                      const Results results = simulation.run({{planned}});
                      if (!results.is_complete()) return fault_of(results);
                      if (results.deliveries.size() != planned.destinations.size()) return "lost";
                      for (const Delivery& one : results.deliveries) {
                        if (one.source != node_id(5)) return "delivered for another root";
                      }
                    }
                    return "";
                  }),
                  "")
            << fabric << " " << to_string(operation) << " " << to_string(type);
      }
    }
  }
}

// Two joins through one injection channel: the second one starts when the first has left.
TEST(Join, FollowsAnotherJoinOfTheSameNodes) {
  const Routing routing = routing_on("mesh:4x4");
  PlannedCollective both = group_collective(join, 0, 0, routing);
  for (Unicast line : group_collective(join, 15, 0, routing).schedule.unicasts) {
    line.step = 2;
    line.order = 1;
    both.schedule.unicasts.push_back(line);
  }
  both.schedule.sort();
  both.destinations = nodes({0, 15});
  EXPECT_EQ(forked([&] {
              Simulation simulation(Experiment().length(8), routing);
              const Results results = simulation.run({{both}});
              std::string text = fault_of(results);
              for (const DestinationLatency& one : results.by_destination) {
                text += std::to_string(index(one.node)) + " " + std::to_string(one.cycles) + "\n";
              }
              return text;
            }),
            "0 14\n15 28\n");
}

// The start is drawn from 0..20; none but a start in cycle 20 at node 3 ends so late.
TEST(Join, WaitsForANodeOfARingThatStartsInCycleTwenty) {
  const Routing routing = routing_on("ring:5");
  Experiment experiment = Experiment().length(4).with_skew(20);
  const auto start_of_node_3 = [&] { return draw_starts(5, 20, experiment.seed, 0).at(3); };
  while (start_of_node_3() != 20) ++experiment.seed;
  EXPECT_EQ(forked([&] {
              Simulation simulation(experiment, routing);
              const Results results = simulation.run({{group_collective(join, 0, 0, routing)}});
              return fault_of(results) + std::to_string(results.latency.max);
            }),
            "26");
}

// A node that never contributes leaves no circle, but a join that waits for its processor. The end
// is dated 2 + 2d + r + c = 9 cycles after the last movement, that of cycle 11.
TEST(Join, WaitsForAProcessorThatDoesNotSend) {
  const Routing routing = routing_on("hypercube:3");
  PlannedCollective planned = group_collective(join, 0, 0, routing);
  planned.schedule.unicasts.erase(planned.schedule.unicasts.begin() + 7);
  planned.sources.pop_back();
  EXPECT_THAT(forked([&] {
                const auto fabric = With().link_delay(1).replication_delay(3).combine_delay(2);
                Simulation simulation(Experiment().on(fabric), routing);
                const Results results = simulation.run({{planned}});
                if (!results.deadlock) return std::string("no deadlock");
                std::string text = std::to_string(results.deadlock->waits.size()) + " waits:";
                for (const WaitingFlit& flit : results.deadlock->flits) {
                  for (const WaitEdge& wait : flit.waits) {
                    if (wait.waits_for != "processor") continue;
                    text += " " + std::to_string(index(wait.channel.node)) + " for " +
                            printed(wait.held_by);
                  }
                }
                return text + " in cycle " + std::to_string(results.deadlock->cycle);
              }),
              testing::AllOf(testing::StartsWith("0 waits: 7 for 0>0#0"),
                             testing::EndsWith(" in cycle 20")));
}

}  // namespace
}  // namespace allport::test
