// SPDX-License-Identifier: Apache-2.0
// Definition 5 and theorems 4 to 6 of [Robinson93], and that any cube-ordered chain may be given to
// Maxport. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include "traffic/algorithms/cube_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/traffic/algorithms/planning.h"
#include "traffic/algorithms/cube_frame.h"

namespace allport {
namespace {

using testing::ElementsAre;

constexpr std::size_t chains_of_the_4_cube = 1345209;

// Definition 5, word for word.
bool is_cube_ordered(const CubeChain& chain, std::size_t n) {
  for (std::size_t size = 0; size <= n; ++size) {
    for (std::uint32_t mask = 0; mask < 1U << (n - size); ++mask) {
      const auto is_in = [&](std::size_t i) { return chain[i] >> size == mask; };
      for (std::size_t i = 0; i < chain.size(); ++i) {
        for (std::size_t j = i; j < chain.size(); ++j) {
          for (std::size_t k = j; k < chain.size(); ++k) {
            if (is_in(i) && is_in(k) && !is_in(j)) return false;
          }
        }
      }
    }
  }
  return true;
}

// Calls `use` with every sequence of at most `most` distinct addresses below `count` that begins
// with `chain`.
template <class Use>
void for_each_sequence(CubeChain& chain, std::uint32_t count, std::size_t most, const Use& use) {
  if (!chain.empty()) use(chain);
  if (chain.size() == most) return;
  for (std::uint32_t next = 0; next < count; ++next) {
    if (std::find(chain.begin(), chain.end(), next) != chain.end()) continue;
    chain.push_back(next);
    for_each_sequence(chain, count, most, use);
    chain.pop_back();
  }
}

std::string printed(const CubeChain& chain) {
  std::ostringstream text;
  for (const std::uint32_t address : chain) text << address << ' ';
  return text.str();
}

std::vector<NodeId> nodes_of(const CubeChain& chain, const CubeFrame& frame) {
  std::vector<NodeId> list;
  for (const std::uint32_t address : chain) list.push_back(frame.node(address));
  return list;
}

Multicast goal_of(const std::vector<NodeId>& chain, const Routing& routing) {
  return multicast(routing.topology(), chain.front(), {chain.begin() + 1, chain.end()});
}

Schedule planned_along(std::string_view algorithm, const std::vector<NodeId>& chain,
                       const Routing& routing, int ports) {
  const Multicast goal = goal_of(chain, routing);
  PlanRequest request{routing, ports, goal};
  request.chain = chain;
  return plan(find_algorithm(algorithm), request);
}

// Whether `algorithm` along `chain` reaches everybody in steps that are free of contention, also
// of depth, whatever the delays.
bool is_free(std::string_view algorithm, const std::vector<NodeId>& chain, const Routing& routing,
             int ports) {
  const Schedule schedule = planned_along(algorithm, chain, routing, ports);
  const ScheduleReport report = checked(schedule, routing, goal_of(chain, routing), ports);
  return schedule.unicasts.size() + 1 == chain.size() && report.ok();
}

TEST(CubeChain, IsCubeOrderedByDefinition5) {
  for (std::size_t n = 1; n <= 3; ++n) {
    CubeChain chain;
    for_each_sequence(chain, 1U << n, 5, [&](const CubeChain& one) {
      const auto found = chain_break(one, n);
      ASSERT_EQ(!found, is_cube_ordered(one, n)) << printed(one);
      if (!found) return;
      EXPECT_TRUE(found->first < found->between && found->between < found->last);
      const std::uint32_t subcube = one[found->first] >> found->dimensions;
      EXPECT_EQ(one[found->last] >> found->dimensions, subcube) << printed(one);
      EXPECT_NE(one[found->between] >> found->dimensions, subcube) << printed(one);
    });
  }
}

TEST(CubeChain, NamesTheSubcubeOfABreakUnderBothOrders) {
  const Routing down = routing_on("hypercube:4");
  const Routing up = ascending_on("hypercube:4");
  const std::vector<NodeId> chain = nodes({0, 8, 3, 12});
  const auto below = chain_break(chain, down);
  ASSERT_TRUE(below);
  EXPECT_EQ(
      in_words(*below, chain, down),
      "0 (0000) and 3 (0011) are of the subcube 0xxx, and 8 (1000), which is between them, is not");
  const auto above = chain_break(chain, up);
  ASSERT_TRUE(above);
  EXPECT_EQ(
      in_words(*above, chain, up),
      "8 (1000) and 12 (1100) are of the subcube xxx0, and 3 (0011), which is between them, is not");
  EXPECT_FALSE(chain_break(nodes({0, 3, 12, 8}), down));
}

// [Robinson93, theorem 4]
TEST(CubeChain, EveryDimensionOrderedChainIsCubeOrdered) {
  for (std::uint32_t set = 1; set < 1U << 16; ++set) {
    CubeChain chain;
    for (std::uint32_t address = 0; address < 16; ++address) {
      if ((set >> address & 1U) != 0) chain.push_back(address);
    }
    ASSERT_FALSE(chain_break(chain, 4)) << printed(chain);
  }
}

// Those of all sequences that begin with 0.
TEST(CubeChain, EveryChainIsListedOnce) {
  for (std::size_t n = 1; n <= 3; ++n) {
    std::set<CubeChain> expected;
    CubeChain chain{0};
    for_each_sequence(chain, 1U << n, 1U << n, [&](const CubeChain& one) {
      if (one.size() > 1 && !chain_break(one, n)) expected.insert(one);
    });
    std::set<CubeChain> listed;
    for_each_cube_chain(
        n, [&](const CubeChain& one) { EXPECT_TRUE(listed.insert(one).second) << printed(one); });
    EXPECT_EQ(listed, expected) << n;
  }
  std::size_t count = 0;
  for_each_cube_chain(4, [&](const CubeChain&) { ++count; });
  EXPECT_EQ(count, chains_of_the_4_cube);
  EXPECT_EQ(complaint_of([] { for_each_cube_chain(5, [](const CubeChain&) {}); }),
            "there are too many chains of a cube of more than 4 dimensions");
}

// [Robinson93, theorem 5]
TEST(CubeChain, EveryWeightedSortOfAChainIsOneOfTheSameNodesFromTheSameSource) {
  for (std::size_t n = 1; n <= 3; ++n) {
    for_each_cube_chain(n, [&](const CubeChain& one) {
      CubeChain sorted = one;
      weighted_sort(sorted, n);
      ASSERT_FALSE(chain_break(sorted, n)) << printed(one);
      ASSERT_TRUE(std::is_permutation(one.begin(), one.end(), sorted.begin(), sorted.end()));
      ASSERT_EQ(sorted.front(), 0U);
    });
  }
}

// "It is possible to input any cube-ordered chain .. to Maxport and still be able to avoid
// contention" [Robinson93, sec. 4.2], and W-sort by theorem 6.
TEST(CubeChain, EveryChainOfASmallCubeIsFreeOfContentionUnderMaxportAndWsort) {
  for (std::size_t n = 1; n <= 3; ++n) {
    const std::string shape = "hypercube:" + std::to_string(n);
    for (const Routing& cube : {routing_on(shape), ascending_on(shape)}) {
      for_each_cube_chain(n, [&](const CubeChain& one) {
        for (std::size_t source = 0; source < cube.topology().node_count(); ++source) {
          const auto chain = nodes_of(one, CubeFrame(cube, node_id(source)));
          for (const char* algorithm : {"maxport", "wsort"}) {
            ASSERT_TRUE(is_free(algorithm, chain, cube, static_cast<int>(n)))
                << algorithm << ' ' << printed(one) << "from " << source;
          }
        }
      });
    }
  }
}

// All of them by night, and some by day.
TEST(CubeChain, EveryChainOfThe4CubeIsFreeOfContentionUnderMaxport) {
  const Routing cube = routing_on("hypercube:4");
  const test::RandomCases cases(3000);
  const std::size_t every =
      std::max<std::size_t>(1, chains_of_the_4_cube / (cases.end - cases.first));
  std::size_t number = 0;
  for_each_cube_chain(4, [&](const CubeChain& one) {
    if (number++ % every != 0) return;
    ASSERT_TRUE(is_free("maxport", nodes_of(one, CubeFrame(cube, node_id(0))), cube, 4))
        << printed(one);
  });
}

struct ChainCase {
  Routing routing;
  std::vector<NodeId> chain;
  int ports;
};

ChainCase draw_chain(std::uint64_t seed) {
  test::Draw draw(seed);
  const int n = 2 + draw.below(8);
  const std::string shape = "hypercube:" + std::to_string(n);
  const Routing routing = draw.below(2) == 0 ? routing_on(shape) : ascending_on(shape);
  const std::size_t population = std::size_t{1} << n;
  const auto most = static_cast<int>(std::min<std::size_t>(population - 1, 200));
  const auto size = static_cast<std::size_t>(1 + draw.below(most));
  CubeChain chain{0};
  for (const std::size_t relative : draw.subset(population - 1, size)) {
    chain.push_back(static_cast<std::uint32_t>(relative + 1));
  }
  std::sort(chain.begin(), chain.end());
  SplitMix64 generator(seed);
  shuffle_cube_chain(chain, static_cast<std::size_t>(n), generator);
  const NodeId source = node_id(static_cast<std::size_t>(draw.below(static_cast<int>(population))));
  const int ports = draw.below(3) > 0 ? n : 1 + draw.below(n);
  return {routing, nodes_of(chain, CubeFrame(routing, source)), ports};
}

TEST(CubeChain, RandomChainsOfLargeCubesAreFreeOfContentionUnderMaxportAndWsort) {
  const test::RandomCases cases(300);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const ChainCase drawn = draw_chain(seed);
    ASSERT_FALSE(chain_break(drawn.chain, drawn.routing)) << "case " << seed;
    const CubeFrame frame(drawn.routing, drawn.chain.front());
    CubeChain sorted;
    for (const NodeId node : drawn.chain) sorted.push_back(frame.address(node));
    weighted_sort(sorted, frame.dimensions());
    ASSERT_FALSE(chain_break(sorted, frame.dimensions())) << "case " << seed;
    for (const char* algorithm : {"maxport", "wsort"}) {
      ASSERT_TRUE(is_free(algorithm, drawn.chain, drawn.routing, drawn.ports))
          << algorithm << ", case " << seed;
    }
  }
}

// U-cube and Combine reach everybody along any of them, and the ascending one is the default.
TEST(CubeChain, RandomChainsAreServedByAllFour) {
  const test::RandomCases cases(300);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const ChainCase drawn = draw_chain(seed);
    const Multicast goal = goal_of(drawn.chain, drawn.routing);
    const CubeFrame frame(drawn.routing, goal.source);
    CubeChain ascending{0};
    for (const NodeId node : goal.destinations) ascending.push_back(frame.address(node));
    std::sort(ascending.begin(), ascending.end());
    for (const char* algorithm : {"ucube", "maxport", "combine", "wsort"}) {
      const Schedule schedule = planned_along(algorithm, drawn.chain, drawn.routing, drawn.ports);
      const ScheduleReport report = checked(schedule, drawn.routing, goal, drawn.ports);
      ASSERT_TRUE(report.collective.ok() && report.port_rule.ok() && report.routes_valid.ok())
          << algorithm << ", case " << seed;
      ASSERT_EQ(
          printed(planned_along(algorithm, nodes_of(ascending, frame), drawn.routing, drawn.ports)),
          printed(planned(algorithm, drawn.routing, goal, drawn.ports)))
          << algorithm << ", case " << seed;
    }
  }
}

// Figure 8(c) is Maxport along the weighted chain.
TEST(CubeChain, MaxportAlongTheWeightedChainIsWsort) {
  const Routing cube = routing_on("hypercube:4");
  const std::vector<NodeId> weighted = nodes({0, 1, 3, 5, 7, 14, 15, 12, 11});
  EXPECT_EQ(printed(planned_along("maxport", weighted, cube, 4)),
            printed(planned("wsort", cube, goal_of(weighted, cube))));
}

TEST(CubeChain, WhatIsNoChainOfTheGoalIsRefused) {
  const Routing cube = routing_on("hypercube:4");
  const Multicast goal = multicast(cube.topology(), node_id(0), nodes({3, 8, 12}));
  const auto complaint = [&](const char* algorithm, const std::vector<std::size_t>& chain) {
    PlanRequest request{cube, 4, goal};
    request.chain = nodes(chain);
    return complaint_of([&] { plan(find_algorithm(algorithm), request); });
  };
  EXPECT_EQ(
      complaint("maxport", {0, 8, 3, 12}),
      "the chain is not cube-ordered: 0 (0000) and 3 (0011) are of the subcube 0xxx, and 8 (1000), which is between them, is not");
  EXPECT_EQ(complaint("sbt", {0, 3, 8, 12}),
            "algorithm sbt takes no chain; a chain is for ucube, maxport, combine, wsort");
  for (const std::vector<std::size_t>& other :
       {std::vector<std::size_t>{3, 0, 8, 12}, {0, 3, 8}, {0, 3, 8, 12, 13}, {0, 3, 8, 8}}) {
    EXPECT_EQ(complaint("ucube", other),
              "the chain must be the source and, behind it, each destination once");
  }
}

}  // namespace
}  // namespace allport
