// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/matching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "rtl_model/base/split_mix.h"

namespace allport {
namespace {

constexpr std::uint32_t any = Matching::any;
constexpr std::uint32_t none = Matching::none;

TEST(Matching, GivesMessagesOutInTheOrderInWhichTheyCame) {
  Matching matching;
  matching.reset(true);
  EXPECT_EQ(matching.arrive(0, 5, 1, 100), none);
  EXPECT_EQ(matching.arrive(0, 6, 1, 101), none);
  EXPECT_EQ(matching.arrive(0, 5, 2, 102), none);
  EXPECT_EQ(matching.waiting_messages(), 3U);
  EXPECT_EQ(matching.post(0, any, 2, 0), 102U);
  EXPECT_EQ(matching.post(0, any, any, 0), 100U);
  EXPECT_EQ(matching.post(0, 5, 1, 7), none);
  EXPECT_EQ(matching.post(0, 6, any, 0), 101U);
  EXPECT_EQ(matching.arrive(0, 5, 1, 103), 7U);
  EXPECT_EQ(matching.waiting_messages(), 0U);
}

// The rule as it is told: lists that are searched from the front.
struct Simple {
  struct Entry {
    std::uint32_t receiver, from, tag, number;
  };
  std::vector<Entry> receives;
  std::vector<Entry> messages;
  static bool fits(const Entry& receive, const Entry& message) {
    return receive.receiver == message.receiver &&
           (receive.from == any || receive.from == message.from) &&
           (receive.tag == any || receive.tag == message.tag);
  }
  std::uint32_t post(const Entry& receive) {
    const auto found = std::find_if(messages.begin(), messages.end(),
                                    [&](const Entry& one) { return fits(receive, one); });
    if (found == messages.end()) {
      receives.push_back(receive);
      return none;
    }
    const std::uint32_t number = found->number;
    messages.erase(found);
    return number;
  }
  std::uint32_t arrive(const Entry& message) {
    const auto found = std::find_if(receives.begin(), receives.end(),
                                    [&](const Entry& one) { return fits(one, message); });
    if (found == receives.end()) {
      messages.push_back(message);
      return none;
    }
    const std::uint32_t number = found->number;
    receives.erase(found);
    return number;
  }
};

TEST(Matching, IsTheRuleOfMpi) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SplitMix64 draw(seed);
    Matching matching;
    matching.reset(true);
    Simple simple;
    for (std::uint32_t i = 0; i < 300; ++i) {
      const auto number = [&](std::uint64_t below) {
        return static_cast<std::uint32_t>(draw.next() % below);
      };
      Simple::Entry entry{number(2), number(3), number(3), i};
      if (number(2) == 0) {
        if (number(4) == 0) entry.from = any;
        if (number(4) == 0) entry.tag = any;
        ASSERT_EQ(matching.post(entry.receiver, entry.from, entry.tag, i), simple.post(entry))
            << "seed " << seed << ", call " << i;
      } else {
        ASSERT_EQ(matching.arrive(entry.receiver, entry.from, entry.tag, i), simple.arrive(entry))
            << "seed " << seed << ", call " << i;
      }
      ASSERT_EQ(matching.waiting_messages(), simple.messages.size());
    }
  }
}

}  // namespace
}  // namespace allport
