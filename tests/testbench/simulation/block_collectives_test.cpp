// SPDX-License-Identifier: Apache-2.0
// Simulated collectives of blocks give every node what it must have, byte by byte (a run that ends
// otherwise is a broken invariant), in the time of the formulas of docs/timing.md.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "tests/testbench/simulation/block_plans.h"
#include "tests/testbench/simulation/times.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

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
      for (const char* name :
           {"ring-scatter", "ring-gather", "ring-allgather", "ring-reduce-scatter"}) {
        std::vector<PlannedCollective> plans;
        for (int root = 0; root < p; ++root) {
          plans.push_back(of_blocks(name, ring, static_cast<std::size_t>(root)));
        }
        EXPECT_EQ(latencies(plans, ring, times), repeated((p - 1) * hop, plans.size()))
            << name << " p " << p << " L " << times.flits;
      }
      // A vector of p such blocks.
      EXPECT_EQ(latencies({of_blocks("ring-allreduce", ring, 0)}, ring,
                          {times.ts, times.tr, p * times.flits}),
                repeated(2 * (p - 1) * hop, 1))
          << "p " << p << " L " << times.flits;
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
          {"exchange-reduce-scatter", n * fixed + (nodes - 1) * times.flits},
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
        const Times of_vector{times.ts, times.tr, static_cast<int>(nodes) * times.flits};
        EXPECT_EQ(latencies({of_blocks("rabenseifner", cube, 0, ports),
                             of_blocks("rabenseifner-near", cube, 0, ports)},
                            cube, of_vector, ports),
                  repeated(2 * (n * fixed + (nodes - 1) * times.flits), 2))
            << "n " << n << " k " << ports << " l " << times.flits << " ts " << times.ts;
      }
    }
  }
}

TEST(BlockFormulas, OfEdgeDisjointTreesHoldForAllTimesAndRounds) {
  for (int n = 2; n <= 6; ++n) {
    const Routing cube = n % 2 == 0 ? routing_on("hypercube:" + std::to_string(n))
                                    : ascending_on("hypercube:" + std::to_string(n));
    const Multicast goal = broadcast_from(3, cube);
    for (const Times& times : all_times) {
      const int rounds = times.ts == 0 ? 3 : 1;
      const Cycle hop = times.ts + 1 + times.flits + times.tr;
      EXPECT_EQ(latencies({of_pieces("esbt", cube, goal, n * rounds)}, cube,
                          {times.ts, times.tr, n * rounds * times.flits}),
                repeated((n + 1) * hop + (n - 1) * times.ts + (rounds - 1) * times.flits, 1))
          << "n " << n << " l " << times.flits << " ts " << times.ts;
    }
  }
}

TEST(BlockFormulas, OfXorHoldWhereAMessageHasPassedBeforeTheNextOneStarts) {
  for (int n = 1; n <= 5; ++n) {
    const Routing cube = n % 2 == 0 ? routing_on("hypercube:" + std::to_string(n))
                                    : ascending_on("hypercube:" + std::to_string(n));
    for (const int flits : {1, 16}) {
      const Cycle ts = flits + n - 1;
      EXPECT_EQ(latencies({of_blocks("xor-alltoall", cube, 0)}, cube, {ts, 7, flits}),
                repeated(((Cycle{1} << n) - 1) * ts + n + flits + 7, 1))
          << "n " << n << " L " << flits;
    }
  }
}

// What the formulas of docs/collectives.md say of the collectives through the dimensions of a
// torus.
class DimensionFormulas {
 public:
  DimensionFormulas(const Topology& torus, const Times& times) : torus_(torus), times_(times) {}

  Cycle hop(Cycle flits) const { return times_.ts + 1 + flits + times_.tr; }
  // The product of the sides below a dimension, or above it.
  Cycle below(std::size_t dimension) const { return product(0, dimension); }
  Cycle above(std::size_t dimension) const {
    return product(dimension + 1, torus_.dimension_count());
  }

  template <class InDimension>
  Cycle sum(const InDimension& in_dimension) const {
    Cycle sum = 0;
    for (std::size_t i = 0; i < torus_.dimension_count(); ++i) {
      const Cycle side = torus_.sides()[i];
      sum += in_dimension(i, side / 2, side % 2 == 1);
    }
    return sum;
  }
  Cycle bcast() const {
    return sum([&](std::size_t, Cycle reach, bool is_odd) {
      return reach * hop(times_.flits) + (is_odd ? times_.ts : 0);
    });
  }
  Cycle reduce() const {
    return sum([&](std::size_t, Cycle reach, bool) { return reach * hop(times_.flits); });
  }
  Cycle allgather() const {
    return sum([&](std::size_t i, Cycle reach, bool is_odd) {
      const Cycle one = hop(times_.flits * below(i));
      return (reach - 1) * std::max(one, 2 * times_.ts) + one + (is_odd ? times_.ts : 0);
    });
  }
  // Of ts = 0:
  Cycle scatter() const {
    return sum(
        [&](std::size_t i, Cycle reach, bool) { return reach * hop(times_.flits * above(i)); });
  }
  Cycle reduce_scatter() const {
    return sum(
        [&](std::size_t i, Cycle reach, bool) { return reach * hop(times_.flits * below(i)); });
  }
  Cycle alltoall() const {
    const auto nodes = static_cast<Cycle>(torus_.node_count());
    return sum([&](std::size_t i, Cycle reach, bool) {
      const Cycle slab = nodes / torus_.sides()[i] * times_.flits;
      return reach * hop(0) + slab * reach * (reach + 1) / 2;
    });
  }

 private:
  Cycle product(std::size_t first, std::size_t end) const {
    Cycle product = 1;
    for (std::size_t i = first; i < end; ++i) product *= torus_.sides()[i];
    return product;
  }

  const Topology& torus_;
  const Times times_;
};

TEST(BlockFormulas, OfToriHoldForAllSides) {
  const Times some_times[] = {{0, 0, 1}, {0, 0, 5}, {0, 7, 16}, {200, 3, 4}, {150, 0, 1}};
  for (const char* name : {"torus:2x2", "torus:3x3", "torus:4x4", "torus:5x4", "torus:2x5",
                           "torus:7", "torus:8", "torus:3x2x4", "torus:4x3x3"}) {
    const Routing torus = routing_on(name);
    for (const Times& times : some_times) {
      const DimensionFormulas formulas(torus.topology(), times);
      std::vector<std::pair<const char*, Cycle>> expected{{"dims-reduce", formulas.reduce()},
                                                          {"dims-allgather", formulas.allgather()}};
      if (times.ts == 0) {
        expected.insert(expected.end(), {{"dims-scatter", formulas.scatter()},
                                         {"dims-gather", formulas.scatter()},
                                         {"dims-alltoall", formulas.alltoall()},
                                         {"dims-reduce-scatter", formulas.reduce_scatter()}});
      }
      std::vector<PlannedCollective> plans{
          collective("dims-bcast", torus, broadcast_from(1, torus))};
      std::string text = std::to_string(formulas.bcast()) + " ";
      for (const auto& [algorithm, latency] : expected) {
        plans.push_back(of_blocks(algorithm, torus, 1));
        text += std::to_string(latency) + " ";
      }
      EXPECT_EQ(latencies(plans, torus, times), text)
          << name << " L " << times.flits << " ts " << times.ts;
      const DimensionFormulas of_signals(torus.topology(), {times.ts, times.tr, 1});
      EXPECT_EQ(latencies({of_blocks("dims-barrier", torus, 1)}, torus, times),
                repeated(of_signals.reduce() + of_signals.bcast(), 1))
          << name << " ts " << times.ts;
      if (times.ts > 0) continue;
      const int vector = static_cast<int>(torus.topology().node_count()) * times.flits;
      EXPECT_EQ(latencies({of_blocks("dims-allreduce", torus, 1)}, torus, {0, times.tr, vector}),
                repeated(2 * formulas.reduce_scatter(), 1))
          << name << " l " << times.flits;
    }
  }
}

// k streams at once, each a message of x_s flits in step s: docs/timing.md, "Streams".
Cycle streams(Cycle k, const std::vector<Cycle>& lengths, const Times& times) {
  const auto hop = [&](Cycle flits) { return times.ts + 1 + flits + times.tr; };
  Cycle cycles = (k - 1) * times.ts + hop(lengths.back());
  for (std::size_t s = 0; s + 1 < lengths.size(); ++s) {
    cycles += std::max(hop(lengths[s]), k * times.ts);
  }
  return cycles;
}

std::vector<Cycle> joined(std::vector<Cycle> first, const std::vector<Cycle>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<Cycle> reversed(std::vector<Cycle> lengths) {
  std::reverse(lengths.begin(), lengths.end());
  return lengths;
}

// Streams are exact where ts is 0 or no message is longer than ts.
TEST(BlockFormulas, OfStreamsHoldForTheAlgorithmsInParts) {
  struct Case {
    const char* shape;
    const char* kin;  // the algorithms' first word
    Cycle streams;
    std::vector<Cycle> lengths;  // of the all-gather, in flits of one part
  };
  const std::vector<Case> cases{
      {"hypercube:2", "rotated", 2, {1, 2}},
      {"hypercube:3", "rotated", 3, {1, 2, 4}},
      {"hypercube:5", "rotated", 5, {1, 2, 4, 8, 16}},
      {"ring:5", "bucket", 2, {1, 1, 1, 1}},
      {"torus:4x4", "bucket", 4, {1, 1, 1, 4, 4, 4}},
      {"torus:3x3x3", "bucket", 6, {1, 1, 3, 3, 9, 9}},
      {"ring:4", "swing", 2, {1, 2}},
      {"torus:4x4", "swing", 4, {1, 2, 4, 8}},
      {"torus:2x2", "swing", 4, {1, 2}},
  };
  for (const Case& one : cases) {
    const Routing routing = routing_on(one.shape);
    const auto nodes = static_cast<int>(routing.topology().node_count());
    for (const Times& times : {Times{0, 0, 1}, Times{0, 5, 3}, Times{50, 7, 1}, Times{100, 0, 2}}) {
      std::vector<Cycle> lengths = one.lengths;
      for (Cycle& length : lengths) length *= times.flits;
      const int block = static_cast<int>(one.streams) * times.flits;  // l flits in each part
      const Times of_block{times.ts, times.tr, block};
      const std::string kin = one.kin;
      EXPECT_EQ(latencies({of_blocks(kin + "-allgather", routing, 0)}, routing, of_block),
                repeated(streams(one.streams, lengths, times), 1))
          << one.shape << " " << kin << " ts " << times.ts;
      EXPECT_EQ(latencies({of_blocks(kin + "-reduce-scatter", routing, 0)}, routing, of_block),
                repeated(streams(one.streams, reversed(lengths), times), 1))
          << one.shape << " " << kin << " ts " << times.ts;
      EXPECT_EQ(latencies({of_blocks(kin + "-allreduce", routing, 0)}, routing,
                          {times.ts, times.tr, block * nodes}),
                repeated(streams(one.streams, joined(reversed(lengths), lengths), times), 1))
          << one.shape << " " << kin << " ts " << times.ts;
    }
  }
  const Routing cube = routing_on("hypercube:4");
  EXPECT_EQ(latencies({of_blocks("rotated-alltoall", cube, 0)}, cube, {0, 3, 8}),
            repeated(streams(4, {16, 16, 16, 16}, {0, 3, 2}), 1));
  const Routing ring = routing_on("ring:6");
  EXPECT_EQ(latencies({of_blocks("ring-allreduce", ring, 0, 0, limits::flits.high, 2)}, ring,
                      {20, 3, 6 * 2 * 9}),
            repeated(streams(2, std::vector<Cycle>(10, 9), {20, 3, 9}), 1));
}

// Blocks of a vector that cannot be cut evenly, and of one with fewer flits than blocks: the first
// ones are a flit longer, and the last ones are not sent.
TEST(BlockFormulas, OfAVectorCountTheFlitsOfItsLongestBlocks) {
  const Routing ring = routing_on("ring:5");
  for (const int flits : {1, 3, 5, 6, 9, 11}) {
    const Cycle longest = (flits + 4) / 5;
    EXPECT_EQ(latencies({of_blocks("ring-allreduce", ring, 0, 0, flits)}, ring, {20, 3, flits}),
              repeated(2 * 4 * (20 + 1 + longest + 3), 1))
        << flits;
  }
}

// From a corner, where all messages go one way.
TEST(BlockFormulas, OfMeshesHoldFromACorner) {
  for (const char* name : {"mesh:2x2", "mesh:4x3", "mesh:6", "mesh:3x2x4"}) {
    const Routing mesh = routing_on(name);
    const std::vector<int>& sides = mesh.topology().sides();
    for (const Times& times : {Times{0, 0, 1}, Times{0, 4, 7}}) {
      const DimensionFormulas formulas(mesh.topology(), times);
      Cycle tree = 0;
      Cycle gathered = 0;
      Cycle scattered = 0;
      for (std::size_t i = 0; i < sides.size(); ++i) {
        tree += (sides[i] - 1) * formulas.hop(times.flits);
        gathered += (sides[i] - 1) * formulas.hop(times.flits * formulas.below(i));
        scattered += (sides[i] - 1) * formulas.hop(times.flits * formulas.above(i));
      }
      const std::string text = std::to_string(tree) + " " + std::to_string(tree) + " " +
                               std::to_string(gathered) + " " + std::to_string(gathered) + " " +
                               std::to_string(scattered) + " " + std::to_string(scattered) + " ";
      EXPECT_EQ(latencies({collective("dims-bcast", mesh, broadcast_from(0, mesh)),
                           of_blocks("dims-reduce", mesh, 0), of_blocks("dims-allgather", mesh, 0),
                           of_blocks("dims-reduce-scatter", mesh, 0),
                           of_blocks("dims-scatter", mesh, 0), of_blocks("dims-gather", mesh, 0)},
                          mesh, times),
                text)
          << name << " L " << times.flits;
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

// Only the sum of the block whose message is lost is wrong.
TEST(BlockRuns, ALostContributionIsAWrongSumOfItsBlock) {
  const Routing ring = routing_on("ring:6");
  PlannedCollective plan = of_blocks("ring-reduce-scatter", ring, 0);
  plan.schedule.unicasts.back().adds = false;  // 5 -> 0, block 0
  Simulation simulation(Experiment(), ring);

  const Results results = simulation.run({{plan}});

  EXPECT_EQ(results.broken_invariant,
            "node 0: block 0 of the reduce_scatter is not the sum of all contributions");
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
