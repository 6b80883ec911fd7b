// SPDX-License-Identifier: Apache-2.0
// What [Wu95] claims of safety levels is tried on every set of missing nodes: of up to four of a
// 4-cube by day, of any of a 4-cube and up to four of a 5-cube by night, and on drawn ones of
// larger cubes. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other drawn ones (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "traffic/algorithms/safety_levels.h"

namespace allport {
namespace {

using testing::ElementsAre;

std::uint32_t size_of(const PartialCube& cube) {
  return static_cast<std::uint32_t>(cube.is_missing.size());
}

PartialCube cube_without(std::size_t dimensions, const std::vector<std::uint32_t>& missing) {
  PartialCube cube{dimensions, std::vector<bool>(std::size_t{1} << dimensions)};
  for (const std::uint32_t one : missing) cube.is_missing[one] = true;
  return cube;
}

PartialCube cube_without_set(std::size_t dimensions, std::uint32_t set) {
  PartialCube cube{dimensions, {}};
  for (std::uint32_t i = 0; i < std::uint32_t{1} << dimensions; ++i) {
    cube.is_missing.push_back((set >> i & 1U) != 0);
  }
  return cube;
}

// Calls `use` with the cube without each set of `least` to `most` nodes, of up to 2^5.
template <class Use>
void for_each_set(std::size_t dimensions, int least, int most, Use use) {
  const std::uint64_t end = std::uint64_t{1} << (1U << dimensions);
  for (int size = least; size <= most; ++size) {
    std::uint64_t set = (std::uint64_t{1} << size) - 1;
    while (set < end) {
      use(cube_without_set(dimensions, static_cast<std::uint32_t>(set)), size);
      if (set == 0) break;
      const std::uint64_t lowest = set & (~set + 1);  // the next set of that size
      const std::uint64_t carried = set + lowest;
      set = carried | ((set ^ carried) / lowest >> 2);
    }
  }
}

// What is wrong with the level of some node by the definition, to the letter; empty if nothing is.
std::string level_fault(const PartialCube& cube, const std::vector<int>& levels) {
  const int n = static_cast<int>(cube.dimensions);
  for (std::uint32_t node = 0; node < size_of(cube); ++node) {
    if (cube.is_missing[node]) {
      if (levels[node] != 0) return std::to_string(node) + " is missing";
      continue;
    }
    std::vector<int> s;
    for (int i = 0; i < n; ++i) s.push_back(levels[node ^ 1U << i]);
    std::sort(s.begin(), s.end());
    const auto has_first = [&](int k) {  // (s_0, .., s_(k-1)) >= (0, .., k-1)
      for (int i = 0; i < k; ++i) {
        if (s[static_cast<std::size_t>(i)] < i) return false;
      }
      return true;
    };
    const int level = levels[node];
    const bool is_right = level >= 0 && level <= n && has_first(level) &&
                          (level == n || s[static_cast<std::size_t>(level)] == level - 1);
    if (!is_right) return std::to_string(node) + " has no level " + std::to_string(level);
  }
  return {};
}

// The step in which each node hears on all ports: the source in 0; none: it does not.
std::vector<std::optional<int>> steps_of(const CubeTree& tree, std::uint32_t source) {
  std::vector<std::optional<int>> steps(tree.size());
  std::vector<std::uint32_t> heard{source};
  steps[source] = 0;
  for (std::size_t i = 0; i < heard.size(); ++i) {
    for (const std::uint32_t child : tree[heard[i]]) {
      steps[child] = *steps[heard[i]] + 1;
      heard.push_back(child);
      if (heard.size() > tree.size()) return steps;  // it runs in a circle
    }
  }
  return steps;
}

// What is wrong with `tree` as a broadcast from `source` in `most` steps, in words: every node that
// is there has one parent, a neighbour.
std::string broadcast_fault(const PartialCube& cube, const CubeTree& tree, std::uint32_t source,
                            int most) {
  std::vector<int> parents(tree.size());
  for (std::uint32_t node = 0; node < size_of(cube); ++node) {
    for (const std::uint32_t child : tree[node]) {
      const std::uint32_t differing = node ^ child;
      if (differing == 0 || (differing & (differing - 1)) != 0) return "no neighbour";
      if (cube.is_missing[node] || cube.is_missing[child]) return "a missing node takes part";
      ++parents[child];
    }
  }
  if (parents[source] != 0) return "the source receives";
  const auto steps = steps_of(tree, source);
  for (std::uint32_t node = 0; node < size_of(cube); ++node) {
    if (cube.is_missing[node] || node == source) continue;
    if (parents[node] != 1) return std::to_string(node) + " hears " + std::to_string(parents[node]);
    if (!steps[node]) return std::to_string(node) + " is not behind the source";
    if (*steps[node] > most) {
      return std::to_string(node) + " hears in step " + std::to_string(*steps[node]);
    }
  }
  return {};
}

CubeTree broadcast_from(const PartialCube& cube, std::uint32_t source) {
  return safety_broadcast(cube, safety_levels(cube), source);
}

bool hear_by_shortest_ways(const PartialCube& cube, const CubeTree& tree, std::uint32_t source) {
  const auto steps = steps_of(tree, source);
  for (std::uint32_t node = 0; node < size_of(cube); ++node) {
    if (!cube.is_missing[node] && steps[node] != __builtin_popcount(node ^ source)) return false;
  }
  return true;
}

bool has_safe_neighbour(const PartialCube& cube, const std::vector<int>& levels,
                        std::uint32_t node) {
  for (std::size_t i = 0; i < cube.dimensions; ++i) {
    if (levels[node ^ 1U << i] == static_cast<int>(cube.dimensions)) return true;
  }
  return false;
}

// What of [Wu95] does not hold of a broadcast from `source`, with `missing` nodes gone; empty if
// all does. Where there is no safe node around, what is left out is all that is wrong.
std::string source_fault(const PartialCube& cube, const std::vector<int>& levels, int missing,
                         std::uint32_t source, const CubeTree& tree) {
  const int n = static_cast<int>(cube.dimensions);
  if (levels[source] == n) {
    const std::string fault = broadcast_fault(cube, tree, source, n);
    const bool is_shortest = !fault.empty() || hear_by_shortest_ways(cube, tree, source);
    return is_shortest ? fault : "a longer way";
  }
  const bool is_safe_around = has_safe_neighbour(cube, levels, source);
  if (is_safe_around) return broadcast_fault(cube, tree, source, n + 1);
  if (missing < n) return "no safe neighbour";
  PartialCube reached = cube;
  for (const std::uint32_t node : left_out(tree, cube, source)) reached.is_missing[node] = true;
  return broadcast_fault(reached, tree, source, n + 1);
}

std::string source_fault(const PartialCube& cube, const std::vector<int>& levels, int missing,
                         std::uint32_t source) {
  return source_fault(cube, levels, missing, source, safety_broadcast(cube, levels, source));
}

// The same from any source, and of the levels.
std::string claim_fault(const PartialCube& cube, int missing) {
  const std::vector<int> levels = safety_levels(cube);
  if (const std::string fault = level_fault(cube, levels); !fault.empty()) return fault;
  for (std::uint32_t source = 0; source < size_of(cube); ++source) {
    if (cube.is_missing[source]) continue;
    const std::string fault = source_fault(cube, levels, missing, source);
    if (!fault.empty()) return "from " + std::to_string(source) + ": " + fault;
  }
  return {};
}

std::string in_words(const PartialCube& cube) {
  std::string words = "without";
  for (std::uint32_t node = 0; node < size_of(cube); ++node) {
    if (cube.is_missing[node]) words += " " + std::to_string(node);
  }
  return words;
}

void expect_claims(std::size_t dimensions, int least, int most) {
  for_each_set(dimensions, least, most, [&](const PartialCube& cube, int size) {
    ASSERT_EQ(claim_fault(cube, size), "") << in_words(cube);
  });
}

// Whether some spanning binomial tree rooted at `root` has no node that is there behind a missing
// one: of the subcube of `free` dimensions around it, one half has the root and the other one the
// child over some dimension, and so on in both.
class BinomialTrees {
 public:
  explicit BinomialTrees(const PartialCube& cube)
      : cube_(cube), known_(cube.is_missing.size() * cube.is_missing.size()) {}

  bool has_root(std::uint32_t root) { return spans(root, size_of(cube_) - 1); }

 private:
  bool spans(std::uint32_t node, std::uint32_t free) {
    if (cube_.is_missing[node]) return is_empty(node, free);
    std::optional<bool>& known = known_[node * cube_.is_missing.size() + free];
    if (known) return *known;
    bool is_found = free == 0;
    for (std::uint32_t rest = free; rest != 0 && !is_found; rest &= rest - 1) {
      const std::uint32_t bit = rest & (~rest + 1);
      is_found = spans(node ^ bit, free ^ bit) && spans(node, free ^ bit);
    }
    known = is_found;
    return is_found;
  }
  bool is_empty(std::uint32_t node, std::uint32_t free) const {
    for (std::uint32_t some = free;; some = (some - 1) & free) {
      if (!cube_.is_missing[node ^ some]) return false;
      if (some == 0) return true;
    }
  }

  const PartialCube& cube_;
  std::vector<std::optional<bool>> known_;  // by node and free dimensions
};

// The fewest nodes that are safe, and that root such a tree, over all sets of a size.
struct Fewest {
  int safe;
  int roots;
};

Fewest fewest(std::size_t dimensions, int size) {
  Fewest least{1 << dimensions, 1 << dimensions};
  for_each_set(dimensions, size, size, [&](const PartialCube& cube, int) {
    const std::vector<int> levels = safety_levels(cube);
    const auto safe = std::count(levels.begin(), levels.end(), static_cast<int>(dimensions));
    BinomialTrees trees(cube);
    int roots = 0;
    for (std::uint32_t node = 0; node < size_of(cube); ++node) {
      const bool is_root = !cube.is_missing[node] && trees.has_root(node);
      roots += is_root ? 1 : 0;
      const bool is_safe = levels[node] == static_cast<int>(dimensions);
      EXPECT_TRUE(is_root || !is_safe) << node << ' ' << in_words(cube);
    }
    least.safe = std::min(least.safe, static_cast<int>(safe));
    least.roots = std::min(least.roots, roots);
  });
  return least;
}

TEST(SafetyLevels, AreThoseOfTheDefinitionByHand) {
  // 0 and 3 have the same two missing neighbours.
  EXPECT_THAT(safety_levels(cube_without(3, {1, 2})), ElementsAre(1, 0, 0, 1, 3, 3, 3, 3));
  // 7 hears in the second round that its neighbours 3, 5 and 6 have lost theirs.
  EXPECT_THAT(safety_levels(cube_without(3, {1, 2, 4})), ElementsAre(1, 0, 0, 1, 0, 1, 1, 2));
  EXPECT_THAT(safety_levels(cube_without(3, {})), ElementsAre(3, 3, 3, 3, 3, 3, 3, 3));
  EXPECT_THAT(safety_levels(cube_without(1, {0})), ElementsAre(0, 1));
}

TEST(SafetyLevels, WithoutMissingNodesTheTreeIsTheBinomialOne) {
  const PartialCube cube = cube_without(4, {});
  const CubeTree tree = broadcast_from(cube, 5);
  EXPECT_THAT(tree[5], ElementsAre(5 ^ 8, 5 ^ 4, 5 ^ 2, 5 ^ 1));
  EXPECT_THAT(tree[5 ^ 4], ElementsAre(5 ^ 6, 5 ^ 5));
  EXPECT_THAT(tree[5 ^ 1], ElementsAre());
}

TEST(SafetyLevels, AnUnsafeSourceGoesThroughASafeNeighbour) {
  const PartialCube cube = cube_without(3, {1, 2});
  const CubeTree tree = broadcast_from(cube, 0);
  EXPECT_THAT(tree[0], ElementsAre(4));
  EXPECT_THAT(tree[4], ElementsAre(6, 5));
  EXPECT_EQ(broadcast_fault(cube, tree, 0, 4), "");
  EXPECT_THAT(steps_of(tree, 0)[3], testing::Optional(4));
}

TEST(SafetyLevels, EverySetOfUpToFourOf4DimensionsKeepsTheClaims) {
  for (std::size_t n = 1; n <= 3; ++n) expect_claims(n, 0, (1 << n) - 1);
  expect_claims(4, 0, 4);
}

// 65,535 sets, of which the 4-cube keeps a node, and 41,449.
TEST(ByNightSafetyLevels, EverySetOf4AndUpToFourOf5DimensionsKeepsTheClaims) {
  expect_claims(4, 5, 15);
  expect_claims(5, 0, 4);
}

// An n-cube without up to `most` nodes, close to each other or not: they then take more levels
// away.
PartialCube drawn_cube(test::Draw& draw, int n, int most) {
  PartialCube cube = cube_without(static_cast<std::size_t>(n), {});
  const auto around = static_cast<std::uint32_t>(draw.below(1 << n));
  const int near = 1 + draw.below(n);
  for (int left = 1 + draw.below(most); left > 0; --left) {
    std::uint32_t node = around;
    for (int flip = 0; flip < near; ++flip) node ^= 1U << draw.below(n);
    cube.is_missing[node] = true;
  }
  return cube;
}

int missing_of(const PartialCube& cube) {
  return static_cast<int>(std::count(cube.is_missing.begin(), cube.is_missing.end(), true));
}

TEST(SafetyLevels, DrawnSetsOfLargerCubesKeepTheClaims) {
  const test::RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    test::Draw draw(seed);
    const int n = 5 + draw.below(4);
    const PartialCube cube = drawn_cube(draw, n, 2 * n);
    ASSERT_EQ(claim_fault(cube, missing_of(cube)), "")
        << "seed " << seed << ": " << n << "-cube " << in_words(cube);
  }
}

// Of each a few sources: the first unsafe ones, and the first safe ones.
TEST(ByNightSafetyLevels, DrawnSetsOfUpTo20DimensionsKeepTheClaims) {
  for (int n = 9; n <= 20; ++n) {
    test::Draw draw(test::RandomCases(1).first + static_cast<std::uint64_t>(n));
    for (int time = 0; time < 3; ++time) {
      const PartialCube cube = drawn_cube(draw, n, n);
      const std::vector<int> levels = safety_levels(cube);
      ASSERT_EQ(level_fault(cube, levels), "") << n << "-cube " << in_words(cube);
      int tried[2] = {0, 0};
      for (std::uint32_t source = 0; source < size_of(cube); ++source) {
        if (cube.is_missing[source] || tried[levels[source] == n ? 1 : 0]++ >= 3) continue;
        ASSERT_EQ(source_fault(cube, levels, missing_of(cube), source), "")
            << n << "-cube " << in_words(cube) << " from " << source;
      }
    }
  }
}

PartialCube cube_without_random(test::Draw& draw, int n, int missing) {
  PartialCube cube = cube_without(static_cast<std::size_t>(n), {});
  while (missing > 0) {
    const auto node = static_cast<std::uint32_t>(draw.below(1 << n));
    if (cube.is_missing[node]) continue;
    cube.is_missing[node] = true;
    --missing;
  }
  return cube;
}

// Broadcasts from drawn sources on n-cubes without `missing` random nodes, which are far more than
// dimensions: what is claimed holds, whatever is left out. Says what was found, a line for the
// guide.
void expect_claims_without_random(int n, int missing, int cubes, int sources) {
  int reach_all = 0;
  int most_steps = 0;
  double safe = 0;
  std::size_t left_out_nodes = 0;
  for (int seed = 1; seed <= cubes; ++seed) {
    test::Draw draw(static_cast<std::uint64_t>(seed));
    const PartialCube cube = cube_without_random(draw, n, missing);
    const std::vector<int> levels = safety_levels(cube);
    ASSERT_EQ(level_fault(cube, levels), "") << n << "-cube, seed " << seed;
    const double there = static_cast<double>(cube.is_missing.size()) - missing;
    safe += static_cast<double>(std::count(levels.begin(), levels.end(), n)) / there;
    for (int left = sources; left > 0;) {
      const auto source = static_cast<std::uint32_t>(draw.below(1 << n));
      if (cube.is_missing[source]) continue;
      --left;
      const CubeTree tree = safety_broadcast(cube, levels, source);
      const std::string fault = source_fault(cube, levels, missing, source, tree);
      ASSERT_EQ(fault, "") << n << "-cube, seed " << seed << " from " << source;
      const std::size_t others = left_out(tree, cube, source).size();
      if (others == 0) ++reach_all;
      left_out_nodes += others;
      for (const std::optional<int>& step : steps_of(tree, source)) {
        most_steps = std::max(most_steps, step.value_or(0));
      }
    }
  }
  const int runs = cubes * sources;
  std::printf(
      "%2d dimensions, %6d missing: %5.1f %% safe, %d of %d reach all, %.1f are left "
      "out, %d steps at most\n",
      n, missing, 100 * safe / cubes, reach_all, runs, static_cast<double>(left_out_nodes) / runs,
      most_steps);
}

TEST(SafetyLevels, RandomSetsOfManyNodesOf15DimensionsKeepTheClaims) {
  constexpr int n = 15;
  expect_claims_without_random(n, (1 << n) / n, 1, 2);
  expect_claims_without_random(n, (1 << n) / (n * n), 1, 2);
}

TEST(ByNightSafetyLevels, RandomSetsOfManyNodesOfUpTo20DimensionsKeepTheClaims) {
  for (int n = 15; n <= 20; ++n) {
    for (const int share : {n * n, 2 * n, n}) {
      expect_claims_without_random(n, (1 << n) / share, n < 18 ? 3 : 1, 3);
    }
  }
}

// With m nodes missing at least 2^n - 2^m are safe, and root a binomial tree, and no bound is
// higher for m >= 2. The 2^n - 2m of catalogues is wrong from m = 3 on.
void expect_fewest(int n, int most) {
  for (int m = 1; m <= most; ++m) {
    const int bound = m == 1 ? (1 << n) - 1 : (1 << n) - (1 << m);
    const Fewest least = fewest(static_cast<std::size_t>(n), m);
    EXPECT_EQ(least.safe, bound) << n << ' ' << m;
    EXPECT_EQ(least.roots, bound) << n << ' ' << m;
    if (m > 2) {
      EXPECT_LT(least.roots, (1 << n) - 2 * m) << n << ' ' << m;
    }
  }
}

TEST(SafetyLevels, AtLeast2ToTheNLess2ToTheMNodesRootABinomialTree) {
  for (int n = 2; n <= 4; ++n) expect_fewest(n, n);
}

TEST(ByNightSafetyLevels, AtLeast2ToThe5Less2ToTheMNodesRootABinomialTree) { expect_fewest(5, 4); }

// The checks can fail.
TEST(SafetyLevels, WrongLevelsAndTreesAreSeen) {
  const PartialCube cube = cube_without(3, {1, 2});
  for (std::uint32_t node = 0; node < 8; ++node) {
    std::vector<int> levels = safety_levels(cube);
    --levels[node];
    EXPECT_NE(level_fault(cube, levels), "") << node;
    levels[node] += 2;
    EXPECT_NE(level_fault(cube, levels), "") << node;
  }
  const CubeTree tree = broadcast_from(cube, 5);
  ASSERT_EQ(broadcast_fault(cube, tree, 5, 2), "");
  const auto broken = [&](auto change) {
    CubeTree other = tree;
    change(other);
    return broadcast_fault(cube, other, 5, 3);
  };
  EXPECT_EQ(broken([](CubeTree& one) {
              one[5] = {7};
              one[6] = {4};
            }),
            "0 hears in step 4");
  EXPECT_EQ(broken([](CubeTree& one) {
              one[5] = {4};
              one[6] = {7};
            }),
            "3 is not behind the source");
  EXPECT_EQ(broken([](CubeTree& one) { one[7].clear(); }), "3 hears 0");
  EXPECT_EQ(broken([](CubeTree& one) { one[4].push_back(6); }), "6 hears 2");
  EXPECT_EQ(broken([](CubeTree& one) { one[4].push_back(3); }), "no neighbour");
  EXPECT_EQ(broken([](CubeTree& one) { one[3].push_back(2); }), "a missing node takes part");
  EXPECT_EQ(broken([](CubeTree& one) { one[4].push_back(5); }), "the source receives");
  EXPECT_FALSE(hear_by_shortest_ways(cube, safety_tree(cube, safety_levels(cube), 4, 5), 5));
}

}  // namespace
}  // namespace allport
