// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/router/round_robin.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

TEST(RoundRobin, ChoosesTheRequesterAtOrNextAfterThePointer) {
  EXPECT_EQ(round_robin_choice(0b1010, 0), 1);
  EXPECT_EQ(round_robin_choice(0b1010, 1), 1);
  EXPECT_EQ(round_robin_choice(0b1010, 2), 3);
  EXPECT_EQ(round_robin_choice(0b0010, 2), 1);
  EXPECT_EQ(round_robin_choice(std::uint64_t{1} << 63, 5), 63);
}

TEST(RoundRobin, PutsTheOneAtThePointerFirstAndTheOneBeforeItLast) {
  EXPECT_EQ(round_robin_distance(2, 2, 5), 0);
  EXPECT_EQ(round_robin_distance(4, 2, 5), 2);
  EXPECT_EQ(round_robin_distance(0, 2, 5), 3);
  EXPECT_EQ(round_robin_distance(1, 2, 5), 4);
}

TEST(RoundRobin, GoesOnBehindTheWinner) {
  EXPECT_EQ(round_robin_next(0, 3), 1);
  EXPECT_EQ(round_robin_next(2, 3), 0);
  EXPECT_EQ(round_robin_next(0, 1), 0);
}

}  // namespace
}  // namespace allport
