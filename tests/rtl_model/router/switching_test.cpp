// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/router/switching.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

constexpr int length = 6;

TEST(SwitchingNeeds, AsksForRoomForTheWholeMessageOfAHeadWhereBuffersHoldMessages) {
  EXPECT_EQ(needed_credits(Switching::wormhole, true, length), 1);
  EXPECT_EQ(needed_credits(Switching::circuit, true, length), 1);
  EXPECT_EQ(needed_credits(Switching::cut_through, true, length), length);
  EXPECT_EQ(needed_credits(Switching::store_and_forward, true, length), length);
}

TEST(SwitchingNeeds, WaitsForTheWholeMessageBehindAHeadWithStoreAndForwardAlone) {
  EXPECT_EQ(needed_flits(Switching::wormhole, true, length), 1);
  EXPECT_EQ(needed_flits(Switching::circuit, true, length), 1);
  EXPECT_EQ(needed_flits(Switching::cut_through, true, length), 1);
  EXPECT_EQ(needed_flits(Switching::store_and_forward, true, length), length);
}

TEST(SwitchingNeeds, LetsTheBodyFollowOnACredit) {
  for (const Switching switching : switching_modes) {
    EXPECT_EQ(needed_credits(switching, false, length), 1);
    EXPECT_EQ(needed_flits(switching, false, length), 1);
    EXPECT_TRUE(may_cross(switching, false, length, 1, 1));
    EXPECT_FALSE(may_cross(switching, false, length, 1, 0));
  }
}

TEST(SwitchingNeeds, LetsAHeadCrossOnlyWithAllThatItsModeDemands) {
  EXPECT_TRUE(may_cross(Switching::cut_through, true, length, 1, length));
  EXPECT_FALSE(may_cross(Switching::cut_through, true, length, length, length - 1));
  EXPECT_TRUE(may_cross(Switching::store_and_forward, true, length, length, length));
  EXPECT_FALSE(may_cross(Switching::store_and_forward, true, length, length - 1, length));
  EXPECT_FALSE(may_cross(Switching::store_and_forward, true, length, length, length - 1));
}

}  // namespace
}  // namespace allport
