// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/calendar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "tests/support/draw.h"

namespace allport::test {
namespace {

using What = WormEvent::What;

std::vector<std::uint32_t> targets(const std::vector<WormEvent>& events) {
  std::vector<std::uint32_t> list;
  for (const WormEvent& event : events) list.push_back(event.target);
  return list;
}

TEST(WormCalendar, IsEmptyAtFirst) {
  WormCalendar calendar;

  EXPECT_EQ(calendar.next_moment(), WormCalendar::never);
}

TEST(WormCalendar, PutsReceptionBeforeInjectionBeforeSwitchingInACycle) {
  WormCalendar calendar;
  calendar.post(7, WormPhase::switching, {1, What::timer});
  calendar.post(7, WormPhase::reception, {2, What::timer});
  calendar.post(7, WormPhase::injection, {3, What::timer});

  for (const auto& [phase, target] : std::vector<std::pair<WormPhase, std::uint32_t>>{
           {WormPhase::reception, 2}, {WormPhase::injection, 3}, {WormPhase::switching, 1}}) {
    const Cycle moment = calendar.next_moment();
    EXPECT_EQ(moment, WormCalendar::moment(7, phase));
    EXPECT_EQ(targets(calendar.turn_to(moment)), std::vector<std::uint32_t>{target});
    calendar.finish_page(moment);
  }
  EXPECT_EQ(calendar.next_moment(), WormCalendar::never);
}

TEST(WormCalendar, KeepsEventsInOrderNearAndFar) {
  WormCalendar calendar;
  Draw draw(5);
  std::vector<Cycle> due;
  Cycle now = 0;
  for (int i = 0; i < 20000; ++i) {
    const Cycle cycle = now + draw.below(draw.below(4) == 0 ? 5000 : 3);
    calendar.post(cycle, WormPhase::switching, {0, What::timer});
    due.push_back(cycle);
    if (draw.below(3) != 0) continue;
    const Cycle moment = calendar.next_moment();
    const auto earliest = std::min_element(due.begin(), due.end());
    ASSERT_EQ(WormCalendar::cycle_of(moment), *earliest);
    now = *earliest;
    const std::size_t found = calendar.turn_to(moment).size();
    calendar.finish_page(moment);
    const auto end = std::remove(due.begin(), due.end(), now);
    ASSERT_EQ(static_cast<std::size_t>(due.end() - end), found);
    due.erase(end, due.end());
  }
}

TEST(WormCalendar, KeepsTheEventsOfAMomentInTheOrderInWhichTheyWerePostedFromFarAndNear) {
  WormCalendar calendar;
  const Cycle far = 3000;
  std::vector<std::uint32_t> posted;
  for (std::uint32_t target = 0; target < 40; ++target) {
    calendar.post(far, WormPhase::switching, {target, What::timer});
    posted.push_back(target);
  }
  const Cycle moment = WormCalendar::moment(far, WormPhase::switching);
  calendar.turn_to(moment - 3);
  calendar.post(moment, {40, What::timer});
  posted.push_back(40);

  EXPECT_EQ(targets(calendar.turn_to(moment)), posted);
}

TEST(WormCalendar, TakesOutWhatIsAskedForAndLeavesTheRest) {
  WormCalendar calendar;
  for (std::uint32_t target = 0; target < 10; ++target) {
    calendar.post(target, WormPhase::switching, {target, What::timer});
  }

  std::vector<std::pair<Cycle, WormEvent>> taken;
  calendar.take_out(
      0, 6, [](const WormEvent& event) { return event.target % 2 == 1; }, taken);

  ASSERT_EQ(taken.size(), 3U);  // 1, 3 and 5; 7 and 9 lie beyond
  EXPECT_EQ(taken.back().first, WormCalendar::moment(5, WormPhase::switching));
  const Cycle first = calendar.next_moment();
  EXPECT_EQ(targets(calendar.turn_to(first)), std::vector<std::uint32_t>{0});
  calendar.finish_page(first);
  EXPECT_EQ(WormCalendar::cycle_of(calendar.next_moment()), 2);
}

TEST(WormCalendar, RefusesThePast) {
  WormCalendar calendar;
  const Cycle present = WormCalendar::moment(9, WormPhase::injection);
  calendar.post(9, WormPhase::injection, {1, What::message});
  calendar.turn_to(present);
  calendar.finish_page(present);

  EXPECT_EQ(calendar.first_open(WormPhase::reception), 10);
  EXPECT_EQ(calendar.first_open(WormPhase::injection), 9);
  EXPECT_EQ(calendar.first_open(WormPhase::switching), 9);
  const auto refusal = [&](Cycle cycle, WormPhase phase) -> std::string {
    try {
      calendar.post(cycle, phase, {2, What::timer});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      refusal(9, WormPhase::reception),
      "an event of worms in the phase of reception of cycle 9 is past: it must be in cycle 10 or later");
  EXPECT_EQ(
      refusal(8, WormPhase::switching),
      "an event of worms in the phase of switching of cycle 8 is past: it must be in cycle 9 or later");
  EXPECT_EQ(calendar.next_moment(), WormCalendar::never) << "what is refused is not posted";
  EXPECT_EQ(refusal(9, WormPhase::injection), "");
  EXPECT_EQ(calendar.next_moment(), present);
}

}  // namespace
}  // namespace allport::test
