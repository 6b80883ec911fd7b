// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/verdict.h"

#include <gtest/gtest.h>

#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::options;

Results with_event(int trial) {
  Results results;
  results.contention.events = 1;
  results.contention.list.push_back({trial, 17, 2, {node_id(3), port_id(1)}, {}, {}});
  return results;
}

RunPlan planned(const char* algorithm, const char* destinations, const char* source = "0") {
  return allport::plan(options({{"topology", "hypercube:4"},
                                {"algorithm", algorithm},
                                {"destinations", destinations},
                                {"source", source}})
                           .run);
}

TEST(Verdict, AnEventOfAProvedScheduleIsAContradiction) {
  const RunPlan plan = planned("wsort", "all");

  EXPECT_EQ(contradiction(plan, Results{}), "");
  EXPECT_EQ(contradiction(plan, with_event(0)),
            "contradiction: Theorem 1 proves the schedule free of contention, yet there is an "
            "event in cycle 17 of trial 0 at node 3 port 1; one of the two is wrong, please report "
            "it");
}

TEST(Verdict, AnEventOfARefutedScheduleIsNone) {
  EXPECT_EQ(contradiction(planned("ucube", "4,10,11,12,13"), with_event(0)), "");
}

TEST(Verdict, CollectivesAtOnceAreNotProvedByThemselves) {
  EXPECT_EQ(contradiction(planned("wsort", "all", "0,1"), with_event(0)), "");
}

TEST(Verdict, ATreeWormIsNotCheckedStatically) {
  EXPECT_FALSE(static_check(planned("tree", "all")));
  EXPECT_EQ(contradiction(planned("tree", "all"), with_event(0)), "");
}

// Theorem 1 takes the messages of a port in the order of their steps.
TEST(Verdict, AProgramAgainstItsStepsIsNotProved) {
  RunPlan plan = planned("separate", "9,10,11");
  EXPECT_NE(contradiction(plan, with_event(0)), "");

  for (Unicast& unicast : plan.trials.front().front().schedule.unicasts) {
    unicast.order = 2 - unicast.order;
  }
  ASSERT_TRUE(static_check(plan)->theorem1.ok());
  EXPECT_EQ(contradiction(plan, with_event(0)), "");
}

TEST(Verdict, TheStaticCheckIsOfTheLastTrial) {
  const RunPlan plan = allport::plan(options({{"topology", "hypercube:4"},
                                              {"algorithm", "wsort"},
                                              {"destinations", "random:3"},
                                              {"trials", "2"}})
                                         .run);

  EXPECT_TRUE(static_check(plan)->ok());
}

TEST(Verdict, SaysWhyARunIsNotComplete) {
  Results deadlock;
  deadlock.deadlock = Deadlock{0, 9, {}, 2};
  Results broken;
  broken.broken_invariant = "a flit was lost";
  Results interrupted;
  interrupted.was_interrupted = true;

  EXPECT_EQ(fault(Results{}), "");
  EXPECT_EQ(fault(deadlock), "deadlock in cycle 9: 2 messages can never be delivered");
  deadlock.deadlock->stuck_messages = 1;
  EXPECT_EQ(fault(deadlock), "deadlock in cycle 9: 1 message can never be delivered");
  EXPECT_EQ(fault(broken), "broken invariant: a flit was lost");
  EXPECT_EQ(fault(interrupted), "interrupted");
}

}  // namespace
}  // namespace allport
