// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/interval_cut.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace allport {
namespace {

// The positions that `steps` steps serve from 0, with `below` and `above` positions on its two
// sides.
std::multiset<int> served(int below, int above, int parts_per_side, int steps) {
  std::vector<Interval> holders{{0, below, above}};
  std::multiset<int> positions{0};
  for (int left = steps; left > 0; --left) {
    const std::size_t senders = holders.size();
    for (std::size_t i = 0; i < senders; ++i) {
      Interval own = holders[i];
      for (const Handover& one : cut(own, parts_per_side, left == 1)) {
        positions.insert(one.part.at);
        holders.push_back(one.part);
      }
      holders[i] = own;
    }
  }
  return positions;
}

TEST(IntervalCut, ServesEveryPositionOnceInTheLogarithmOfTheirNumber) {
  for (const int parts : {1, 2}) {
    for (int above = 0; above <= 62; ++above) {
      for (int below = std::max(0, above - 1); below <= above; ++below) {
        const int steps = ceil_logarithm(2 * parts + 1, 2 * above + 1);
        const std::multiset<int> positions = served(below, above, parts, steps);
        EXPECT_EQ(positions.size(), static_cast<std::size_t>(below + above + 1));
        EXPECT_EQ(std::set<int>(positions.begin(), positions.end()).size(), positions.size());
        EXPECT_EQ(*positions.begin(), -below);
        EXPECT_EQ(*positions.rbegin(), above);
      }
    }
  }
}

TEST(IntervalCut, HandsOnNearAndFarPartsOnBothSides) {
  Interval own{10, 2, 12};

  const std::vector<Handover> parts = cut(own, 2, false);

  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(own.above, 2);
  EXPECT_EQ(own.below, 0);
  EXPECT_EQ(parts[0].part.at, 15);
  EXPECT_EQ(parts[1].part.at, 20);
  EXPECT_TRUE(parts[1].is_far);
  EXPECT_EQ(parts[2].part.at, 9);
  EXPECT_EQ(parts[2].part.below, 1);
}

TEST(IntervalCut, StandsAtTheEndInTheLastStepOnly) {
  for (int above = 2; above <= 62; ++above) {
    Interval own{0, 0, above};
    for (const Handover& one : cut(own, 2, false)) EXPECT_LT(one.part.at, above);
  }
}

TEST(IntervalCut, RoundsLogarithmsUp) {
  EXPECT_EQ(ceil_logarithm(5, 1), 0);
  EXPECT_EQ(ceil_logarithm(5, 5), 1);
  EXPECT_EQ(ceil_logarithm(5, 6), 2);
  EXPECT_EQ(ceil_logarithm(5, 126), 4);
  EXPECT_EQ(ceil_logarithm(3, 81), 4);
}

}  // namespace
}  // namespace allport
