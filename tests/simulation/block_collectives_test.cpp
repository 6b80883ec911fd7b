// SPDX-License-Identifier: Apache-2.0
// Collectives of blocks, simulated: everybody has what it must have, byte by byte (a run that ends
// otherwise is a broken invariant), in the time of the formulas of docs/timing.md, on flits and on
// worms alike. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "testbench/programs.h"
#include "tests/simulation/experiment.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/support/random_cases.h"
#include "traffic/block_timing.h"
#include "traffic/embedding.h"
#include "traffic/pieces.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

struct Times {
  Cycle ts, tr;
  int flits;
};

constexpr Times all_times[] = {{0, 0, 1}, {0, 0, 16}, {5, 3, 16}, {50, 0, 16}, {1, 100, 7}};

PlannedCollective of_blocks(std::string_view name, const Routing& routing, std::size_t root,
                            int ports = 0) {
  PlannedCollective plan = collective(name, routing, broadcast_from(root, routing), ports);
  plan.goal = std::make_shared<Collective>(
      collective_of(find_algorithm(name), routing.topology(), broadcast_from(root, routing)));
  plan.destinations = plan.goal->receivers();
  return plan;
}

PlannedCollective of_pieces(std::string_view name, const Routing& routing, const Multicast& goal,
                            int pieces, int ports = 0) {
  PlannedCollective plan = collective(name, routing, goal, ports);
  plan.schedule =
      in_pieces(plan.schedule, pieces, routing, ports == 0 ? all_ports(routing) : ports);
  plan.goal = std::make_shared<Collective>(routing.topology().node_count(), goal,
                                           static_cast<std::size_t>(pieces));
  return plan;
}

std::string in_words(const Results& results) {
  return fault_of(results) + contention_of(results) + std::to_string(results.latency.max);
}

// The latencies of all of `plans`, each with `times`, on one fabric.
std::string latencies(const std::vector<PlannedCollective>& plans, const Routing& routing,
                      const Times& times, int ports = 0) {
  return forked([&] {
    FabricConfig fabric;
    fabric.internal_ports = ports;
    Simulation simulation(Experiment().on(fabric).times(times.ts, times.tr).length(times.flits),
                          routing);
    std::string text;
    for (const PlannedCollective& plan : plans) text += in_words(simulation.run({{plan}})) + " ";
    return text;
  });
}

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

// What random runs are made of.
struct Case {
  Routing routing;
  SimulationConfig config;
  std::vector<PlannedCollective> collectives;
  std::string words;
};

PlannedCollective random_plan(Draw& draw, const Routing& routing, int ports, int flits,
                              std::string& words) {
  const Topology& topology = routing.topology();
  const auto root = static_cast<std::size_t>(draw.below(static_cast<int>(topology.node_count())));
  std::vector<const Algorithm*> list;
  for (const Algorithm& algorithm : algorithms()) {
    const bool is_usable = algorithm.worm == MessageKind::unicast && !algorithm.one_destination;
    if (is_usable && algorithm.is_for(topology)) list.push_back(&algorithm);
  }
  const Algorithm& algorithm = *draw.one_of(list);
  words += " " + std::string(algorithm.name) + " from " + std::to_string(root);
  if (algorithm.operation != Operation::bcast) {
    return of_blocks(algorithm.name, routing, root, ports);
  }
  const int pieces = 1 + draw.below(std::min(flits, 6));
  words += " pieces " + std::to_string(pieces);
  return of_pieces(algorithm.name, routing, broadcast_from(root, routing), pieces, ports);
}

Case random_case(std::uint64_t seed) {
  Draw draw(seed);
  const Routing routing =
      draw.below(2) == 0
          ? routing_on(draw.one_of<const char*>({"hypercube:1", "hypercube:3", "hypercube:4",
                                                 "ring:5", "ring:8", "torus:4x4", "mesh:3x4"}))
          : ascending_on(draw.one_of<const char*>({"hypercube:2", "hypercube:3", "hypercube:4"}));
  FabricConfig fabric;
  fabric.internal_ports = 1 + draw.below(all_ports(routing));
  fabric.buffer_depth_flits = 1 + draw.below(5);
  fabric.link_delay_cycles = draw.below(3);
  Experiment experiment;
  experiment.on(fabric).times(draw.below(30), draw.below(20)).length(1 + draw.below(20));
  experiment.with_jitter(draw.below(2) * draw.below(100)).with_seed(seed);
  std::string words =
      "seed " + std::to_string(seed) + " " + routing.topology().name() + " " + describe(experiment);
  std::vector<PlannedCollective> collectives;
  const int count = 1 + draw.below(3);
  for (int i = 0; i < count; ++i) {
    collectives.push_back(
        random_plan(draw, routing, fabric.internal_ports, experiment.flits, words));
  }
  const int barrier = count > 1 ? draw.below(3) : 0;
  if (barrier == 1) experiment.with_barrier(draw.below(40));
  if (barrier == 2 && routing.topology().is_hypercube()) {
    experiment.barrier_messages = true;
    PlannedCollective between = of_blocks("sbt-barrier", routing, 0, fabric.internal_ports);
    between.destinations.clear();
    between.is_barrier = true;
    collectives.insert(collectives.end(), static_cast<std::size_t>(count) - 1, between);
    words += " barriers of messages";
  }
  return {routing, experiment, std::move(collectives), words};
}

// Several sources at once, whose programs meet at every node: short preparations let messages come
// in the very cycle in which a processor is free for its next one.
Case case_of_many_sources(std::uint64_t seed) {
  Draw draw(seed);
  const Routing routing = routing_on(draw.one_of<const char*>(
      {"hypercube:2", "hypercube:3", "hypercube:4", "ring:3", "ring:5", "torus:4x4", "mesh:3x4"}));
  FabricConfig fabric;
  fabric.internal_ports = 1 + draw.below(all_ports(routing));
  fabric.buffer_depth_flits = 1 + draw.below(5);
  fabric.link_delay_cycles = draw.below(2);
  Experiment experiment;
  experiment.on(fabric).times(draw.below(8), draw.below(2) * draw.below(6));
  experiment.length(1 + draw.below(12)).with_jitter(draw.below(2) * draw.below(10)).with_seed(seed);
  std::string words =
      "seed " + std::to_string(seed) + " " + routing.topology().name() + " " + describe(experiment);
  std::vector<PlannedCollective> collectives;
  for (int left = 2 + draw.below(3); left > 0; --left) {
    collectives.push_back(
        random_plan(draw, routing, fabric.internal_ports, experiment.flits, words));
  }
  return {routing, experiment, std::move(collectives), words};
}

std::string outcome(const Case& one, bool moves_worms) {
  return forked([&] {
    SimulationConfig config = one.config;
    config.moves_worms = moves_worms;
    Simulation simulation(config, one.routing);
    const Results results = simulation.run({one.collectives});
    return fault_of(results) + results.digest + " " + std::to_string(results.latency.max) + " " +
           std::to_string(results.latency.mean) + " missing " + std::to_string(results.missing) +
           " messages " + std::to_string(results.messages) + "\n" + contention_of(results);
  });
}

std::size_t planned_messages(const Case& one) {
  std::size_t count = 0;
  for (const PlannedCollective& plan : one.collectives) count += plan.schedule.unicasts.size();
  return count;
}

TEST(BlockProperty, NothingIsLostAndWormsAreWhereFlitsAre) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const Case one = random_case(seed);
    for (const PlannedCollective& plan : one.collectives) {
      const ScheduleReport report =
          check_schedule(plan.schedule, {one.routing, one.config.fabric.internal_ports,
                                         plan.sources, plan.destinations, plan.goal.get()});
      ASSERT_TRUE(report.collective.ok()) << one.words;
    }
    const std::string flits = outcome(one, false);
    ASSERT_THAT(flits, HasSubstr("missing 0 messages " + std::to_string(planned_messages(one))))
        << one.words;
    ASSERT_EQ(flits, outcome(one, true)) << one.words;
  }
}

TEST(BlockProperty, SeveralSourcesAtOnceAreOnWormsWhereTheyAreOnFlits) {
  const RandomCases cases(300);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const Case one = case_of_many_sources(seed);
    const std::string flits = outcome(one, false);
    ASSERT_THAT(flits, HasSubstr("missing 0 messages " + std::to_string(planned_messages(one))))
        << one.words;
    ASSERT_EQ(flits, outcome(one, true)) << one.words;
  }
}

int longest_message(const Case& one) {
  int longest = 1;
  for (const PlannedCollective& plan : one.collectives) {
    const BlockLengths lengths(*plan.goal, one.config.flits, one.config.flit_bytes,
                               one.config.bytes);
    for (const Unicast& unicast : plan.schedule.unicasts) {
      longest = std::max(longest, lengths.flits_of(unicast));
    }
  }
  return longest;
}

TEST(BlockProperty, NothingIsLostWhereBuffersJustHoldTheLongestMessage) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Case one = random_case(seed);
    FabricConfig& fabric = one.config.fabric;
    fabric.switching = seed % 2 == 0 ? Switching::cut_through : Switching::store_and_forward;
    fabric.buffer_depth_flits = longest_message(one);
    ASSERT_THAT(outcome(one, false),
                HasSubstr("missing 0 messages " + std::to_string(planned_messages(one))))
        << one.words;
    if (--fabric.buffer_depth_flits == 0) continue;
    EXPECT_THAT(complaint_of([&] { require_room(one.collectives, one.config); }),
                HasSubstr("a buffer of " + std::to_string(fabric.buffer_depth_flits) +
                          " flits cannot hold a message of " +
                          std::to_string(fabric.buffer_depth_flits + 1)))
        << one.words;
  }
}

// The recursion of docs/timing.md, wherever a collective alone shows no contention.
TEST(BlockProperty, TheTimingModelIsTheSimulationWithoutContention) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Case one = random_case(seed);
    // Room for two messages and the credits on their way: one can follow the other at full rate.
    one.config.fabric.switching = seed % 2 == 0 ? Switching::wormhole : Switching::cut_through;
    one.config.fabric.buffer_depth_flits = 2 * longest_message(one) + 8;
    one.config.jitter = 0;
    one.config.barrier.reset();
    one.config.barrier_messages = false;
    const PlannedCollective plan = one.collectives.front();
    const BlockLengths lengths(*plan.goal, one.config.flits, one.config.flit_bytes,
                               one.config.bytes);
    const std::vector<Cycle> theory = predicted_block_latency(
        plan.schedule, one.routing, *plan.goal, lengths, one.config.fabric.internal_ports,
        {one.config.ts, one.config.tr, one.config.flits,
         static_cast<Cycle>(one.config.fabric.link_delay_cycles), 0, one.config.fabric.switching});
    const std::string simulated = forked([&] {
      Simulation simulation(one.config, one.routing);
      const Results results = simulation.run({{plan}});
      if (!contention_of(results).empty()) return std::string("contention");
      return fault_of(results) + std::to_string(results.latency.max);
    });
    if (simulated == "contention") continue;
    ASSERT_EQ(simulated, std::to_string(*std::max_element(theory.begin(), theory.end())))
        << one.words;
  }
}

TEST(BlockRuns, ADroppedSendLeavesABlockMissing) {
  const Routing ring = routing_on("ring:6");
  PlannedCollective plan = of_blocks("ring-gather", ring, 0);
  plan.schedule.unicasts.pop_back();
  Simulation simulation(Experiment(), ring);

  const Results results = simulation.run({{plan}});

  EXPECT_EQ(results.broken_invariant, "node 0: block 1 of the gather is missing in the end");
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

// The simulated latency in `pieces` pieces; -1: something went wrong.
Cycle in_so_many(const char* algorithm, const Routing& routing, const Times& times, int pieces) {
  const Multicast goal = broadcast_from(0, routing);
  const std::string text = latencies({of_pieces(algorithm, routing, goal, pieces)}, routing, times);
  const bool is_number = text.find_first_not_of("0123456789 ") == std::string::npos;
  return is_number ? std::stoll(text) : -1;
}

int best_of(const char* algorithm, const Routing& routing, const Times& times) {
  const int ports = all_ports(routing);
  const Schedule whole = collective(algorithm, routing, broadcast_from(0, routing), ports).schedule;
  return best_pieces(whole, routing, ports, {times.ts, times.tr, times.flits});
}

TEST(BestPieces, OnARingAreTheSimulationsBestOfAll) {
  const Routing ring = routing_on("ring:8");
  for (const Times& times : {Times{0, 0, 64}, Times{20, 20, 64}, Times{5, 0, 50}}) {
    const Cycle best = in_so_many("ring", ring, times, best_of("ring", ring, times));
    Cycle least = best;
    for (int pieces = 1; pieces <= times.flits; ++pieces) {
      const Cycle latency = in_so_many("ring", ring, times, pieces);
      ASSERT_GT(latency, 0) << pieces;
      least = std::min(least, latency);
    }
    EXPECT_EQ(best, least) << "ts " << times.ts << " L " << times.flits;
  }
}

// Trees whose pieces meet no others on the way: theory and simulation are one.
TEST(BestPieces, OnTreesAreTheSimulationsBestAndNoWorseThanOne) {
  constexpr std::pair<const char*, const char*> trees[] = {
      {"hypercube:4", "sbt"},   {"hypercube:4", "wsort"},       {"hypercube:4", "hk"},
      {"hypercube:3", "ucube"}, {"hypercube:4", "binary-tree"}, {"torus:4x4", "dcf"}};
  for (const auto& [shape, algorithm] : trees) {
    const Routing routing = routing_on(shape);
    for (const Times& times : {Times{0, 0, 40}, Times{20, 5, 100}}) {
      const Cycle best = in_so_many(algorithm, routing, times, best_of(algorithm, routing, times));
      for (const int pieces : {1, 2, 3, 4, 5, 7, 9, 12, 20, 40}) {
        const Cycle latency = in_so_many(algorithm, routing, times, pieces);
        ASSERT_GT(latency, 0) << shape << " " << algorithm << " r " << pieces;
        EXPECT_LE(best, latency) << shape << " " << algorithm << " r " << pieces;
      }
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

  // Both from node 0: all is over, in the cycle of its last reception, when the barrier has been
  // passed upwards; what goes down again is behind the second broadcast's start.
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
