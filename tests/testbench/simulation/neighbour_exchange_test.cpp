// SPDX-License-Identifier: Apache-2.0
// Simulated exchanges among neighbours take the cycles of docs/timing.md, section 8, and every node
// has each block byte by byte (a run that ends otherwise is a broken invariant).
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/testbench/simulation/block_plans.h"

namespace allport::test {
namespace {

struct ExpectedExchange {
  const char* algorithm;
  Cycle messages;  // that a node prepares before it sends the last one of a dimension
  Cycle blocks;    // of its longest message
  Cycle rounds;    // one after another
};

void expect_cycles(const std::string& fabric, const std::vector<ExpectedExchange>& list) {
  const Routing routing = routing_on(fabric);
  for (const Times& times : all_times) {
    std::vector<PlannedCollective> plans;
    std::string text;
    for (const ExpectedExchange& one : list) {
      plans.push_back(of_blocks(one.algorithm, routing, 0));
      const Cycle round = one.messages * times.ts + 1 + one.blocks * times.flits + times.tr;
      text += std::to_string(one.rounds * round) + " ";
    }
    EXPECT_EQ(latencies(plans, routing, times), text) << fabric << " L " << times.flits;
  }
}

TEST(NeighbourExchange, TakesAsLongAsItsLastMessageOnAllPorts) {
  for (int n = 1; n <= 4; ++n) {
    expect_cycles("hypercube:" + std::to_string(n), {{"direct-neighbor", n, 1, 1}});
  }
  for (const auto& [fabric, ports] : std::vector<std::pair<const char*, Cycle>>{
           {"ring:2", 2}, {"ring:5", 2}, {"torus:3x4", 4}, {"torus:2x2", 4}, {"torus:2x3x4", 6}}) {
    expect_cycles(fabric, {{"direct-neighbor", ports, 1, 1}});
  }
}

TEST(NeighbourExchange, GoesThroughTheDimensionsInOneRoundEach) {
  expect_cycles("ring:5", {{"shift-neighbor-box", 2, 1, 1}, {"shift-neighbor-nw", 1, 1, 1}});
  for (const char* fabric : {"torus:2x2", "torus:3x4", "torus:5x5"}) {
    expect_cycles(fabric, {{"shift-neighbor-box", 2, 3, 2}, {"shift-neighbor-nw", 1, 2, 2}});
  }
  for (const char* fabric : {"torus:2x3x2", "torus:3x3x3"}) {
    expect_cycles(fabric, {{"shift-neighbor-box", 2, 9, 3}, {"shift-neighbor-nw", 1, 4, 3}});
  }
}

// The one port takes the messages one after another; those to the edge of a mesh are not there.
TEST(NeighbourExchange, TakesAStepForEachNeighbourOnOnePort) {
  for (const auto& [fabric, most] :
       std::vector<std::pair<const char*, int>>{{"torus:4x4", 4}, {"mesh:3x3", 4}, {"mesh:4", 2}}) {
    const PlannedCollective plan = of_blocks("direct-neighbor", routing_on(fabric), 0, 1);
    EXPECT_EQ(plan.schedule.steps(), most) << fabric;
    EXPECT_EQ(of_blocks("direct-neighbor", routing_on(fabric), 0).schedule.steps(), 1) << fabric;
  }
}

}  // namespace
}  // namespace allport::test
