// SPDX-License-Identifier: Apache-2.0
// What tries the lemmas of [Robinson93] must see where they are false: on paths that resolve
// addresses from low to high (theorem 2 is true there too), and in trees that are not for one port.
#include "testbench/studies/reproduce/papers/robinson/path_lemmas.h"

#include <gtest/gtest.h>

#include "testbench/studies/reproduce/papers/hou/doubling.h"
#include "traffic/algorithms/algorithms.h"

namespace allport {
namespace {

// The paths of a cube of n dimensions between different nodes.
std::size_t paths(std::size_t n) { return (std::size_t{1} << n) * ((std::size_t{1} << n) - 1); }

TEST(PathLemmas, AreTriedOnEveryPathOfTheSmallCubes) {
  std::size_t all = 0;
  for (std::size_t n = 1; n <= cube_of_all_paths; ++n) all += paths(n);
  for (const auto& tried_by : {lemma_1, falling_dimensions}) {
    const Tried tried = tried_by({0, 1});
    EXPECT_EQ(tried.cases, all);
    EXPECT_EQ(tried.broken, 0U);
  }
}

TEST(PathLemmas, AreSeenToBeFalseInTheOtherOrder) {
  for (const auto& tried_by : {lemma_1, falling_dimensions, theorem_1}) {
    const Tried tried = tried_by({1000, 1, RoutingOrder::ascending});
    EXPECT_GT(tried.broken, 0U);
    EXPECT_LT(tried.broken, tried.cases);
  }
}

TEST(Doubling, MessagesThatMayWantOneClassAreSeen) {
  const Routing routing(parse_topology("torus:8x8"), RoutingOrder::dimension_ordered);
  const Multicast goal = broadcast(routing.topology(), node_id(0));
  const auto is_free = [&](const char* algorithm, int ports) {
    return is_free_by_classes(
        {routing, ports, goal, plan(find_algorithm(algorithm), {routing, ports, goal})});
  };
  EXPECT_TRUE(is_free("utorus", 1));
  EXPECT_FALSE(is_free("zblock", 4));
}

}  // namespace
}  // namespace allport
