// SPDX-License-Identifier: Apache-2.0
// The number of pieces that `--pieces best` chooses is compared with the simulation of other
// numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "tests/testbench/simulation/block_plans.h"

namespace allport::test {
namespace {

// The simulated latency in `pieces` pieces; -1 if something went wrong.
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

// Trees whose pieces meet no others on the way: theory and simulation agree.
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

}  // namespace
}  // namespace allport::test
