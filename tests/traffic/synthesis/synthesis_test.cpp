// SPDX-License-Identifier: Apache-2.0
// Synthesized plans are proved on random fabrics, groups and missing links, and are about as fast
// as the best algorithm of the table. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/traffic/algorithms/planning.h"
#include "traffic/planning/pieces.h"
#include "traffic/schedule/block_flow.h"
#include "traffic/schedule/schedule_file.h"
#include "traffic/synthesis/pair_exchange.h"
#include "traffic/synthesis/synthesis.h"
#include "traffic/theory/block_timing.h"
#include "traffic/theory/lower_bound.h"

namespace allport {
namespace {

using test::Draw;
using testing::HasSubstr;

std::vector<const Algorithm*> synthesized() {
  std::vector<const Algorithm*> list;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.is_synthesized) list.push_back(&algorithm);
  }
  return list;
}

// A fabric of up to 64 nodes.
std::string random_fabric(Draw& draw) {
  const int kind = draw.below(4);
  if (kind == 0) return "hypercube:" + std::to_string(1 + draw.below(6));
  if (kind == 1) return "ring:" + std::to_string(3 + draw.below(62));
  std::string name = kind == 2 ? "torus:" : "mesh:";
  int nodes = 1;
  do {
    const int side = 2 + draw.below(std::min(64 / nodes, 16) - 1);
    name += (nodes > 1 ? "x" : "") + std::to_string(side);
    nodes *= side;
  } while (nodes <= 32 && draw.below(4) > 0);
  return name;
}

// Up to a tenth of the links, both ways, so that ways remain between all nodes.
std::vector<Channel> random_missing(Draw& draw, const Routing& routing) {
  const Topology& topology = routing.topology();
  const std::vector<Channel> all = topology.channels();
  std::vector<Channel> missing;
  for (std::size_t left = all.size() / 20; left > 0; --left) {
    const Channel channel = all[static_cast<std::size_t>(draw.below(static_cast<int>(all.size())))];
    const NodeId other = *topology.neighbour(channel.node, channel.port);
    std::vector<Channel> more = missing;
    more.push_back(channel);
    more.push_back({other, topology.arrival_port(channel.node, channel.port)});
    std::sort(more.begin(), more.end());
    more.erase(std::unique(more.begin(), more.end()), more.end());
    const std::vector<int> hops = PlanLinks(routing, 1, more, false).hops_from(node_id(0));
    if (*std::min_element(hops.begin(), hops.end()) >= 0) missing = more;
  }
  return missing;
}

// A plan with all that it was made for.
struct Case {
  explicit Case(const std::string& shape) : routing(routing_on(shape)) {}

  const Algorithm* algorithm = nullptr;
  Routing routing;
  int ports = 1;
  Multicast goal;
  std::vector<NodeId> members;
  std::vector<Channel> missing;
  int parts = 0;
  TimingParameters timing;
  std::uint64_t seed = 1;

  Schedule plan() const {
    PlanRequest request{routing, ports, goal, StepRule::naive, parts, timing, members, missing};
    request.seed = seed;
    return allport::plan(*algorithm, request);
  }
  Collective collective(const Schedule& schedule) const {
    const std::size_t nodes = routing.topology().node_count();
    if (algorithm->operation == Operation::bcast) return {nodes, goal, piece_count(schedule)};
    return collective_of(*algorithm, routing.topology(), goal, parts, members);
  }
  std::string words() const {
    std::string text = std::string(algorithm->name) + " on " + routing.topology().name() + " k " +
                       std::to_string(ports) + " from " + std::to_string(index(goal.source)) +
                       " parts " + std::to_string(parts) + " L " + std::to_string(timing.flits) +
                       " ts " + std::to_string(timing.ts) + " missing " +
                       std::to_string(missing.size()) + " members";
    for (const NodeId member : members) text += " " + std::to_string(index(member));
    return text;
  }
};

Case random_case(Draw& draw) {
  Case one(random_fabric(draw));
  const Topology& topology = one.routing.topology();
  const auto nodes = static_cast<int>(topology.node_count());
  do {
    one.algorithm = draw.one_of(synthesized());
  } while (!one.algorithm->is_for(topology));
  one.ports = draw.below(3) == 0 ? 1 + draw.below(all_ports(one.routing)) : all_ports(one.routing);
  if (draw.below(2) == 0) {
    const int size = 2 + draw.below(nodes - 1);
    for (const std::size_t i : draw.subset(topology.node_count(), static_cast<std::size_t>(size))) {
      one.members.push_back(node_id(i));
    }
    std::sort(one.members.begin(), one.members.end());
  }
  std::vector<NodeId> others = one.members;
  if (others.empty()) {
    for (int i = 0; i < nodes; ++i) others.push_back(node_id(static_cast<std::size_t>(i)));
  }
  const NodeId root = draw.one_of(others);
  others.erase(std::find(others.begin(), others.end(), root));
  one.goal = multicast(topology, root, others);
  if (draw.below(2) == 0) one.missing = random_missing(draw, one.routing);
  const bool is_barrier = one.algorithm->operation == Operation::barrier;
  one.parts = is_barrier ? 0 : draw.below(2) * (1 + draw.below(4));
  one.timing.ts = draw.below(2) * draw.below(300);
  one.timing.tr = draw.below(2) * draw.below(100);
  one.timing.flits = is_barrier ? 1 : 1 + draw.below(200);
  one.seed = static_cast<std::uint64_t>(draw.below(1000));
  return one;
}

std::string complaints(const ScheduleReport& report) {
  std::string text;
  for (const Finding* finding : {&report.exactly_once, &report.causality, &report.port_rule,
                                 &report.routes_valid, &report.collective}) {
    for (const std::string& sentence : finding->first) text += sentence + "\n";
  }
  text += report.stepwise.ok() ? "" : "stepwise\n";
  text += report.definition4.ok() ? "" : "definition4\n";
  return text + (report.theorem1.ok() ? "" : "theorem1\n");
}

// The latency of a schedule without contention.
Cycle theory(const Schedule& schedule, const Collective& whole, const Routing& routing, int ports,
             const TimingParameters& timing) {
  Schedule sent = schedule;
  const Collective goal = whole.of_length(timing.flits);
  for (Unicast& unicast : sent.unicasts) {
    if (unicast.blocks.empty()) unicast.blocks = {0};
  }
  leave_out_empty_blocks(sent, goal);
  number_by_step(sent);
  const BlockLengths lengths(goal, timing.flits, 1, static_cast<std::size_t>(timing.flits));
  const std::vector<Cycle> latency =
      predicted_block_latency(sent, routing, goal, lengths, ports, timing);
  return *std::max_element(latency.begin(), latency.end());
}

TEST(Synthesis, FindsAProvedPlanForEveryFabricCollectiveGroupAndMissingLinks) {
  const test::RandomCases cases(40);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed);
    const Case one = random_case(draw);

    const Schedule schedule = one.plan();

    const Collective goal = one.collective(schedule);
    const ScheduleReport report = check_schedule(
        schedule, {one.routing, one.ports, {one.goal.source}, one.goal.destinations, &goal});
    ASSERT_EQ(complaints(report), "") << "seed " << seed << " " << one.words();
    ASSERT_EQ(BlockFlow(schedule, goal).program_fault(), "") << "seed " << seed << one.words();
    if (one.ports == all_ports(one.routing)) {
      const LowerBound bound = lower_bound({one.routing.topology(), goal, one.ports, one.timing});
      ASSERT_GE(theory(schedule, goal, one.routing, one.ports, one.timing), bound.cycles)
          << "seed " << seed << " " << one.words() << ": " << bound.binds;
    }
    for (const Unicast& unicast : schedule.unicasts) {
      const std::vector<Channel> route = channels(unicast, one.routing);
      ASSERT_EQ(route.size(), 1U) << "seed " << seed << " " << one.words();
      ASSERT_FALSE(std::binary_search(one.missing.begin(), one.missing.end(), route.front()))
          << "seed " << seed << " " << one.words();
    }
  }
}

std::string lines_of(const Case& one) {
  std::ostringstream text;
  write_schedule(text, one.plan(), one.routing.topology());
  return text.str();
}

TEST(Synthesis, IsTheSameForASeedAndDrawsByIt) {
  Case one("torus:4x4");
  one.algorithm = &find_algorithm("synthesized-allgather");
  one.ports = all_ports(one.routing);
  one.goal = broadcast(one.routing.topology(), node_id(0));
  one.timing.flits = 64;
  const std::string first = lines_of(one);

  EXPECT_EQ(lines_of(one), first);
  one.seed = 2;
  EXPECT_NE(lines_of(one), first);
}

bool goes_between_neighbours(const Schedule& schedule, const Routing& routing) {
  return std::all_of(
      schedule.unicasts.begin(), schedule.unicasts.end(),
      [&](const Unicast& unicast) { return channels(unicast, routing).size() == 1; });
}

// The best of all algorithms whose messages go between neighbours; a bcast in its best pieces.
Cycle best_of_others(const Case& one, std::string& name) {
  const auto nodes = one.routing.topology().node_count();
  Cycle best = 0;
  for (const Algorithm& other : algorithms()) {
    if (other.is_synthesized || other.operation != one.algorithm->operation ||
        other.destinations == Destinations::one || other.kind != MessageKind::unicast ||
        !other.is_for(one.routing.topology())) {
      continue;
    }
    Schedule schedule = plan(other, {one.routing, one.ports, one.goal});
    if (!goes_between_neighbours(schedule, one.routing)) continue;
    const bool is_bcast = other.operation == Operation::bcast;
    if (is_bcast && piece_count(schedule) == 0) {
      const int pieces = best_pieces(schedule, one.routing, one.ports, one.timing);
      schedule = in_pieces(schedule, pieces, one.routing, one.ports);
    }
    const Collective goal = is_bcast ? Collective(nodes, one.goal, piece_count(schedule))
                                     : collective_of(other, one.routing.topology(), one.goal);
    const Cycle latency = theory(schedule, goal, one.routing, one.ports, one.timing);
    if (best > 0 && latency >= best) continue;
    best = latency;
    name = other.name;
  }
  return best;
}

TEST(Synthesis, IsWithin30PercentOfTheBestAlgorithmBetweenNeighbours) {
  int compared = 0;
  std::vector<std::string> shapes{"hypercube:4", "ring:5",   "ring:9",     "torus:4x4",
                                  "torus:3x5",   "mesh:4x4", "mesh:3x3x3", "mesh:7"};
  if (std::getenv("ALLPORT_CASES") != nullptr) {  // by night
    for (const char* large : {"hypercube:6", "torus:8x8", "torus:4x4x4", "mesh:8x8", "ring:16"}) {
      shapes.emplace_back(large);
    }
  }
  for (const std::string& shape : shapes) {
    for (const Algorithm* algorithm : synthesized()) {
      for (const TimingParameters& timing :
           {TimingParameters{0, 0, 64}, TimingParameters{200, 0, 64},
            TimingParameters{200, 0, 2048}}) {
        Case one(shape);
        one.algorithm = algorithm;
        one.ports = all_ports(one.routing);
        one.goal = broadcast(one.routing.topology(), node_id(0));
        one.timing = timing;
        std::string name;
        const Cycle best = best_of_others(one, name);
        if (best == 0) continue;
        const Schedule schedule = one.plan();
        const Cycle own =
            theory(schedule, one.collective(schedule), one.routing, one.ports, timing);
        EXPECT_LE(10 * own, 13 * best)
            << one.words() << ": " << own << " cycles, " << name << " " << best;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 150);
}

// [Won24] between nodes with all ports.
TEST(Synthesis, AnAllgatherOf64NodesIsNearItsBound) {
  Case one("torus:8x8");
  one.algorithm = &find_algorithm("synthesized-allgather");
  one.ports = 4;
  one.goal = broadcast(one.routing.topology(), node_id(0));
  one.timing.flits = 64;
  const Schedule schedule = one.plan();
  const Collective goal = one.collective(schedule);
  const LowerBound bound = lower_bound({one.routing.topology(), goal, 4, one.timing});

  EXPECT_GT(efficiency(bound, theory(schedule, goal, one.routing, one.ports, one.timing)), 0.95);
}

TEST(Synthesis, TellsWhenNoWayRemains) {
  Case one("mesh:3x3");
  one.algorithm = &find_algorithm("synthesized-alltoall");
  one.ports = all_ports(one.routing);
  one.goal = broadcast(one.routing.topology(), node_id(0));
  one.missing = {{node_id(5), port_id(3)}, {node_id(7), port_id(0)}};  // the ways to node 8
  std::sort(one.missing.begin(), one.missing.end());
  EXPECT_EQ(complaint_of([&] { one.plan(); }), "no complaint");  // port 3 is -, to node 2
  one.missing = {{node_id(5), port_id(2)}, {node_id(7), port_id(0)}};
  EXPECT_THAT(complaint_of([&] { one.plan(); }),
              HasSubstr("no way leads from node 0 to node 8: too many links are missing"));
}

TEST(Synthesis, RefusesWhatIsTooLargeWithBothNumbers) {
  Case one("torus:32x32");
  one.algorithm = &find_algorithm("synthesized-allgather");
  one.ports = 4;
  one.goal = broadcast(one.routing.topology(), node_id(0));
  EXPECT_THAT(complaint_of([&] { one.plan(); }),
              HasSubstr("its nodes receive 1048576 blocks, and the limit is 262144"));
  one.algorithm = &find_algorithm("synthesized-alltoall");
  EXPECT_THAT(complaint_of([&] { one.plan(); }),
              HasSubstr("its nodes receive 1048576 blocks, and the limit is 262144"));
  Case larger("hypercube:13");
  larger.algorithm = &find_algorithm("synthesized-barrier");
  larger.ports = 13;
  larger.goal = broadcast(larger.routing.topology(), node_id(0));
  EXPECT_THAT(complaint_of([&] { larger.plan(); }),
              HasSubstr("it has 8192 nodes, and the limit is 4096"));
  one.parts = 17;
  EXPECT_THAT(complaint_of([&] { one.plan(); }), HasSubstr("1..16 parts"));
}

TEST(PairExchange, DoublesOnHypercubesAndRingsOfFourAndNowhereElse) {
  const auto rounds = [](const std::string& shape, const std::vector<Channel>& missing) {
    const Routing routing = routing_on(shape);
    std::vector<NodeId> all;
    for (std::size_t i = 0; i < routing.topology().node_count(); ++i) all.push_back(node_id(i));
    const auto pairs = exchange_in_pairs(PlanLinks(routing, 1, missing, false), all);
    return pairs.empty() ? 0 : pairs.back().round;
  };
  for (int n = 1; n <= 6; ++n) EXPECT_EQ(rounds("hypercube:" + std::to_string(n), {}), n);
  EXPECT_EQ(rounds("torus:4x4", {}), 4);
  EXPECT_EQ(rounds("ring:8", {}), 0);
  EXPECT_EQ(rounds("mesh:3", {}), 0);
  EXPECT_EQ(rounds("hypercube:2", {{node_id(0), port_id(0)}}), 0);
}

}  // namespace
}  // namespace allport
