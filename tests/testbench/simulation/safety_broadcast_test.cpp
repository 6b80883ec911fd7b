// SPDX-License-Identifier: Apache-2.0
// Broadcasts by safety levels on hypercubes too large for a table of routes. All messages go to
// neighbours, over channels that are there, so that the whole cube carries them in the cycles in
// which what is left of it does.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/testbench/program/options/option_setting.h"
#include "tests/testbench/simulation/experiment.h"
#include "traffic/algorithms/safety_levels.h"
#include "traffic/schedule/step_assignment.h"

namespace allport::test {
namespace {

PartialCube cube_without(Draw& draw, int n, int missing) {
  PartialCube cube{static_cast<std::size_t>(n), std::vector<bool>(std::size_t{1} << n)};
  while (missing > 0) {
    const auto node = static_cast<std::size_t>(draw.below(1 << n));
    if (cube.is_missing[node]) continue;
    cube.is_missing[node] = true;
    --missing;
  }
  return cube;
}

std::uint32_t drawn_source(Draw& draw, const PartialCube& cube) {
  for (;;) {
    const auto node = static_cast<std::uint32_t>(draw.below(1 << cube.dimensions));
    if (!cube.is_missing[node]) return node;
  }
}

// What the nodes that `tree` leads to have to be sent on the whole cube.
PlannedCollective planned_on(const Routing& routing, const CubeTree& tree, std::uint32_t source) {
  PlannedCollective planned{{node_id(source)}, {}, {}};
  StepAssignment programs(routing, all_ports(routing));
  std::vector<std::pair<std::uint32_t, StepIndex>> holders{{source, 0}};
  while (!holders.empty()) {
    const auto [node, received] = holders.back();
    holders.pop_back();
    programs.begin(node_id(node), received, node);
    for (const std::uint32_t child : tree[node]) {
      planned.destinations.push_back(node_id(child));
      holders.emplace_back(child, programs.send(node_id(child)));
    }
  }
  std::sort(planned.destinations.begin(), planned.destinations.end());
  planned.schedule = programs.take();
  return planned;
}

// What a run has found, in a line.
std::string in_words(const Results& results) {
  return fault_of(results) + contention_of(results) +
         std::to_string(results.destinations - results.missing) + " have it, the last one after " +
         std::to_string(results.latency.max) + " cycles";
}

std::string by_worms_on_the_whole_cube(std::size_t dimensions, const CubeTree& tree,
                                       std::uint32_t source) {
  return forked([&] {
    const Routing routing = routing_on("hypercube:" + std::to_string(dimensions));
    Experiment config = Experiment().times(50, 0);
    config.is_transaction_level = true;
    Simulation simulation(config, routing);
    return in_words(simulation.run({1, {planned_on(routing, tree, source)}}));
  });
}

std::string on_what_is_left(const PartialCube& cube, std::uint32_t source) {
  std::string missing;
  for (std::size_t i = 0; i < cube.is_missing.size(); ++i) {
    if (cube.is_missing[i]) missing += (missing.empty() ? "" : ",") + std::to_string(i);
  }
  const RunPlan run = plan(options({{"topology", "hypercube:" + std::to_string(cube.dimensions)},
                                    {"missing_nodes", missing},
                                    {"algorithm", "safety-bcast"},
                                    {"source", std::to_string(source)},
                                    {"ts", "50"}})
                               .run);
  return in_words(simulate(run));
}

TEST(SafetyBroadcast, HasOnTheWholeCubeTheCyclesThatItHasOnWhatIsLeft) {
  const RandomCases cases(12);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed);
    const int n = 3 + draw.below(5);
    const PartialCube cube = cube_without(draw, n, 1 + draw.below(n - 1));
    const std::uint32_t source = drawn_source(draw, cube);
    const CubeTree tree = safety_broadcast(cube, safety_levels(cube), source);
    EXPECT_EQ(by_worms_on_the_whole_cube(cube.dimensions, tree, source),
              on_what_is_left(cube, source))
        << "seed " << seed;
  }
}

// Says what was found, a line for the guide.
void expect_no_contention(int n, int missing, int sources) {
  Draw draw(1);
  const PartialCube cube = cube_without(draw, n, missing);
  const std::vector<int> levels = safety_levels(cube);
  for (int left = sources; left > 0; --left) {
    const std::uint32_t source = drawn_source(draw, cube);
    const CubeTree tree = safety_broadcast(cube, levels, source);
    const std::size_t others = left_out(tree, cube, source).size();
    const std::string found = by_worms_on_the_whole_cube(cube.dimensions, tree, source);
    const std::size_t reached =
        cube.is_missing.size() - static_cast<std::size_t>(missing) - 1 - others;
    EXPECT_EQ(found.rfind(std::to_string(reached) + " have it", 0), 0U)
        << n << " dimensions from " << source << ": " << found;
    std::printf("%2d dimensions, %6d missing, from %7u: %s\n", n, missing, source, found.c_str());
  }
}

TEST(SafetyBroadcast, On15DimensionsMeetsNobody) { expect_no_contention(15, (1 << 15) / 15, 1); }

TEST(ByNightSafetyBroadcast, OnUpTo20DimensionsMeetsNobody) {
  for (int n = 15; n <= 20; ++n) {
    for (const int share : {n * n, 2 * n, n}) expect_no_contention(n, (1 << n) / share, 3);
  }
}

}  // namespace
}  // namespace allport::test
