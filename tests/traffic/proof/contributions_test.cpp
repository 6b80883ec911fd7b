// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/contributions.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <vector>

#include "tests/support/draw.h"

namespace allport {
namespace {

using Nodes = std::set<std::size_t>;

// The first node of `nodes` that is, or is not, one of `others`.
std::optional<NodeId> first(const Nodes& nodes, const Nodes& others, bool is_in) {
  for (const std::size_t node : nodes) {
    if ((others.count(node) > 0) == is_in) return node_id(node);
  }
  return std::nullopt;
}

TEST(Contributions, ARangeIsOneSet) {
  Contributions sum(node_id(5));
  sum.add(Contributions(node_id(7)));
  EXPECT_EQ(sum.missing(Contributions(node_id(6))), node_id(6));
  sum.add(Contributions(node_id(6)));

  EXPECT_EQ(sum.count(), 3U);
  EXPECT_FALSE(sum.missing(Contributions(node_id(6))).has_value());
  EXPECT_FALSE(sum.common(Contributions(node_id(4))).has_value());
  EXPECT_EQ(sum.common(sum), node_id(5));
  EXPECT_EQ(sum.missing(Contributions(node_id(8))), node_id(8));
}

TEST(Contributions, AreTheSetsThatTheyStandFor) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    test::Draw draw(seed);
    const auto count = static_cast<std::size_t>(1 + draw.below(40));
    std::vector<Contributions> sums;
    std::vector<Nodes> sets;
    for (std::size_t i = 0; i < count; ++i) {
      sums.emplace_back(node_id(i));
      sets.push_back({i});
    }
    for (int step = 0; step < 60; ++step) {
      const auto a = static_cast<std::size_t>(draw.below(static_cast<int>(count)));
      const auto b = static_cast<std::size_t>(draw.below(static_cast<int>(count)));
      EXPECT_EQ(sums[a].common(sums[b]), first(sets[a], sets[b], true)) << seed;
      EXPECT_EQ(sums[a].missing(sums[b]), first(sets[b], sets[a], false)) << seed;
      if (draw.below(5) == 0) {
        sums[a] = sums[b];
        sets[a] = sets[b];
      } else {
        sums[a].add(sums[b]);
        sets[a].insert(sets[b].begin(), sets[b].end());
      }
      EXPECT_EQ(sums[a].count(), sets[a].size()) << seed;
    }
  }
}

}  // namespace
}  // namespace allport
