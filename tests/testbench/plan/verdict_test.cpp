// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/testbench/program/options/option_setting.h"

namespace allport {
namespace {

using test::options;
using testing::HasSubstr;

Results with_event(int trial) {
  Results results;
  results.contention.events = 1;
  results.contention.list.push_back({trial, 17, 2, {node_id(3), port_id(1)}, {}, {}});
  return results;
}

Results with_deadlock() {
  Results results;
  results.deadlock = Deadlock{0, 9, {}, 2};
  return results;
}

Options given(const char* algorithm, const char* destinations, const char* source = "0") {
  return options({{"topology", "hypercube:4"},
                  {"algorithm", algorithm},
                  {"destinations", destinations},
                  {"source", source}});
}

std::string contradiction_of(const Options& given, const Results& results) {
  const RunPlan plan = allport::plan(given.run);
  const std::string words = contradiction(plan, results, nullptr);
  EXPECT_EQ(check_statically(plan, results, nullptr).contradiction, words);
  return words;
}

TEST(Verdict, AnEventOfAProvedScheduleIsAContradiction) {
  EXPECT_EQ(contradiction_of(given("wsort", "all"), Results{}), "");
  EXPECT_EQ(
      contradiction_of(given("wsort", "all"), with_event(0)),
      "contradiction: Theorem 1 proves the schedule free of contention, yet an event occurred in cycle 17 of trial 0 at channel 3 -> 1 (dimension 1); one of the two is wrong, please report it");
}

TEST(Verdict, AnEventOfARefutedScheduleIsNoContradiction) {
  EXPECT_EQ(contradiction_of(given("ucube", "4,10,11,12,13"), with_event(0)), "");
}

// On the way to 15 the messages of 0 and 8 both take the channel from 8 to 12; those of 0 and 1
// take others.
TEST(Verdict, CollectivesAtOnceAreCheckedTogether) {
  EXPECT_EQ(contradiction_of(given("separate", "15", "0,8"), with_event(0)), "");
  EXPECT_THAT(contradiction_of(given("separate", "15", "0,1"), with_event(0)),
              HasSubstr("contradiction: the routes prove the schedule free of contention"));
}

TEST(Verdict, ABarrierKeepsCollectivesApart) {
  Options one_by_one = given("separate", "15", "0,8");
  for (const bool are_messages : {false, true}) {
    one_by_one.run.node.barrier_messages = are_messages;
    one_by_one.run.node.barrier.reset();
    if (!are_messages) one_by_one.run.node.barrier = 0;
    const RunPlan plan = allport::plan(one_by_one.run);
    const StaticVerdict verdict = check_statically(plan, Results{}, nullptr);
    EXPECT_TRUE(verdict.report->worms->circle.empty());
    EXPECT_EQ(verdict.report->worms->contention.ok(), !are_messages);  // those may meet the rest
    for (const PairViolation& pair : verdict.report->worms->contention.pairs) {
      EXPECT_GE(pair.b, 2U);  // one of the barrier
    }
  }
}

TEST(Verdict, ATreeWormIsCheckedByItsRoutes) {
  const RunPlan plan = allport::plan(given("tree", "all").run);
  const StaticVerdict verdict = check_statically(plan, Results{}, nullptr);

  ASSERT_TRUE(verdict.report);
  EXPECT_TRUE(verdict.report->ok());
  EXPECT_THAT(contradiction_of(given("tree", "all"), with_event(0)), HasSubstr("the routes prove"));
  EXPECT_THAT(contradiction_of(given("tree", "all"), with_deadlock()),
              HasSubstr("proves that no deadlock is possible, yet one occurred in cycle 9"));
  EXPECT_EQ(contradiction_of(given("tree", "all", "0,6"), with_deadlock()), "");
}

// The programs are judged, whatever their steps are.
TEST(Verdict, AProgramAgainstItsStepsIsJudgedAsItIs) {
  const Options separate = given("separate", "9,10,11");
  RunPlan plan = allport::plan(separate.run);
  EXPECT_EQ(check_statically(plan, Results{}, nullptr).report->order_note, "");

  auto& trials = std::get<CollectiveWork>(plan.work).trials;
  for (Unicast& unicast : trials.front().front().schedule.unicasts) {
    unicast.order = 2 - unicast.order;
  }
  const StaticVerdict verdict = check_statically(plan, with_event(0), nullptr);
  EXPECT_TRUE(verdict.report->theorem1.ok());
  EXPECT_THAT(
      verdict.report->order_note,
      HasSubstr(
          "the check follows the order of the programs, and 1 of them is not in the order of the steps: node 0 sends to "));
  EXPECT_THAT(verdict.contradiction, HasSubstr("Theorem 1 proves"));
}

// Some of these trials are refuted, others are not.
TEST(Verdict, TheTrialOfAnEventIsTheOneThatCounts) {
  Options random =
      options({{"topology", "hypercube:6"}, {"algorithm", "ucube"}, {"destinations", "random:24"}});
  random.run.traffic.trials = 40;
  const RunPlan plan = allport::plan(random.run);
  std::set<bool> seen;
  for (int trial = 0; trial < 40; ++trial) {
    RunPlan alone = allport::plan(random.run);
    alone.work = CollectiveWork{{plan.trials()[static_cast<std::size_t>(trial)]}, 0};
    const bool is_proved = check_statically(alone, Results{}, nullptr).report->is_contention_free();
    EXPECT_EQ(contradiction_of(random, with_event(trial)).empty(), !is_proved) << trial;
    seen.insert(is_proved);
  }
  EXPECT_EQ(seen.size(), 2U);
}

TEST(Verdict, TheStaticCheckIsOfTheLastTrial) {
  const Options two = options({{"topology", "hypercube:4"},
                               {"algorithm", "wsort"},
                               {"destinations", "random:3"},
                               {"trials", "2"}});

  EXPECT_TRUE(check_statically(allport::plan(two.run), Results{}, nullptr).report->ok());
}

TEST(Verdict, AnInterruptedCheckSaysSo) {
  const std::atomic<bool> stop{true};
  const Options wsort = given("wsort", "all");
  const StaticVerdict verdict = check_statically(allport::plan(wsort.run), Results{}, &stop);

  EXPECT_FALSE(verdict.report);
  EXPECT_EQ(verdict.why_not, "interrupted");
  EXPECT_EQ(problem_of(Results{}, verdict), "the static check was interrupted");
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
