// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allport {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(DelayLine, ShowsAnItemInItsCycleAndInNoOther) {
  for (const int reach : {1, 2, 5}) {
    DelayLine<char> line(reach);

    line.put(10 + reach, 'a');  // as far ahead as it can be in cycle 10

    for (Cycle cycle = 10; cycle < 10 + reach; ++cycle) EXPECT_THAT(line.on(cycle), IsEmpty());
    EXPECT_THAT(line.on(10 + reach), ElementsAre('a'));
  }
}

TEST(DelayLine, ShowsTheItemsOfACycleInTheOrderTheyWerePut) {
  DelayLine<char> line(3);

  line.put(2, 'a');
  line.put(3, 'x');
  line.put(2, 'b');

  EXPECT_THAT(line.on(2), ElementsAre('a', 'b'));
  EXPECT_THAT(line.on(3), ElementsAre('x'));
}

TEST(DelayLine, IsEmptyAgainOnceACycleIsOver) {
  DelayLine<char> line(2);
  line.put(1, 'a');
  line.put(2, 'b');

  line.clear(1);

  EXPECT_THAT(line.on(1), IsEmpty());
  EXPECT_THAT(line.on(4), IsEmpty());  // the same registers, reach + 1 cycles later
  EXPECT_THAT(line.on(2), ElementsAre('b'));
}

TEST(DelayLine, CarriesAnItemInEveryCycle) {
  DelayLine<Cycle> line(3);
  for (Cycle now = 0; now < 20; ++now) {
    line.put(now + 3, now);

    if (now >= 3) {
      EXPECT_THAT(line.on(now), ElementsAre(now - 3));
    }
    line.clear(now);
  }
}

TEST(DelayLine, IsEmptyAfterReset) {
  DelayLine<char> line(2);
  line.put(0, 'a');
  line.put(1, 'b');
  line.put(2, 'c');

  line.clear();

  for (Cycle cycle = 0; cycle < 3; ++cycle) EXPECT_THAT(line.on(cycle), IsEmpty());
}

}  // namespace
}  // namespace allport
