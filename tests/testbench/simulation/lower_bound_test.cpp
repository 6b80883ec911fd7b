// SPDX-License-Identifier: Apache-2.0
// No schedule can beat a bound: some are worked out by hand, and no simulated run is below its own.
#include "traffic/theory/lower_bound.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <string>

#include "tests/testbench/simulation/block_plans.h"

namespace allport::test {
namespace {

LowerBound bound_of(const PlannedCollective& plan, const Routing& routing, const Times& times,
                    int ports, const FabricConfig& fabric = {}) {
  const Topology& topology = routing.topology();
  const Collective goal =
      plan.goal != nullptr
          ? *plan.goal
          : Collective(topology.node_count(), {plan.sources[0], plan.destinations}, 1);
  TimingParameters timing;
  timing.ts = times.ts;
  timing.tr = times.tr;
  timing.phits = fabric.phits;
  timing.link_delays = fabric.link_delays;
  timing.vcs = router_config(fabric, routing).vcs;
  timing.route_delay = fabric.route_delay;
  timing.vc_delay = fabric.vc_delay;
  timing.crossbar_delay = fabric.crossbar_delay;
  timing.flits = goal.operation() == Operation::barrier ? 1 : times.flits;
  const bool has_worms = plan.is_one_message() || !plan.schedule.has_unicasts_only();
  return lower_bound({topology, goal, ports == 0 ? all_ports(routing) : ports, timing, has_worms});
}

PlannedCollective plan_of(const Algorithm& algorithm, const Routing& routing, int ports,
                          int flits) {
  const std::size_t root = routing.topology().node_count() / 2;
  if (algorithm.operation != Operation::bcast) {
    return of_blocks(algorithm.name, routing, root, ports, static_cast<std::size_t>(flits));
  }
  if (algorithm.destinations != Destinations::one) {
    const Multicast goal = broadcast_from(root, routing);
    const auto pieces = static_cast<int>(piece_count(planned(algorithm.name, routing, goal)));
    if (pieces > 0) return of_pieces(algorithm.name, routing, goal, std::min(pieces, flits), ports);
    return collective(algorithm.name, routing, goal, ports);
  }
  const Multicast goal = multicast(routing.topology(), node_id(root), {node_id(0)});
  return collective(algorithm.name, routing, goal, ports);
}

struct Known {
  const char* fabric;
  const char* algorithm;
  Times times;
  int ports;
  Cycle cycles;
  std::string_view binds;
};

// l = 16 and 64 nodes: an all-to-all crosses 12288 channels of 384; an all-gather brings 63 blocks
// to each node by 6 ports. A broadcast of 7 flits to 15 nodes by one port with ts = 30 needs 4
// start-ups one after another; with ts = 0 the farthest node is 4 hops away.
TEST(LowerBound, IsWhatHandsWorkOut) {
  for (const Known& one :
       {Known{"torus:4x4x4", "dims-alltoall", {0, 0, 16}, 6, 513, "channels"},
        Known{"torus:4x4x4", "dims-allgather", {0, 0, 16}, 6, 169, "ports"},
        Known{"hypercube:4", "sbt", {30, 2, 7}, 1, 4 * (30 + 2 + 2), "start-ups"},
        Known{"hypercube:4", "sbt", {0, 2, 7}, 1, 4 + 2 + 7, "distance"},
        Known{"mesh:8", "dims-scatter", {0, 0, 8}, 2, 1 + 4 * 8, "cut"},
        Known{"torus:4x4", "direct-neighbor", {0, 0, 16}, 4, 1 + 16, "ports"},
        Known{"torus:4x4", "direct-neighbor", {0, 0, 16}, 1, 1 + 4 * 16, "ports"},
        Known{"torus:4x4", "direct-neighbor-box", {0, 0, 16}, 4, 1 + 3 * 16, "channels"},
        Known{"hypercube:3", "exchange-allreduce", {0, 0, 24}, 3, 1 + 2 * 7 * 24 / 24, "ports"}}) {
    const Routing routing = routing_on(one.fabric);
    const PlannedCollective plan =
        plan_of(find_algorithm(one.algorithm), routing, one.ports, one.times.flits);
    const LowerBound bound = bound_of(plan, routing, one.times, one.ports);
    EXPECT_EQ(bound.cycles, one.cycles) << one.fabric << " " << one.algorithm;
    EXPECT_EQ(bound.binds, one.binds) << one.fabric << " " << one.algorithm;
  }
}

// 16 nodes of a torus without the six channels by which node 5 sends, but one: it needs as many
// cycles for its 15 blocks of 16 flits as there are flits. Without both channels 0 -> 1 and 3 -> 0
// of a ring of four, one channel each leads from a half to the other.
TEST(LowerBound, CountsThePortsAndChannelsThatAreLeft) {
  const Routing torus = routing_on("torus:4x4");
  const auto bound = [](const Routing& routing, Operation operation,
                        const std::vector<Channel>& missing) {
    const std::size_t nodes = routing.topology().node_count();
    TimingParameters timing;
    timing.flits = 16;
    const Collective goal(operation, nodes, node_id(0));
    return lower_bound({routing.topology(), goal, all_ports(routing), timing, false, missing});
  };
  const std::vector<Channel> all_but_one{
      {node_id(5), port_id(0)}, {node_id(5), port_id(1)}, {node_id(5), port_id(2)}};
  EXPECT_EQ(bound(torus, Operation::reduce_scatter, {}).cycles, 1 + 15 * 16 / 4);
  EXPECT_EQ(bound(torus, Operation::reduce_scatter, all_but_one).cycles, 1 + 15 * 16);
  EXPECT_EQ(bound(torus, Operation::reduce_scatter, all_but_one).binds, "ports");
  // It receives by all four of its ports, and so do the others, by three at least.
  EXPECT_EQ(bound(torus, Operation::allgather, all_but_one).cycles, 1 + 15 * 16 / 3);

  const Routing ring = routing_on("ring:8");
  const std::vector<Channel> one_way{{node_id(3), port_id(0)}};
  EXPECT_EQ(bound(ring, Operation::alltoall, {}).cycles, 1 + 4 * 4 * 16 / 2);
  EXPECT_EQ(bound(ring, Operation::alltoall, one_way).cycles, 1 + 4 * 4 * 16);
  EXPECT_EQ(bound(ring, Operation::alltoall, one_way).binds, "cut");
}

// The root in a corner of a mesh sends by two ports what others receive by three or four.
TEST(LowerBound, CountsThePortsOfTheRoot) {
  const Routing mesh = routing_on("mesh:4x4");
  TimingParameters timing;
  timing.flits = 40;
  const Collective goal(16, {node_id(0), {node_id(1), node_id(5)}}, 1);
  const LowerBound bound = lower_bound({mesh.topology(), goal, 4, timing, false});
  EXPECT_EQ(bound.cycles, 1 + 40 / 2);
  EXPECT_EQ(bound.binds, "ports");
}

// A node of a torus has two channels of a flit in two cycles, and two of a flit in four: 1.5 flits
// a cycle. Half of a torus gets 8 blocks of each of the 8 others, over 8 channels of a quarter of a
// flit.
TEST(LowerBound, CountsTheFlitsThatNarrowChannelsCarry) {
  const Routing torus = routing_on("torus:4x4");
  const auto bound = [&](Operation operation, int ports) {
    TimingParameters timing;
    timing.flits = operation == Operation::barrier ? 1 : 16;
    timing.phits = {2, 4};
    return lower_bound({torus.topology(), Collective(operation, 16, node_id(0)), ports, timing});
  };
  EXPECT_EQ(bound(Operation::allgather, 4).cycles, 1 + 15 * 16 * 2 / 3);
  EXPECT_EQ(bound(Operation::allgather, 4).binds, "ports");
  EXPECT_EQ(bound(Operation::allgather, 1).cycles, 1 + 15 * 16);
  EXPECT_EQ(bound(Operation::alltoall, 4).cycles, 1 + 8 * 8 * 16 * 4 / 8);
  EXPECT_EQ(bound(Operation::alltoall, 4).binds, "cut");
  EXPECT_EQ(bound(Operation::barrier, 4).cycles, 4 * 2 + 1) << "four hops over the wider channels";
}

// A link of a ring that carries a flit in four cycles is one of two between its halves. Its nodes
// get 1.25 flits a cycle.
TEST(LowerBound, CountsTheFlitsThatLinksOfTheirOwnCarry) {
  const Routing ring = routing_on("ring:8");
  const Topology& topology = ring.topology();
  auto links = std::make_shared<LinkTable>(topology, 0, 1);
  links->set(topology, {node_id(3), port_id(0)}, 0, 4);
  links->set(topology, {node_id(4), port_id(1)}, 0, 4);
  TimingParameters timing;
  timing.flits = 16;
  timing.links = links;
  const auto bound = [&](Operation operation) {
    return lower_bound({topology, Collective(operation, 8, node_id(0)), all_ports(ring), timing});
  };
  EXPECT_EQ(bound(Operation::alltoall).cycles, 1 + 205) << "256 flits, 1.25 in a cycle";
  EXPECT_EQ(bound(Operation::alltoall).binds, "cut");
  EXPECT_EQ(bound(Operation::allgather).cycles, 1 + 90) << "112 flits, 1.25 in a cycle";
  EXPECT_EQ(bound(Operation::allgather).binds, "ports");
}

void expect_no_algorithm_beats_it(const char* topology, const Times& times, int ports,
                                  const FabricConfig& fabric) {
  const Routing routing = routing_on(topology);
  std::vector<PlannedCollective> plans;
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) {
    const bool is_worm = algorithm.kind != MessageKind::unicast;
    if (!algorithm.is_for(routing.topology()) || is_worm) continue;
    if (algorithm.is_synthesized) continue;  // synthesis_test.cpp has them
    plans.push_back(plan_of(algorithm, routing, ports, times.flits));
    names.emplace_back(algorithm.name);
  }
  const std::vector<Cycle> taken = cycles_of(plans, routing, times, ports, fabric);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const LowerBound bound = bound_of(plans[i], routing, times, ports, fabric);
    EXPECT_GE(taken[i], bound.cycles) << names[i] << " on " << topology << " k " << ports << " L "
                                      << times.flits << " ts " << times.ts << ": " << bound.binds;
  }
}

TEST(LowerBound, IsBeatenByNoAlgorithm) {
  for (const char* topology :
       {"hypercube:1", "hypercube:3", "hypercube:4", "torus:4x4", "torus:3x5", "torus:2x2",
        "torus:2x3x2", "mesh:3x4", "mesh:2x2x3", "ring:5", "ring:8", "mesh:7"}) {
    for (const int ports : {1, all_ports(routing_on(topology))}) {
      for (const Times& times :
           {Times{0, 0, 1}, Times{0, 3, 16}, Times{25, 2, 5}, Times{7, 0, 40}}) {
        expect_no_algorithm_beats_it(topology, times, ports, {});
      }
    }
  }
}

TEST(LowerBound, IsBeatenByNoAlgorithmOverNarrowChannels) {
  for (const auto& [topology, fabric] :
       {std::pair("hypercube:3", With().phits({3, 1, 2})),
        std::pair("torus:4x4", With().phits({1, 4})), std::pair("torus:3x5", With().phits({2, 2})),
        std::pair("mesh:3x4", With().phits({7, 3})), std::pair("ring:5", With().phits({5}))}) {
    for (const int ports : {1, all_ports(routing_on(topology))}) {
      for (const Times& times : {Times{0, 0, 1}, Times{0, 3, 16}, Times{25, 2, 5}}) {
        expect_no_algorithm_beats_it(topology, times, ports, fabric);
      }
    }
  }
}

TEST(LowerBound, IsBeatenByNoAlgorithmOnRoutersWithPipelines) {
  for (const auto& [topology, fabric] :
       {std::pair("mesh:2", With().pipeline(4, 4, 0).phits({2})),
        std::pair("hypercube:3", With().pipeline(2, 4, 1).phits({3, 1, 2})),
        std::pair("mesh:5", With().pipeline(4, 4, 1).phits({4})),
        std::pair("torus:4x4", With().pipeline(3, 2, 2)),
        std::pair("mesh:3x4", With().pipeline(4, 1, 3).vcs(4)),
        std::pair("ring:5", With().pipeline(1, 4, 0).depth(9))}) {
    for (const int ports : {1, all_ports(routing_on(topology))}) {
      for (const Times& times : {Times{0, 0, 1}, Times{0, 3, 16}, Times{25, 2, 5}}) {
        expect_no_algorithm_beats_it(topology, times, ports, fabric);
      }
    }
  }
}

// A message of 16 flits over a link that takes two cycles for each: while the second router holds
// the head for 8 cycles, the others catch up with it, so that the last one waits for nothing but
// the link. On links as wide as a flit the last one waits as long as the head.
TEST(LowerBound, CountsThePipelineOnceForFlitsThatCatchUp) {
  const Routing mesh = routing_on("mesh:2");
  for (const auto& [fabric, cycles] :
       {std::pair(With().pipeline(4, 4, 1).phits({2}).depth(8), Cycle{1 + 8 + 2 + 32}),
        std::pair(With().pipeline(4, 4, 1), Cycle{1 + 18 + 16})}) {
    const PlannedCollective plan = plan_of(find_algorithm("separate"), mesh, 1, 16);
    const LowerBound bound = bound_of(plan, mesh, {0, 0, 16}, 1, fabric);
    EXPECT_EQ(bound.cycles, cycles);
    EXPECT_EQ(bound.cycles, cycles_of({plan}, mesh, {0, 0, 16}, 1, fabric).front());
  }
}

// An alltoall of pairs with lengths of their own, of which some send nothing.
TEST(LowerBound, IsBeatenByNoAlgorithmForPairsOfAllLengths) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    Draw draw(seed);
    const Routing routing = routing_on(draw.one_of<const char*>(
        {"hypercube:1", "hypercube:3", "hypercube:4", "torus:4x4", "torus:3x5", "mesh:3x4",
         "mesh:2x2x3", "ring:5", "ring:8", "ring:2"}));
    const Times times{draw.one_of<Cycle>({0, 25}), draw.one_of<Cycle>({0, 3}), 1 + draw.below(40)};
    const int ports = draw.one_of<int>({1, all_ports(routing)});
    const PairLengths pairs = random_pairs(draw, routing.topology().node_count(), times.flits);
    std::vector<PlannedCollective> plans;
    for (const Algorithm& algorithm : algorithms()) {
      const bool is_one = algorithm.operation == Operation::alltoall;
      if (!is_one || !algorithm.is_for(routing.topology())) continue;
      plans.push_back(of_blocks(algorithm.name, routing, 0, ports, times.flits, 0, pairs));
    }
    ASSERT_GT(plans.size(), 1U);
    const std::vector<Cycle> taken = cycles_of(plans, routing, times, ports);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const LowerBound bound = bound_of(plans[i], routing, times, ports);
      EXPECT_GE(taken[i], bound.cycles) << "seed " << seed << " plan " << i << ": " << bound.binds;
    }
  }
}

// One pair alone is bound by its ports: 40 flits by the node's one, after a hop.
TEST(LowerBound, OfOnePairIsItsMessage) {
  const Routing routing = routing_on("ring:5");
  auto flits = std::make_shared<std::vector<int>>(25);
  (*flits)[1] = 40;
  const PlannedCollective plan = of_blocks("direct-alltoall", routing, 0, 1, 40, 0, flits);
  ASSERT_EQ(plan.schedule.unicasts.size(), 1U);
  EXPECT_EQ(plan.destinations, std::vector<NodeId>{node_id(1)});
  const LowerBound bound = bound_of(plan, routing, {9, 3, 40}, 1);
  EXPECT_EQ(bound.cycles, cycles_of({plan}, routing, {9, 3, 40}, 1).front());
}

}  // namespace
}  // namespace allport::test
