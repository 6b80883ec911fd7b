// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/grid.h"

#include <gmock/gmock.h>

#include <limits>

namespace allport {
namespace {

using testing::ElementsAre;

Axis axis(const std::string& key, const std::string& values) {
  return {{key}, {parse_values(values, ',')}};
}

TEST(SweepGrid, IsTheProductOfItsAxesTheLastOneFastest) {
  const SweepGrid grid({axis("flits", "16,64"), axis("ts", "0,1,2")});

  EXPECT_EQ(grid.size(), 6U);
  EXPECT_THAT(grid.point(0), ElementsAre("16", "0"));
  EXPECT_THAT(grid.point(1), ElementsAre("16", "1"));
  EXPECT_THAT(grid.point(3), ElementsAre("64", "0"));
  EXPECT_THAT(grid.point(5), ElementsAre("64", "2"));
}

TEST(SweepGrid, ZippedKeysAdvanceTogether) {
  const SweepGrid grid({{{"flits", "ts"}, {parse_values("16,64", ','), parse_values("5,9", ',')}},
                        axis("seed", "1..2")});

  EXPECT_EQ(grid.size(), 4U);
  EXPECT_THAT(grid.keys(), ElementsAre("flits", "ts", "seed"));
  EXPECT_THAT(grid.point(1), ElementsAre("16", "5", "2"));
  EXPECT_THAT(grid.point(2), ElementsAre("64", "9", "1"));
}

TEST(SweepGrid, KnowsWhatVaries) {
  const SweepGrid grid({axis("flits", "16"), axis("ts", "0,1")});

  EXPECT_FALSE(grid.is_varied(0));
  EXPECT_TRUE(grid.is_varied(1));
}

TEST(SweepGrid, WithoutAxesHasOnePoint) { EXPECT_EQ(SweepGrid({}).size(), 1U); }

TEST(SweepGrid, ASizeBeyondCountingDoesNotWrapRound) {
  const SweepGrid grid(
      {axis("a", "1..10000000000"), axis("b", "1..10000000000"), axis("c", "1..10000000000")});

  EXPECT_EQ(grid.size(), std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace allport
