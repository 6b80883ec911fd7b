// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/rests.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace allport {
namespace {

// The lengths of the rests in `cycles` cycles, where a team is kept waiting in those cycles done
// together of which `waits` says so.
template <class Waits>
std::vector<std::uint64_t> rests_in(Rests& rests, std::uint64_t& cycle, std::uint64_t cycles,
                                    const Waits& waits) {
  std::vector<std::uint64_t> lengths;
  bool was_resting = false;
  for (const std::uint64_t end = cycle + cycles; cycle < end;) {
    ++cycle;
    const bool is_resting = rests.has_rest(cycle);
    if (is_resting && !was_resting) lengths.push_back(0);
    if (is_resting) ++lengths.back();
    was_resting = is_resting;
    if (!is_resting) rests.note(cycle, waits(cycle));
  }
  return lengths;
}

constexpr auto always = [](std::uint64_t) { return true; };
constexpr auto never_at_all = [](std::uint64_t) { return false; };

TEST(Rests, GrowWhileATeamGoesOnToBeKeptWaiting) {
  Rests rests;
  std::uint64_t cycle = 0;

  const std::vector<std::uint64_t> lengths = rests_in(rests, cycle, 16360, always);

  // The cycle in which a rest is decided upon is done together.
  EXPECT_EQ(lengths, (std::vector<std::uint64_t>{63, 127, 255, 511, 1023, 2047, 4095, 4095, 4095}));
}

TEST(Rests, AreShortAgainAfterAWhileWithout) {
  Rests rests;
  std::uint64_t cycle = 0;
  rests_in(rests, cycle, 16 + 63 + 4 + 127 + 4 + 255, always);

  EXPECT_EQ(rests_in(rests, cycle, Rests::calm, never_at_all), std::vector<std::uint64_t>{});
  EXPECT_EQ(rests_in(rests, cycle, 16 + 63, always), std::vector<std::uint64_t>{63});
}

TEST(Rests, AreLongerStillAfterLessThanAWhile) {
  Rests rests;
  std::uint64_t cycle = 0;
  rests_in(rests, cycle, 16 + 63, always);

  rests_in(rests, cycle, Rests::calm - 32, never_at_all);
  EXPECT_EQ(rests_in(rests, cycle, 4 + 127, always), std::vector<std::uint64_t>{127});
}

TEST(Rests, AreNotTakenWhereATeamWaitsNowAndThen) {
  Rests rests;
  std::uint64_t cycle = 0;

  const auto now_and_then = [](std::uint64_t at) { return at % 5 != 0; };  // four cycles of five
  EXPECT_EQ(rests_in(rests, cycle, 10000, now_and_then), std::vector<std::uint64_t>{});
}

}  // namespace
}  // namespace allport
