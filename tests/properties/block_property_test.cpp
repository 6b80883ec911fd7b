// SPDX-License-Identifier: Apache-2.0
// Random collectives of blocks lose nothing, on flits and on worms alike, and take the time that
// theory predicts. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "rtl_model/base/words.h"
#include "testbench/plan/requirements.h"
#include "testbench/simulation/program_table.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/testbench/simulation/block_plans.h"
#include "traffic/theory/block_timing.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

// The parts of a random run.
struct Case {
  Routing routing;
  SimulationConfig config;
  std::vector<PlannedCollective> collectives;
  std::string words;
};

// A number of parts that the algorithm takes; 0: its own.
int random_parts(Draw& draw, const Algorithm& algorithm, const Topology& topology) {
  if (algorithm.own_parts != nullptr) {
    const PartCounts own = algorithm.own_parts(topology);
    return own.least + draw.below(own.most - own.least + 1);
  }
  return algorithm.operation == Operation::barrier ? 0 : draw.below(2) * draw.below(4);
}

PlannedCollective random_plan(Draw& draw, const Routing& routing, int ports, int flits,
                              std::string& words) {
  const Topology& topology = routing.topology();
  const auto root = static_cast<std::size_t>(draw.below(static_cast<int>(topology.node_count())));
  std::vector<const Algorithm*> list;
  for (const Algorithm& algorithm : algorithms()) {
    const bool is_usable =
        algorithm.kind == MessageKind::unicast && algorithm.destinations != Destinations::one;
    if (is_usable && algorithm.is_for(topology)) list.push_back(&algorithm);
  }
  const Algorithm& algorithm = *draw.one_of(list);
  words += " " + std::string(algorithm.name) + " from " + std::to_string(root);
  if (algorithm.operation != Operation::bcast) {
    const int parts = random_parts(draw, algorithm, topology);
    words += " parts " + std::to_string(parts);
    const bool has_pairs = algorithm.operation == Operation::alltoall && draw.below(3) > 0;
    if (!has_pairs) return of_blocks(algorithm.name, routing, root, ports, flits, parts);
    words += " pairs";
    return of_blocks(algorithm.name, routing, root, ports, flits, parts,
                     random_pairs(draw, topology.node_count(), flits));
  }
  if (algorithm.is_synthesized) {
    const Multicast goal = broadcast_from(root, routing);
    PlanRequest request{routing, ports, goal};
    request.timing.flits = flits;
    PlannedCollective plan{{goal.source}, goal.destinations, allport::plan(algorithm, request)};
    plan.goal =
        std::make_shared<Collective>(topology.node_count(), goal, piece_count(plan.schedule));
    return plan;
  }
  const int pieces = 1 + draw.below(std::min(flits, 6));
  words += " pieces " + std::to_string(pieces);
  return of_pieces(algorithm.name, routing, broadcast_from(root, routing), pieces, ports);
}

Case random_case(std::uint64_t seed) {
  Draw draw(seed);
  const Routing routing =
      draw.below(2) == 0
          ? routing_on(draw.one_of<const char*>(
                {"hypercube:1", "hypercube:3", "hypercube:4", "ring:5", "ring:8", "torus:4x4",
                 "mesh:3x4", "torus:3x2", "torus:4x2x3", "mesh:2x3x2", "hypercube:5"}))
          : ascending_on(draw.one_of<const char*>({"hypercube:2", "hypercube:3", "hypercube:4"}));
  FabricConfig fabric;
  fabric.internal_ports = 1 + draw.below(all_ports(routing));
  fabric.buffer_depth = 1 + draw.below(5);
  fabric.link_delay = draw.below(3);
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

// Several sources at once, whose programs meet at every node: preparations are short, so that
// messages come in exactly the cycle in which a processor is free for its next one.
Case case_of_many_sources(std::uint64_t seed) {
  Draw draw(seed);
  const Routing routing = routing_on(draw.one_of<const char*>(
      {"hypercube:2", "hypercube:3", "hypercube:4", "ring:3", "ring:5", "torus:4x4", "mesh:3x4"}));
  FabricConfig fabric;
  fabric.internal_ports = 1 + draw.below(all_ports(routing));
  fabric.buffer_depth = 1 + draw.below(5);
  fabric.link_delay = draw.below(2);
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

std::string outcome(const Case& one, bool is_transaction_level, bool has_symbols = false) {
  return forked([&] {
    SimulationConfig config = one.config;
    config.is_transaction_level = is_transaction_level;
    config.payload_is_symbolic = has_symbols;
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
  const RandomCases cases(30);
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
    ASSERT_EQ(flits, outcome(one, true, true)) << one.words << " symbols";
  }
}

TEST(BlockProperty, SeveralSourcesAtOnceAreOnWormsWhereTheyAreOnFlits) {
  const RandomCases cases(100);
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
      longest = std::max(longest, static_cast<int>(lengths.flits_of(unicast)));
    }
  }
  return longest;
}

TEST(BlockProperty, NothingIsLostWhereBuffersJustHoldTheLongestMessage) {
  const RandomCases cases(30);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Case one = random_case(seed);
    FabricConfig& fabric = one.config.fabric;
    fabric.switching = seed % 2 == 0 ? Switching::cut_through : Switching::store_and_forward;
    fabric.buffer_depth = longest_message(one);
    ASSERT_THAT(outcome(one, false),
                HasSubstr("missing 0 messages " + std::to_string(planned_messages(one))))
        << one.words;
    if (--fabric.buffer_depth == 0) continue;
    EXPECT_THAT(complaint_of([&] { require_room(one.collectives, one.config); }),
                HasSubstr("a buffer of " + counted(fabric.buffer_depth, "flit") +
                          " cannot hold a message of " + std::to_string(fabric.buffer_depth + 1)))
        << one.words;
  }
}

// The recursion of docs/timing.md, if a collective alone shows no contention.
TEST(BlockProperty, TheTimingModelIsTheSimulationWithoutContention) {
  const RandomCases cases(30);
  int compared = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Case one = random_case(seed);
    // Room for two messages and the credits on their way: one can follow the other at full rate.
    one.config.fabric.switching = seed % 2 == 0 ? Switching::wormhole : Switching::cut_through;
    one.config.fabric.buffer_depth = 2 * longest_message(one) + 8;
    one.config.jitter = 0;
    one.config.barrier.reset();
    one.config.barrier_messages = false;
    const PlannedCollective plan = one.collectives.front();
    const BlockLengths lengths(*plan.goal, one.config.flits, one.config.flit_bytes,
                               one.config.bytes);
    const std::vector<Cycle> theory = predicted_block_latency(
        plan.schedule, one.routing, *plan.goal, lengths, one.config.fabric.internal_ports,
        {one.config.ts, one.config.tr, one.config.flits, one.config.fabric,
         one.config.fabric.phits});
    const std::string simulated = forked([&] {
      Simulation simulation(one.config, one.routing);
      const Results results = simulation.run({{plan}});
      if (!contention_of(results).empty()) return std::string("contention");
      return fault_of(results) + std::to_string(results.latency.max);
    });
    if (simulated == "contention") continue;
    ++compared;
    ASSERT_EQ(simulated, std::to_string(*std::max_element(theory.begin(), theory.end())))
        << one.words;
  }
  EXPECT_GT(4 * compared, static_cast<int>(cases.end - cases.first)) << "most met contention";
}

}  // namespace
}  // namespace allport::test
