// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/placement.h"
#include "traffic/planning/pieces.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "rtl_model/topology/grid.h"
#include "tests/traffic/algorithms/planning.h"
#include "traffic/planning/embedding.h"
#include "traffic/planning/groups.h"
#include "traffic/schedule/block_flow.h"

namespace allport {
namespace {

using testing::HasSubstr;

std::vector<std::vector<int>> grids_of(std::size_t dimensions, int longest) {
  std::vector<std::vector<int>> all{{}};
  for (std::size_t i = 0; i < dimensions; ++i) {
    std::vector<std::vector<int>> next;
    for (const std::vector<int>& sides : all) {
      for (int side = 2; side <= longest; ++side) {
        next.push_back(sides);
        next.back().push_back(side);
      }
    }
    all = next;
  }
  return all;
}

// Every grid with up to four dimensions: each node once, from neighbour to neighbour.
TEST(Placement, ToursCloseWhereverACycleExists) {
  for (const auto& [dimensions, longest] : {std::pair{1U, 9}, {2U, 9}, {3U, 6}, {4U, 4}}) {
    for (const std::vector<int>& sides : grids_of(dimensions, longest)) {
      for (const bool wrap : {false, true}) {
        const Grid grid(wrap ? TopologyKind::torus : TopologyKind::mesh, sides);
        const auto topology = std::make_shared<Grid>(grid);
        const Routing routing(topology, RoutingOrder::dimension_ordered);
        const Tour tour = tour_of(sides, wrap);

        std::vector<std::size_t> visited = tour.nodes;
        std::sort(visited.begin(), visited.end());
        std::vector<std::size_t> all(grid.node_count());
        std::iota(all.begin(), all.end(), std::size_t{0});
        EXPECT_EQ(visited, all) << grid.name();
        for (std::size_t i = 1; i < tour.nodes.size(); ++i) {
          EXPECT_EQ(routing.distance(node_id(tour.nodes[i - 1]), node_id(tour.nodes[i])), 1)
              << grid.name() << " " << i;
        }
        const bool returns =
            routing.distance(node_id(tour.nodes.back()), node_id(tour.nodes.front())) == 1;
        EXPECT_EQ(tour.closes, returns) << grid.name();
        const bool is_even = grid.node_count() % 2 == 0;
        const bool has_cycle = wrap || (dimensions > 1 && is_even) || grid.node_count() == 2;
        EXPECT_EQ(tour.closes, has_cycle) << grid.name();
      }
    }
  }
}

TEST(Placement, ASnakeLaysGridsIntoGrids) {
  for (const auto& [ranks, shape] : {std::pair{"ring:64", "mesh:8x8"},
                                     {"ring:64", "torus:4x4x4"},
                                     {"torus:4x16", "torus:4x4x4"},
                                     {"torus:16x4", "torus:4x4x4"},
                                     {"torus:9x5", "torus:3x3x5"},
                                     {"mesh:8x8", "hypercube:6"},
                                     {"ring:32", "hypercube:5"},
                                     {"mesh:9x3", "mesh:3x3x3"}}) {
    const Routing routing = routing_on(shape);
    const auto topology = parse_topology(ranks);
    const Placement placement{topology, snake_order(*topology, routing.topology())};

    EXPECT_EQ(dilation_of(placement, routing).longest, 1) << ranks << " on " << shape;
    EXPECT_EQ(dilation_of(placement, routing).far, 0U) << ranks << " on " << shape;
  }
}

TEST(Placement, APathHasALongWayBack) {
  const auto ring = parse_topology("ring:9");
  const Routing routing = routing_on("mesh:3x3");

  const Dilation dilation = dilation_of({ring, snake_order(*ring, routing.topology())}, routing);

  EXPECT_EQ(dilation.longest, 4);
  EXPECT_EQ(dilation.from, 0U);
  EXPECT_EQ(dilation.to, 8U);
  EXPECT_EQ(dilation.far, 2U);
  EXPECT_DOUBLE_EQ(dilation.mean, (16 * 1 + 2 * 4) / 18.0);
}

TEST(Placement, RandomOrdersArePermutationsThatTheSeedDetermines) {
  for (const std::size_t count : {2U, 3U, 64U, 1000U}) {
    std::vector<std::size_t> order = random_order(count, 7);
    EXPECT_EQ(order, random_order(count, 7));
    if (count > 3) {
      EXPECT_NE(order, random_order(count, 8));
    }
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(order[i], i);
  }
}

// Every place of the last of three, equally often.
TEST(Placement, RandomOrdersAreEven) {
  std::vector<int> counts(3);
  for (std::uint64_t seed = 0; seed < 3000; ++seed) ++counts[random_order(3, seed).back()];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 120);
}

TEST(Placement, RefusesWhatASnakeCannotLay) {
  const auto complaint = [](const char* ranks, const char* shape) {
    return complaint_of([&] { snake_order(*parse_topology(ranks), *parse_topology(shape)); });
  };
  EXPECT_EQ(complaint("ring:8", "mesh:3x3"), "ring:8 on mesh:3x3: it has 8 nodes, but must have 9");
  EXPECT_THAT(complaint("torus:6x6", "mesh:4x9"),
              HasSubstr("but 6 is not the product of the next sides of 4x9"));
  EXPECT_THAT(complaint("mesh:16x4", "mesh:8x8"), HasSubstr("16 is not the product"));
  EXPECT_THAT(complaint("hypercube:4", "mesh:4x4"), HasSubstr("only a ring, a torus or a mesh"));
}

std::vector<Placement> placements_of(const char* ranks, const Topology& shape) {
  const auto topology = parse_topology(ranks);
  std::vector<Placement> all{{topology, snake_order(*topology, shape)}};
  if (shape.is_hypercube()) all.push_back({topology, gray_order(*topology, shape)});
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    all.push_back({topology, {}});
    for (const std::size_t i : random_order(shape.node_count(), seed)) {
      all.back().nodes.push_back(node_id(i));
    }
  }
  all.push_back({topology, {}});
  for (std::size_t i = 0; i < shape.node_count(); ++i) all.back().nodes.push_back(node_id(i));
  return all;
}

// Every algorithm of the ranks' fabric, by every kind of placement, with one port, two and all:
// proved by the checker, and ready for the processors to run.
TEST(Placement, EveryAlgorithmIsProvedWhereverItsRanksSit) {
  int proved = 0;
  for (const auto& [ranks, shape] : {std::pair{"ring:8", "ring:8"},
                                     {"ring:8", "hypercube:3"},
                                     {"ring:9", "mesh:3x3"},
                                     {"ring:12", "mesh:4x3"},
                                     {"ring:15", "torus:5x3"},
                                     {"mesh:4x4", "hypercube:4"},
                                     {"torus:4x4", "torus:4x4"},
                                     {"torus:4x4", "mesh:4x2x2"}}) {
    const Routing host = routing_on(shape);
    for (const Placement& placement : placements_of(ranks, host.topology())) {
      const Embedding embedding(placement, host);
      for (const Algorithm& algorithm : algorithms()) {
        if (!algorithm.is_for(*placement.ranks) || algorithm.kind != MessageKind::unicast) continue;
        if (algorithm.is_synthesized) continue;
        for (const int ports : {1, 2, all_ports(host)}) {
          const Multicast goal = broadcast(host.topology(), node_id(3));
          const Schedule schedule = embedding.plan(algorithm, goal, ports);
          const std::size_t pieces =
              algorithm.operation == Operation::bcast ? piece_count(schedule) : 0;
          const Collective collective =
              pieces > 0 ? Collective(host.topology().node_count(), goal, pieces)
                         : collective_of(algorithm, host.topology(), goal,
                                         part_count(algorithm, embedding.guest().topology(), 0), {},
                                         embedding.neighbours(algorithm.operation));
          const bool has_blocks = algorithm.operation != Operation::bcast || pieces > 0;
          const ScheduleReport report = check_schedule(
              schedule,
              {host, ports, {goal.source}, goal.destinations, has_blocks ? &collective : nullptr});
          const std::string what = std::string(algorithm.name) + " of " + ranks + " on " + shape +
                                   " k " + std::to_string(ports);
          EXPECT_TRUE(report.exactly_once.ok()) << what;
          EXPECT_TRUE(report.causality.ok()) << what;
          EXPECT_TRUE(report.collective.ok()) << what;
          EXPECT_TRUE(report.routes_valid.ok()) << what;
          EXPECT_TRUE(report.port_rule.ok()) << what;
          if (has_blocks) {
            EXPECT_EQ(BlockFlow(schedule, collective).program_fault(), "") << what;
          }
          ++proved;
        }
      }
    }
  }
  EXPECT_GT(proved, 1500);
}

}  // namespace
}  // namespace allport
