// SPDX-License-Identifier: Apache-2.0
// Unloaded latency equals the formulas of docs/timing.md to the cycle.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/forked.h"
#include "tests/testbench/simulation/all_pairs.h"

namespace allport::test {
namespace {

// The cycles from the first flit to the last of a message, over channels of round trip
// `round_trip`.
Cycle length_in_cycles(const SimulationConfig& config, Cycle round_trip) {
  const Cycle depth = config.fabric.buffer_depth;
  if (depth >= round_trip) return config.flits - 1;
  return (config.flits - 1) / depth * round_trip + (config.flits - 1) % depth;
}

Cycle formula(Cycle hops, const SimulationConfig& config) {
  const Cycle delay = config.fabric.link_delay;
  return config.ts + hops * (1 + delay) + 1 + length_in_cycles(config, 2 + 2 * delay) + config.tr;
}

void expect_formula(const char* topology, const SimulationConfig& config) {
  const Formula latency = [](const Unicast& message, const Routing& routing,
                             const SimulationConfig& one) {
    return formula(routing.distance(message.u, message.v), one);
  };
  EXPECT_EQ(first_wrong_pair(topology, config, latency), "") << topology << " " << describe(config);
}

void expect_formula_at_full_rate(const char* topology, int several_ports) {
  for (const int flits : {1, 2, 3, 17, 64}) expect_formula(topology, Experiment().length(flits));
  for (const Cycle ts : {0, 1, 100}) {
    for (const Cycle tr : {0, 1, 50}) expect_formula(topology, Experiment().times(ts, tr));
  }
  for (const int delay : {0, 1, 3}) {
    for (const int spare : {0, 1, 5}) {
      const int depth = 2 + 2 * delay + spare;
      expect_formula(topology, Experiment().on(With().link_delay(delay).depth(depth)).times(3, 2));
    }
  }
  for (const int ports : {1, several_ports})
    expect_formula(topology, Experiment().on(With().ports(ports)));
}

TEST(Latency, EqualsTheFormulaForAllPairsOfTheFiveCube) {
  expect_formula_at_full_rate("hypercube:5", 3);
}

TEST(Latency, EqualsTheFormulaForAllPairsOfTheFiveByFourTorus) {
  expect_formula_at_full_rate("torus:5x4", 3);
  expect_formula("torus:5x4", Experiment().on(With().vcs(4)));
}

TEST(Latency, EqualsTheFormulaOnMeshesAndRings) {
  for (const char* topology : {"mesh:4x3", "ring:7", "mesh:2x2x3", "torus:2x3x2", "hypercube:1"}) {
    expect_formula(topology, Experiment().times(5, 3));
  }
}

TEST(Latency, GrowsWithTheRoundTripWhereBuffersAreSmall) {
  for (const int delay : {0, 1, 2}) {
    for (int depth = 1; depth < 2 + 2 * delay; ++depth) {
      for (const int flits : {1, 2, 5, 16}) {
        const auto fabric = With().link_delay(delay).depth(depth);
        expect_formula("hypercube:4", Experiment().on(fabric).length(flits).times(4, 1));
        expect_formula("ring:5", Experiment().on(fabric).length(flits));
      }
    }
  }
}

TEST(Latency, IsHalfTheRateWithBuffersOfOneFlit) {
  for (const int flits : {1, 2, 7, 32}) {
    const Routing routing = routing_on("hypercube:5");
    const std::string found = forked([&] {
      Simulation simulation(Experiment().on(With().depth(1)).length(flits).times(10, 20), routing);
      return std::to_string(simulation.run({{single(0, 31, routing)}}).latency.max);
    });
    EXPECT_EQ(found, std::to_string(10 + 5 + 2 * flits - 1 + 20));
  }
}

// The table of docs/timing.md, section 2.
TEST(Latency, IsThatOfTheTable) {
  struct Row {
    int delay, depth;
    const char* latency;
  };
  for (const Row& row : {Row{0, 2, "19"}, Row{0, 9, "19"}, Row{0, 1, "34"}, Row{1, 4, "22"},
                         Row{1, 2, "36"}, Row{1, 1, "67"}}) {
    const Routing routing = routing_on("hypercube:3");
    EXPECT_EQ(forked([&] {
                Simulation simulation(
                    Experiment().on(With().link_delay(row.delay).depth(row.depth)), routing);
                return std::to_string(simulation.run({{single(0, 7, routing)}}).latency.max);
              }),
              row.latency);
  }
}

TEST(Latency, PutsHeadAndTailOnTheEjectionChannelInTheirCycles) {
  const Routing routing = routing_on("torus:5x4");
  const Experiment setup = Experiment().on(With().link_delay(1)).times(7, 9).length(4);
  Simulation simulation(setup, routing);

  const Results results = simulation.run({{single(0, 12, routing)}});  // (0, 0) to (2, 2)

  ASSERT_EQ(results.deliveries.size(), 1U);
  EXPECT_EQ(results.deliveries.front().head, 7 + 4 * 2 + 1);
  EXPECT_EQ(results.deliveries.front().tail, 7 + 4 * 2 + 4);
  EXPECT_EQ(results.cycles, 7 + 4 * 2 + 4 + 9);
}

// Copies of a deposit: the node at hop j has it after ts + j(1 + d) + L + tr.
std::string first_wrong_copy(const char* topology, const SimulationConfig& config) {
  return forked([&]() -> std::string {
    const Routing routing = routing_on(topology);
    const std::size_t nodes = routing.topology().node_count();
    Simulation simulation(config, routing);
    for (std::size_t pair = 0; pair < nodes * nodes; ++pair) {
      const std::size_t u = pair / nodes;
      const std::size_t v = pair % nodes;
      if (u == v) continue;
      const PlannedCollective deposit = single(u, v, routing, MessageKind::deposit);
      const Results results = simulation.run({{deposit}});
      if (!results.is_complete()) return fault_of(results);
      if (results.by_destination.size() != deposit.destinations.size()) return "copies are missing";
      for (const DestinationLatency& copy : results.by_destination) {
        if (copy.cycles == formula(routing.distance(node_id(u), copy.node), config)) continue;
        return describe(deposit.schedule.unicasts.front(), routing.topology()) + ": node " +
               std::to_string(index(copy.node)) + " had it in cycle " + std::to_string(copy.cycles);
      }
    }
    return "";
  });
}

TEST(Latency, OfADepositEqualsTheFormulaAtEveryNodeOnTheWay) {
  for (const char* topology : {"hypercube:4", "torus:5x4", "mesh:3x3"}) {
    EXPECT_EQ(first_wrong_copy(topology, Experiment().times(3, 2).length(5)), "") << topology;
    const auto delayed = With().link_delay(1).ports(1).replication_delay(3);
    EXPECT_EQ(first_wrong_copy(topology, Experiment().on(delayed).length(1)), "") << topology;
  }
}

}  // namespace
}  // namespace allport::test
