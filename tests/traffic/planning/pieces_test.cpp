// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/pieces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "tests/support/blueprint.h"
#include "tests/traffic/algorithms/planning.h"
#include "traffic/algorithms/disjoint_paths.h"
#include "traffic/proof/block_check.h"
#include "traffic/schedule/block_lengths.h"
#include "traffic/theory/block_timing.h"

namespace allport {
namespace {

TEST(Pieces, OfEveryMulticastReachEverybodyOnce) {
  for (const auto& [shape, name] : {std::pair{"hypercube:4", "ucube"},
                                    {"hypercube:4", "maxport"},
                                    {"hypercube:4", "combine"},
                                    {"hypercube:4", "wsort"},
                                    {"hypercube:4", "sbt"},
                                    {"hypercube:4", "esbt"},
                                    {"hypercube:4", "separate"},
                                    {"torus:8x8", "dcf"},
                                    {"torus:4x3", "utorus"},
                                    {"mesh:4x3", "separate"}}) {
    const Routing routing = routing_on(shape);
    for (int ports = 1; ports <= all_ports(routing); ++ports) {
      for (const int pieces : {1, 2, 5}) {
        const Multicast goal = broadcast(routing.topology(), node_id(3));
        const Schedule schedule =
            in_pieces(planned(name, routing, goal, ports), pieces, routing, ports);
        const Collective blocks(routing.topology().node_count(), goal,
                                static_cast<std::size_t>(pieces));

        const ScheduleReport report = check_schedule(schedule, {routing, ports, {}, {}, &blocks});

        EXPECT_TRUE(report.collective.ok()) << shape << " " << name << " k " << ports;
        EXPECT_TRUE(report.port_rule.ok()) << shape << " " << name << " k " << ports;
        EXPECT_EQ(BlockFlow(schedule, blocks).program_fault(), "") << shape << " " << name;
        EXPECT_EQ(piece_count(schedule), static_cast<std::size_t>(pieces));
      }
    }
  }
}

TEST(Pieces, DifferByOneFlitAtMostAndMakeTheMessage) {
  const Multicast goal{node_id(0), {node_id(1)}};
  for (int flits = 1; flits <= 20; ++flits) {
    for (int pieces = 1; pieces <= flits; ++pieces) {
      const std::size_t bytes = static_cast<std::size_t>(flits) * 4 - 3;
      const Collective blocks(2, goal, static_cast<std::size_t>(pieces));
      const BlockLengths lengths(blocks, flits, 4, bytes);
      int flit_sum = 0;
      std::size_t byte_sum = 0;
      for (BlockId i = 0; i < static_cast<BlockId>(pieces); ++i) {
        EXPECT_TRUE(lengths.flits(i) == flits / pieces || lengths.flits(i) == flits / pieces + 1);
        EXPECT_EQ((lengths.bytes(i) + 3) / 4, static_cast<std::size_t>(lengths.flits(i)));
        flit_sum += lengths.flits(i);
        byte_sum += lengths.bytes(i);
      }
      EXPECT_EQ(flit_sum, flits);
      EXPECT_EQ(byte_sum, bytes);
    }
  }
}

constexpr std::pair<const char*, const char*> trees[] = {
    {"ring:8", "ring"},     {"hypercube:4", "ucube"},       {"hypercube:4", "wsort"},
    {"hypercube:4", "sbt"}, {"hypercube:4", "esbt"},        {"hypercube:4", "separate"},
    {"hypercube:5", "hk"},  {"hypercube:4", "binary-tree"}, {"torus:8x8", "dcf"},
    {"torus:8x8", "tseng"}, {"mesh:4x3", "separate"}};

// Cycle in which everybody has everything, of the schedule itself.
Cycle block_latency(const Schedule& whole, const Multicast& goal, int pieces,
                    const Routing& routing, int ports, const TimingParameters& message) {
  const Collective blocks(routing.topology().node_count(), goal, static_cast<std::size_t>(pieces));
  const std::vector<Cycle> latency = predicted_block_latency(
      in_pieces(whole, pieces, routing, ports), routing, blocks,
      BlockLengths(blocks, message.flits, 1, static_cast<std::size_t>(message.flits)), ports,
      message);
  return *std::max_element(latency.begin(), latency.end());
}

TEST(Pieces, TakeTheTimeOfTheirSchedule) {
  const TimingParameters messages[] = {
      {0, 0, 16},
      {5, 3, 17, test::With().link_delay(1)},
      {40, 0, 16, test::With().switching(Switching::circuit)},
      {2, 0, 13, test::With().switching(Switching::store_and_forward)}};
  for (const auto& [shape, name] : trees) {
    const Routing routing = routing_on(shape);
    const Multicast goal = broadcast(routing.topology(), node_id(3));
    for (const int ports : {1, 2, all_ports(routing)}) {
      const Schedule whole = planned(name, routing, goal, ports);
      for (const TimingParameters& message : messages) {
        for (const int pieces : {1, 2, 5, 13}) {
          EXPECT_EQ(predicted_pieces_latency(whole, pieces, routing, ports, message),
                    block_latency(whole, goal, pieces, routing, ports, message))
              << shape << " " << name << " k " << ports << " ts " << message.ts << " r " << pieces;
        }
      }
    }
  }
}

TEST(Pieces, NoNumberIsBetterThanTheBest) {
  for (const auto& [shape, name] : trees) {
    const Routing routing = routing_on(shape);
    const Multicast goal = broadcast(routing.topology(), node_id(3));
    for (const int ports : {1, all_ports(routing)}) {
      const Schedule whole = planned(name, routing, goal, ports);
      for (const TimingParameters& message :
           {TimingParameters{0, 0, 64}, TimingParameters{20, 20, 64}, TimingParameters{3, 0, 50},
            TimingParameters{300, 0, 40}, TimingParameters{7, 5, 1}}) {
        const auto latency = [&](int pieces) {
          return predicted_pieces_latency(whole, pieces, routing, ports, message);
        };
        const int best = best_pieces(whole, routing, ports, message);
        for (int pieces = 1; pieces <= message.flits; ++pieces) {
          EXPECT_LE(latency(best), latency(pieces))
              << shape << " " << name << " k " << ports << " ts " << message.ts << " r " << pieces;
        }
      }
    }
  }
}

TEST(Pieces, OfALongMessageToManyStayWithinABound) {
  const Routing routing = routing_on("hypercube:10");
  const Schedule whole = planned("sbt", routing, broadcast(routing.topology(), node_id(0)));

  const int best = best_pieces(whole, routing, 10, {0, 0, 1'000'000});

  EXPECT_EQ(best, static_cast<int>(max_best_messages / 1023));
}

// A round of pieces goes down all trees at once, and each edge is in one tree.
TEST(Pieces, OfSeveralTreesGoRoundAfterRound) {
  const Routing routing = routing_on("hypercube:4");
  const Schedule whole = planned("esbt", routing, broadcast(routing.topology(), node_id(5)));

  const Schedule schedule = in_pieces(whole, 10, routing, 4);

  std::map<std::pair<NodeId, NodeId>, Unicast> edges;
  for (const Unicast& edge : whole.unicasts) edges[{edge.u, edge.v}] = edge;
  EXPECT_EQ(schedule.unicasts.size(), 10U * 15);
  for (const Unicast& unicast : schedule.unicasts) {
    const Unicast& edge = edges.at({unicast.u, unicast.v});
    const BlockId piece = unicast.blocks.front();
    EXPECT_EQ(piece % 4, edge.blocks.front());
    EXPECT_EQ(unicast.step, edge.step + static_cast<StepIndex>(piece / 4));
  }
}

TEST(Pieces, OneForEachTreeIsThePlanItself) {
  for (const Routing& routing : {routing_on("hypercube:5"), ascending_on("hypercube:3")}) {
    const int ports = all_ports(routing);
    const Schedule whole = planned("esbt", routing, broadcast(routing.topology(), node_id(3)));
    const Schedule schedule = in_pieces(whole, ports, routing, ports);
    ASSERT_EQ(schedule.unicasts.size(), whole.unicasts.size());
    for (std::size_t i = 0; i < whole.unicasts.size(); ++i) {
      const Unicast& a = whole.unicasts[i];
      const Unicast& b = schedule.unicasts[i];
      EXPECT_TRUE(a.u == b.u && a.v == b.v && a.step == b.step && a.order == b.order &&
                  a.blocks == b.blocks);
    }
  }
}

TEST(Pieces, OfTreesReachNearlyTheBoundOfThePorts) {
  const Routing routing = routing_on("hypercube:8");
  const Schedule whole = planned("esbt", routing, broadcast(routing.topology(), node_id(0)));
  for (const int flits : {1000, 1003, 20'000}) {
    const int best = best_pieces(whole, routing, 8, {0, 0, flits});
    const Cycle latency = predicted_pieces_latency(whole, best, routing, 8, {0, 0, flits});
    EXPECT_LE(10 * latency, 11 * ((flits + 7) / 8 + 4 * 8)) << flits << " in " << best;
    EXPECT_LE(static_cast<std::size_t>(best), max_best_messages / 255);
  }
}

TEST(Pieces, GoDownSeveralDisjointPathsByRelays) {
  const Routing routing = routing_on("hypercube:5");
  const Multicast goal{node_id(1), {node_id(30)}};
  const Schedule whole = planned("disjoint-relays", routing, goal);
  for (const int pieces : {1, 3, 5, 13}) {
    const Collective blocks(32, goal, static_cast<std::size_t>(pieces));
    const Schedule schedule = in_pieces(whole, pieces, routing, 5);
    EXPECT_TRUE(check_schedule(schedule, {routing, 5, {}, {}, &blocks}).ok()) << pieces;
    EXPECT_EQ(predicted_pieces_latency(whole, pieces, routing, 5, {3, 2, 40}),
              block_latency(whole, goal, pieces, routing, 5, {3, 2, 40}))
        << pieces;
  }
}

// The nodes strictly between the ends, over both legs.
std::vector<NodeId> between(const Routing& routing, NodeId from, NodeId turn, NodeId to) {
  std::vector<NodeId> list;
  for (const Channel& channel : routing.path(from, turn)) list.push_back(channel.node);
  if (turn != to) {
    for (const Channel& channel : routing.path(turn, to)) list.push_back(channel.node);
  }
  list.erase(list.begin());
  return list;
}

TEST(DisjointPaths, ShareNoNodeForAllPairsOfTheFiveCube) {
  for (const Routing& routing : {routing_on("hypercube:5"), ascending_on("hypercube:5")}) {
    for (std::size_t from = 0; from < 32; ++from) {
      for (std::size_t to = 0; to < 32; ++to) {
        if (from == to) continue;
        const auto turns = turns_of_disjoint_paths(routing, node_id(from), node_id(to));
        std::vector<int> visits(32);
        ASSERT_EQ(turns.size(), static_cast<std::size_t>(__builtin_popcountll(from ^ to)));
        for (const NodeId turn : turns) {
          const auto nodes = between(routing, node_id(from), turn, node_id(to));
          EXPECT_EQ(nodes.size() + 1, turns.size());  // a shortest path
          for (const NodeId node : nodes) EXPECT_EQ(++visits[index(node)], 1);
        }
        EXPECT_EQ(visits[from] + visits[to], 0);
      }
    }
  }
}

TEST(DisjointPaths, CarryOnePieceEachToTheDestination) {
  const Routing routing = routing_on("hypercube:5");
  for (std::size_t to = 1; to < 32; ++to) {
    const Multicast goal{node_id(0), {node_id(to)}};
    const Schedule schedule = planned("disjoint-relays", routing, goal);
    const Collective blocks(32, goal, static_cast<std::size_t>(__builtin_popcountll(to)));

    const ScheduleReport report = check_schedule(schedule, {routing, 5, {}, {}, &blocks});

    EXPECT_TRUE(report.ok()) << to;
  }
}

TEST(DisjointPaths, AsWormsTurnWhereTheRelaysAre) {
  for (const Routing& routing : {routing_on("hypercube:5"), ascending_on("hypercube:5")}) {
    for (std::size_t to = 1; to < 32; ++to) {
      const Multicast goal{node_id(0), {node_id(to)}};
      const Schedule schedule = planned("disjoint-paths", routing, goal);
      const Collective blocks(32, goal, static_cast<std::size_t>(__builtin_popcountll(to)));
      const auto turns = turns_of_disjoint_paths(routing, goal.source, node_id(to));
      ASSERT_EQ(schedule.unicasts.size(), turns.size());
      for (const Unicast& unicast : schedule.unicasts) {
        const std::size_t piece = unicast.blocks.front();
        EXPECT_EQ(receivers_of(unicast).front(), turns[piece]);
        EXPECT_EQ(unicast.v, node_id(to));
        EXPECT_EQ(route_fault(unicast, routing), "");
      }
      const BlockFindings findings =
          check_blocks(schedule, blocks, BlockFlow(schedule, blocks), routing.topology());
      EXPECT_TRUE(findings.exactly_once.ok() && findings.causality.ok());
    }
  }
}

TEST(DisjointPaths, AsWormsAreCheckedButForContention) {
  const Routing routing = routing_on("hypercube:4");
  const Multicast goal{node_id(0), {node_id(13)}};
  Schedule schedule = planned("disjoint-paths", routing, goal);
  const Collective blocks(16, goal, 3);

  const ScheduleReport whole = check_schedule(schedule, {routing, 4, {}, {}, &blocks});
  schedule.unicasts.pop_back();
  const ScheduleReport cut = check_schedule(schedule, {routing, 4, {}, {}, &blocks});

  EXPECT_TRUE(whole.ok());
  EXPECT_FALSE(whole.judges_unicasts());
  EXPECT_TRUE(whole.worms->circle.empty());
  EXPECT_FALSE(cut.exactly_once.ok());
  EXPECT_FALSE(cut.collective.ok());
}

TEST(DisjointPaths, AreForOneDestination) {
  const Routing routing = routing_on("hypercube:3");
  EXPECT_EQ(complaint_of([&] {
              planned("disjoint-paths", routing, broadcast(routing.topology(), node_id(0)));
            }),
            "algorithm disjoint-paths takes one destination, not 7");
}

}  // namespace
}  // namespace allport
