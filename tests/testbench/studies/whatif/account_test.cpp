// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/whatif/account.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::Pair;

Json collective_run() {
  return Json::parse(R"({
    "config": {"vcs": 2}, "latency": {"max": 40, "mean": 20}, "deadlock": null, "digest": "d1",
    "explanation": {"receipts": 2, "by_cause": {"hop": 30, "channel": 10}, "roots": [
        {"cause": "channel", "cycles": 9}, {"cause": "credit", "cycles": 3}],
      "path": [{"by_cause": {"hop": 12, "ts": 3}}, {"by_cause": {"hop": 20, "channel": 5}}],
      "to_bound": {"bound": 30,
                   "parts": [{"part": "hops", "cycles": 8}, {"part": "hops", "cycles": 2}]}}})");
}

Json pattern_run() {
  return Json::parse(R"({
    "config": {}, "latency": {"max": 90}, "deadlock": null, "digest": "d2",
    "traffic": {"accepted": 0.25, "latency": {"mean": 20.5, "p99": 80, "max": 90}},
    "explanation": {"receipts": 4, "by_cause": {"hop": 8, "port": 40}, "path": [], "roots": [],
      "slowest": {"receipts": 2, "by_cause": {"hop": 2, "port": 160}}}})");
}

TEST(Account, OfACollectiveIsThatOfItsCriticalPath) {
  EXPECT_EQ(usual_goal(collective_run()), Goal::completion);
  const Account account = account_of(collective_run(), Goal::completion);
  EXPECT_EQ(account.value, 40);
  EXPECT_THAT(account.cycles, ElementsAre(Pair("channel", 5), Pair("hop", 32), Pair("ts", 3)));
  EXPECT_THAT(account.roots, ElementsAre(Pair("channel", .75), Pair("credit", .25)));
  EXPECT_EQ(account.bound, 30);
  EXPECT_THAT(account.beyond_bound, ElementsAre(Pair("hops", 10)));
  EXPECT_EQ(account.config["vcs"], 2);
  EXPECT_EQ(account.digest, "d1");
}

TEST(Account, OfAPatternIsThatOfItsMessages) {
  EXPECT_EQ(usual_goal(pattern_run()), Goal::p99);
  const Account slowest = account_of(pattern_run(), Goal::p99);
  EXPECT_EQ(slowest.value, 80);
  EXPECT_THAT(slowest.cycles, ElementsAre(Pair("hop", 1), Pair("port", 80)));
  const Account all = account_of(pattern_run(), Goal::mean);
  EXPECT_EQ(all.value, 20.5);
  EXPECT_THAT(all.cycles, ElementsAre(Pair("hop", 2), Pair("port", 10)));
  EXPECT_EQ(account_of(pattern_run(), Goal::max).value, 90);
  EXPECT_EQ(account_of(pattern_run(), Goal::accepted).value, .25);
}

TEST(Account, OfTrialsAndClosedLoopsIsTheirMeanAndTheirRoundTrip) {
  Json run = collective_run();
  run["latency"]["completion"] = {{"mean", 37.5}};
  EXPECT_EQ(account_of(run, Goal::completion).value, 37.5);
  run = pattern_run();
  run["closed_loop"] = {{"round_trip", {{"p99", 7}, {"mean", 5}, {"max", 9}}}};
  EXPECT_EQ(account_of(run, Goal::p99).value, 7);
}

TEST(Account, HasNoNumberAfterADeadlockOrWithoutAnEnd) {
  Json run = collective_run();
  run["deadlock"] = Json::array({1});
  EXPECT_EQ(account_of(run, Goal::completion).value, std::nullopt);
  run = {{"deadlock", nullptr}, {"tasks", {{"makespan", 9}, {"unended", 2}}}};
  EXPECT_EQ(usual_goal(run), Goal::makespan);
  EXPECT_EQ(account_of(run, Goal::makespan).value, std::nullopt);
  run["tasks"]["unended"] = 0;
  EXPECT_EQ(account_of(run, Goal::makespan).value, 9);
}

TEST(Account, RefusesAGoalThatSuchARunDoesNotHave) {
  const auto said = [](const Json& run, Goal goal) -> std::string {
    try {
      account_of(run, goal);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(said(collective_run(), Goal::p99), "this run has no p99; it has completion");
  const std::string has = "; it has p99, mean, max, accepted";
  EXPECT_EQ(said(pattern_run(), Goal::completion), "this run has no completion" + has);
  EXPECT_EQ(said(pattern_run(), Goal::makespan), "this run has no makespan" + has);
}

TEST(Account, TellsWhatIsSavedAndWhichCauseWent) {
  const Account before = account_of(collective_run(), Goal::completion);
  Account after = before;
  after.value = 28;
  after.cycles = {{"hop", 30}, {"ts", 4}};
  EXPECT_EQ(gain(before, after, Goal::completion), 12);
  EXPECT_EQ(gain(before, after, Goal::accepted), -12);
  EXPECT_EQ(gone(before, after), std::make_pair(std::string("channel"), 5.));
  EXPECT_EQ(gone(after, after), std::nullopt);
  after.value.reset();
  EXPECT_EQ(gain(before, after, Goal::completion), std::nullopt);
}

}  // namespace
}  // namespace allport::test
