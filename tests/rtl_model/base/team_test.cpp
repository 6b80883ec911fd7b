// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace allport {
namespace {

TEST(Team, HasEachMemberDoEachJobOnce) {
  for (const int size : {1, 2, 3, 7}) {
    Team team(size);
    std::vector<int> done(static_cast<std::size_t>(size));
    for (int job = 1; job <= 2000; ++job) {
      team.run([&](int member) { ++done[static_cast<std::size_t>(member)]; });
      ASSERT_EQ(done, std::vector<int>(done.size(), job)) << size;
    }
  }
}

TEST(Team, WorksInThreadsOfTheirOwnAndInThatOfTheCaller) {
  Team team(3);
  std::vector<std::thread::id> threads(3);
  team.run(
      [&](int member) { threads[static_cast<std::size_t>(member)] = std::this_thread::get_id(); });

  EXPECT_EQ(threads[0], std::this_thread::get_id());
  EXPECT_EQ(std::set<std::thread::id>(threads.begin(), threads.end()).size(), 3u);
}

TEST(Team, SeesWhatTheOthersWroteInTheJobBefore) {
  Team team(2);
  std::vector<long> values(2, 1);
  std::vector<long> next(2);
  for (int job = 0; job < 40; ++job) {  // Fibonacci's numbers, each from both values
    team.run([&](int member) {
      next[static_cast<std::size_t>(member)] = member == 0 ? values[1] : values[0] + values[1];
    });
    values = next;
  }

  EXPECT_EQ(values[1], 267914296);
}

TEST(Team, WakesMembersThatSleep) {
  Team team(3);
  std::vector<int> done(3);
  for (int job = 1; job <= 5; ++job) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    team.run([&](int member) { ++done[static_cast<std::size_t>(member)]; });
    EXPECT_EQ(done, std::vector<int>(3, job));
  }
}

TEST(Team, SaysWhetherTheCallerLetOthersHaveItsCore) {
  std::atomic<bool> has_let_go{false};
  Team hasty(2, {0, [&] {
                   has_let_go = true;
                   std::this_thread::yield();
                 }});
  for (int job = 0; job < 3; ++job) {
    has_let_go = false;
    hasty.run([&](int member) {
      while (member == 1 && !has_let_go) std::this_thread::yield();
    });
    EXPECT_TRUE(hasty.was_kept_waiting());
  }

  int times = 0;
  Team patient(2, {std::numeric_limits<int>::max(), [&] { ++times; }});
  patient.run([](int member) {
    if (member == 1) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  });
  EXPECT_FALSE(patient.was_kept_waiting());
  EXPECT_EQ(times, 0);
}

TEST(Team, ThrowsWhatTheFirstMemberThrew) {
  Team team(4);
  const auto job = [](int member) {
    if (member >= 2) throw std::runtime_error("member " + std::to_string(member));
  };
  for (int i = 0; i < 3; ++i) {
    try {
      team.run(job);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "member 2");
    }
  }
  std::vector<int> done(4);
  team.run([&](int member) { ++done[static_cast<std::size_t>(member)]; });
  EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), 4);
}

}  // namespace
}  // namespace allport
