// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/child_pool.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <map>

namespace allport {
namespace {

ChildEnd shell(const std::string& line) { return run_and_wait("sh", {"-c", line}); }

TEST(ChildPool, CollectsWhatAChildPrintsAndItsStatus) {
  const ChildEnd end = shell("echo out; echo err >&2; exit 5");

  EXPECT_EQ(end.exit, 5);
  EXPECT_EQ(end.out, "out\n");
  EXPECT_EQ(end.err, "err\n");
}

TEST(ChildPool, TakesMoreThanAPipeHolds) {
  EXPECT_EQ(shell("head -c 3000000 /dev/zero").out.size(), 3000000U);
}

TEST(ChildPool, TellsTheSignalThatKilledAChild) {
  EXPECT_EQ(shell("kill -KILL $$").exit, 128 + SIGKILL);
}

TEST(ChildPool, TellsThatThereIsNoSuchProgram) {
  EXPECT_EQ(run_and_wait("no-such-program-here", {}).exit, 127);
}

TEST(ChildPool, AChildReadsNothing) { EXPECT_EQ(shell("cat").out, ""); }

TEST(ChildPool, RunsSeveralAtATimeAndNamesThemByTheirTags) {
  ChildPool pool;
  for (std::uint64_t i = 0; i < 5; ++i) pool.start(i, "sh", {"-c", "exit " + std::to_string(i)});
  EXPECT_EQ(pool.running(), 5U);

  std::map<std::uint64_t, int> exits;
  while (pool.running() > 0) {
    for (const ChildEnd& end : pool.wait(std::chrono::seconds(5))) exits[end.tag] = end.exit;
  }
  EXPECT_EQ(exits, (std::map<std::uint64_t, int>{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}}));
}

TEST(ChildPool, WaitingEndsWhenTheTimeIsUp) {
  ChildPool pool;
  pool.start(0, "sleep", {"60"});

  EXPECT_TRUE(pool.wait(std::chrono::milliseconds(10)).empty());
  EXPECT_EQ(pool.running(), 1U);
}

TEST(ChildPool, KillsWhatStillRunsWithAllItsChildren) {
  const std::string name = testing::TempDir() + "/child_pool." + std::to_string(getpid());
  {
    ChildPool pool;
    pool.start(0, "sh", {"-c", "(sleep 1; touch '" + name + "') & echo started; wait"});
    pool.wait(std::chrono::seconds(5));
  }
  usleep(1500000);

  EXPECT_NE(access(name.c_str(), F_OK), 0);
}

}  // namespace
}  // namespace allport
