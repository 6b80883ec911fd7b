// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/diff/result_diff.h"

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/studies/diff/changed_meanings.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Json run_of(const char* version = "1.9.0") {
  Json run = Json::parse(R"({
    "config": {"topology": "torus:4x4", "vcs": 2, "seed": 1, "pattern": "uniform"},
    "latency": {"max": 40, "by_destination": {"1": 4}, "completion": {"mean": 20, "half_width_95": 3}},
    "flit_hops": 7, "digest": "d", "wall_seconds": 0.5, "deadlock": null,
    "explanation": {"receipts": 2, "by_cause": {"hop": 8, "port": 2}, "by_channel": [
        {"place": {"kind": "external", "node": 3, "port": 1}, "cycles": 9},
        {"place": {"kind": "injection", "node": 3, "port": 0}, "cycles": 4}]}})");
  run["version"] = version;
  return run;
}

std::vector<std::string> paths(const std::vector<ResultDifference>& list) {
  std::vector<std::string> names;
  for (const ResultDifference& one : list) names.push_back(one.path);
  return names;
}

ResultDiff diffed(const Json& a, const Json& b) { return diff_of(a, b, "a", "b"); }

TEST(ResultDiff, OfARunWithItselfIsEmpty) {
  Json other = run_of();
  other["wall_seconds"] = 99;
  const ResultDiff diff = diffed(run_of(), other);
  EXPECT_TRUE(diff.is_empty());
  EXPECT_EQ(diff.kind, "run");
  EXPECT_EQ(diff.equal, 4);  // max, mean, flit hops and no deadlock
}

TEST(ResultDiff, NamesEachPartThatDiffers) {
  Json other = run_of();
  other["config"]["vcs"] = 4;
  other["config"]["ties"] = "alternate";
  other["latency"]["max"] = 30;
  other["deadlock"] = "in cycle 9";
  other["digest"] = "e";
  other["explanation"]["receipts"] = 4;
  other["explanation"]["by_cause"] = {{"hop", 16}, {"credit", 12}};
  other["explanation"]["by_channel"][0]["cycles"] = 29;
  const ResultDiff diff = diffed(run_of(), other);
  EXPECT_FALSE(diff.is_empty());
  EXPECT_FALSE(diff.has_same_receptions);
  EXPECT_THAT(paths(diff.config), ElementsAre("vcs", "ties"));
  EXPECT_EQ(diff.config[1].a, nullptr);
  EXPECT_THAT(paths(diff.numbers), ElementsAre("latency.max", "deadlock"));
  EXPECT_EQ(diff.numbers[0].change(), -10);
  EXPECT_EQ(diff.numbers[1].change(), std::nullopt);
  EXPECT_THAT(paths(diff.causes), ElementsAre("credit", "port")) << "hop has 4 cycles in both";
  EXPECT_EQ(diff.causes[1].change(), -1);
  EXPECT_THAT(paths(diff.channels), ElementsAre("channel 3.1"));
  EXPECT_EQ(diff.channels[0].change(), 20);
}

TEST(ResultDiff, JudgesMeansByTheirIntervals) {
  Json other = run_of();
  other["config"]["seed"] = 2;
  other["latency"]["completion"] = {{"mean", 24}, {"half_width_95", 4}};
  ResultDiff diff = diffed(run_of(), other);
  EXPECT_TRUE(diff.is_of_two_seeds());
  ASSERT_THAT(paths(diff.numbers), ElementsAre("latency.completion.mean"));
  EXPECT_EQ(diff.numbers[0].half_width, 5);
  EXPECT_TRUE(diff.numbers[0].is_within_intervals());
  other["latency"]["completion"]["mean"] = 25.5;
  diff = diffed(run_of(), other);
  EXPECT_FALSE(diff.numbers[0].is_within_intervals());
}

TEST(ResultDiff, NamesOptionsThatHaveChangedTheirMeaning) {
  const ResultDiff diff = diffed(run_of("1.10.0"), run_of("1.2.0"));
  ASSERT_EQ(diff.meanings.size(), 1);
  EXPECT_EQ(diff.meanings[0].version, "1.3.0");
  EXPECT_THAT(diff.meanings[0].keys, ElementsAre("pattern"));
  EXPECT_THAT(diffed(run_of("1.3.0"), run_of("1.9.0")).meanings, IsEmpty());
  Json edn = run_of("1.1.0");
  edn["config"] = {{"algorithm", "edn"}};
  EXPECT_EQ(diffed(edn, run_of("1.2.0")).meanings.size(), 1);
  edn["config"] = {{"algorithm", "dcf"}};
  EXPECT_THAT(diffed(edn, run_of("1.2.0")).meanings, IsEmpty());
  EXPECT_TRUE(is_older("1.9.0", "1.10.0"));
  EXPECT_FALSE(is_older("2.0.0", "1.10.3"));
  EXPECT_FALSE(is_older("1.9.0", "1.9.0"));
}

TEST(ResultDiff, CallsRowsOfListsByTheirNames) {
  const Json a = Json::parse(R"([{"algorithm": "x", "model": "worm", "max": 3},
                                 {"algorithm": "y", "model": "worm", "max": 5}])");
  const Json b = Json::parse(R"([{"algorithm": "y", "model": "worm", "max": 5},
                                 {"algorithm": "x", "model": "worm", "max": 4}])");
  const ResultDiff diff = diffed(a, b);
  EXPECT_EQ(diff.kind, "compare");
  EXPECT_THAT(paths(diff.numbers), ElementsAre("x worm.max")) << "the order of rows is none";
  EXPECT_TRUE(diffed(a, a).is_empty());
}

TEST(ResultDiff, RefusesWhatIsNoResultAndTwoKinds) {
  const auto said = [](const Json& a, const Json& b) -> std::string {
    try {
      diffed(a, b);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing";
  };
  const Json compared = Json::parse(R"([{"algorithm": "x", "model": "worm"}])");
  EXPECT_EQ(said(run_of(), compared),
            "a is a result of run, and b one of compare; two of one kind can be compared");
  for (const char* text : {"{}", "[]", "3", "null", "[3]", R"({"config": 1})"}) {
    EXPECT_THAT(said(run_of(), Json::parse(text)), testing::StartsWith("b is no result that"))
        << text;
  }
}

}  // namespace
}  // namespace allport::test
