// SPDX-License-Identifier: Apache-2.0
// Simulated collectives of blocks: every node has what it must have, byte by byte (a run that ends
// otherwise is a broken invariant), in the time of the formulas of docs/timing.md.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "tests/testbench/simulation/block_plans.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

constexpr Times all_times[] = {{0, 0, 1}, {0, 0, 16}, {5, 3, 16}, {50, 0, 16}, {1, 100, 7}};

std::string repeated(Cycle latency, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += std::to_string(latency) + " ";
  return text;
}

TEST(BlockFormulas, OfRingsHoldForAllLengthsAndRoots) {
  for (int p = 3; p <= 9; ++p) {
    const Routing ring = routing_on("ring:" + std::to_string(p));
    for (const Times& times : all_times) {
      const Cycle hop = times.ts + 1 + times.flits + times.tr;
      const Cycle apart = std::max<Cycle>(times.ts, times.flits);
      for (const char* name : {"ring-scatter", "ring-gather", "ring-allgather"}) {
        std::vector<PlannedCollective> plans;
        for (int root = 0; root < p; ++root) {
          plans.push_back(of_blocks(name, ring, static_cast<std::size_t>(root)));
        }
        EXPECT_EQ(latencies(plans, ring, times), repeated((p - 1) * hop, plans.size()))
            << name << " p " << p << " L " << times.flits;
      }
      EXPECT_EQ(latencies({of_blocks("ring-alltoall", ring, 0)}, ring, times),
                repeated(hop * (1 + (p - 1) * (p - 2) / 2) + (p - 2) * apart, 1))
          << "p " << p << " L " << times.flits << " ts " << times.ts;
    }
  }
}

TEST(BlockFormulas, OfHypercubesHoldForAllPortsAndOrders) {
  for (int n = 1; n <= 5; ++n) {
    const Routing cube = n % 2 == 0 ? routing_on("hypercube:" + std::to_string(n))
                                    : ascending_on("hypercube:" + std::to_string(n));
    const Cycle nodes = Cycle{1} << n;
    for (const Times& times : all_times) {
      const Cycle fixed = times.ts + 1 + times.tr;
      const Cycle hop = fixed + times.flits;
      const std::vector<std::pair<const char*, Cycle>> expected{
          {"exchange-scatter", n * fixed + (nodes - 1) * times.flits},
          {"exchange-gather", n * fixed + (nodes - 1) * times.flits},
          {"exchange-allgather", n * fixed + (nodes - 1) * times.flits},
          {"exchange-alltoall", n * (fixed + nodes / 2 * times.flits)},
          {"exchange-allreduce", n * hop},
          {"exchange-barrier", n * (fixed + 1)},
          {"sbt-reduce", n * hop},
          {"sbt-allreduce", 2 * n * hop},
          {"sbt-barrier", 2 * n * (fixed + 1)}};
      for (int ports = 1; ports <= n; ++ports) {
        std::vector<PlannedCollective> plans;
        std::string text;
        for (const auto& [name, latency] : expected) {
          plans.push_back(of_blocks(name, cube, static_cast<std::size_t>(nodes / 2), ports));
          text += std::to_string(latency) + " ";
        }
        EXPECT_EQ(latencies(plans, cube, times, ports), text)
            << "n " << n << " k " << ports << " L " << times.flits << " ts " << times.ts;
      }
    }
  }
}

TEST(BlockRuns, ADroppedSendLeavesABlockMissing) {
  const Routing ring = routing_on("ring:6");
  PlannedCollective plan = of_blocks("ring-gather", ring, 0);
  plan.schedule.unicasts.pop_back();
  Simulation simulation(Experiment(), ring);

  const Results results = simulation.run({{plan}});

  EXPECT_EQ(results.broken_invariant, "node 0: block 1 of the gather is missing at the end");
}

TEST(BlockRuns, AnAddendThatOverwritesIsNotTheSum) {
  const Routing cube = routing_on("hypercube:3");
  PlannedCollective plan = of_blocks("sbt-reduce", cube, 0);
  plan.schedule.unicasts.back().adds = false;
  Simulation simulation(Experiment(), cube);

  const Results results = simulation.run({{plan}});

  EXPECT_THAT(results.broken_invariant, HasSubstr("is not the sum of all contributions"));
}

// p - 1 hops for the first piece, and one piece more in each longest of ts and L/r.
TEST(BlockRuns, APipelineOnARingTakesItsFormula) {
  for (const int pieces : {1, 2, 4, 8}) {
    const Routing ring = routing_on("ring:9");
    const Multicast goal = broadcast(ring.topology(), node_id(2));
    Schedule chain;
    for (std::size_t i = 0; i < 8; ++i) {
      Unicast unicast;
      unicast.u = node_id((2 + i) % 9);
      unicast.v = node_id((3 + i) % 9);
      unicast.step = static_cast<StepIndex>(i + 1);
      chain.unicasts.push_back(unicast);
    }
    PlannedCollective plan{{goal.source}, goal.destinations, in_pieces(chain, pieces, ring, 2)};
    plan.goal = std::make_shared<Collective>(9, goal, static_cast<std::size_t>(pieces));
    for (const Times& times : {Times{10, 5, 64}, Times{0, 0, 8}, Times{100, 0, 64}}) {
      const Cycle piece = times.flits / pieces;
      const Cycle hop = times.ts + 1 + piece + times.tr;
      EXPECT_EQ(latencies({plan}, ring, times),
                repeated(8 * hop + (pieces - 1) * std::max(times.ts, piece), 1))
          << pieces;
    }
  }
}

TEST(BlockRuns, ABarrierOfMessagesStartsTheNextCollectiveWhenItsSourceIsReleased) {
  const Routing cube = routing_on("hypercube:4");
  const Times times{7, 3, 16};
  PlannedCollective barrier = of_blocks("sbt-barrier", cube, 0);
  barrier.destinations.clear();
  barrier.is_barrier = true;
  Experiment experiment;
  experiment.times(times.ts, times.tr).length(times.flits).barrier_messages = true;
  Simulation simulation(experiment, cube);

  // Both collectives start at node 0: everything is over, in the cycle of its last reception, when
  // the barrier has been passed upwards; what goes down again comes after the start of the second
  // broadcast.
  const Results results =
      simulation.run({{collective("sbt", cube, broadcast_from(0, cube)),
                       collective("sbt", cube, broadcast_from(0, cube)), barrier}});

  EXPECT_EQ(fault_of(results), "");
  EXPECT_EQ(results.messages, 15U + 15U + 30U);
  EXPECT_EQ(results.steps, 4);
  EXPECT_GE(results.cycles, 2 * 4 * (7 + 1 + 16 + 3) + 4 * (7 + 1 + 1 + 3));
}

TEST(BlockRuns, ABarrierOfMessagesCostsTwiceTheDimension) {
  for (int n = 1; n <= 10; ++n) {
    const Routing cube = routing_on("hypercube:" + std::to_string(n));
    EXPECT_EQ(latencies({of_blocks("sbt-barrier", cube, 0)}, cube, {20, 10, 16}),
              repeated(2 * n * (20 + 1 + 1 + 10), 1));
  }
}

}  // namespace
}  // namespace allport::test
