// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/adaptive_deadlock.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

PortMask all(PortMask useful) { return useful; }
PortMask none(PortMask) { return 0; }
PortMask lowest(PortMask useful) { return useful & (~useful + 1); }
// Goes up while three dimensions or more are left, then down.
PortMask turning(PortMask useful) {
  return __builtin_popcountll(useful) > 2 ? lowest(useful) : adaptive_relation().escape(useful);
}

TEST(AdaptiveDeadlock, TheEscapeChannelsOfEveryCubeLeadEverywhereWithoutACycle) {
  for (std::size_t n = 1; n <= 20; ++n) {
    EXPECT_EQ(find_missing_escape(adaptive_relation(), n), 0U) << n;
    EXPECT_TRUE(find_escape_cycle(adaptive_relation(), n).empty()) << n;
  }
}

TEST(AdaptiveDeadlock, WithoutEscapeChannelsAFaceOfTheCubeHasACycle) {
  EXPECT_TRUE(find_adaptive_cycle(1).empty());
  for (std::size_t n = 2; n <= 20; ++n) {
    const auto cube = parse_topology("hypercube:" + std::to_string(n));
    EXPECT_EQ(
        describe_cycle(*cube, find_adaptive_cycle(n), false),
        "0 -> 1 (dimension 0), 1 -> 3 (dimension 1), 3 -> 2 (dimension 0), 2 -> 0 (dimension 1), 0 -> 1 (dimension 0)");
  }
}

TEST(AdaptiveDeadlock, AnEscapeThatMayTakeAnyDimensionIsSeenToHaveACycle) {
  for (const std::size_t n : {2, 3, 6, 7, 20}) {
    EXPECT_FALSE(find_escape_cycle({all, all}, n).empty()) << n;
  }
}

TEST(AdaptiveDeadlock, DependenciesByWayOfAdaptiveChannelsCount) {
  EXPECT_TRUE(find_escape_cycle({lowest, all}, 5).empty());
  EXPECT_TRUE(find_escape_cycle({lowest, none}, 5).empty());
  EXPECT_FALSE(find_escape_cycle({turning, none}, 4).empty());
  EXPECT_FALSE(find_escape_cycle({turning, all}, 3).empty());
}

TEST(AdaptiveDeadlock, AnEscapeThatEndsOrLeadsAstrayIsSeen) {
  EXPECT_EQ(find_missing_escape({none, all}, 3), 1U);
  EXPECT_EQ(find_missing_escape({[](PortMask) { return PortMask{1}; }, all}, 3), 2U);
}

}  // namespace
}  // namespace allport
