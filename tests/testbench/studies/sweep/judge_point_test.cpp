// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/judge_point.h"

#include <gtest/gtest.h>

namespace allport {
namespace {

constexpr const char* results =
    R"({"version": "1", "config": {"flits": 3}, "model": "systemc", "messages": 7,
        "contention": {"events": 2, "list": [{"cycle": 1}, {"cycle": 2}],
                       "reception": {"events": 1, "list": [[1], {"list": 3}]}}})";

TEST(JudgePoint, KeepsResultsButNoListsOfEvents) {
  const PointResult result = judge_point({0, 0, results, ""});

  EXPECT_FALSE(result.has_failed());
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.result.dump(),
            R"({"messages":7,"contention":{"events":2,"reception":{"events":1}}})");
}

TEST(JudgePoint, AFailureKeepsItsSentenceAndWhatThereIs) {
  const PointResult result =
      judge_point({0, 3, results, "relays: 4\nallport: deadlock in cycle 9\n"});

  EXPECT_EQ(result.exit, 3);
  EXPECT_EQ(result.error, "deadlock in cycle 9");
  EXPECT_EQ(result.result.at("messages"), 7);
}

TEST(JudgePoint, AFailureWithoutAWordIsOneTooAndSaysSo) {
  EXPECT_EQ(judge_point({0, 2, "", ""}).error, "the run ended with status 2");
}

TEST(JudgePoint, NamesTheSignalThatKilledARun) {
  const PointResult killed = judge_point({0, 128 + 9, R"({"torn": )", ""});

  EXPECT_EQ(killed.exit, 137);
  EXPECT_EQ(killed.error, "the run was killed by signal 9 (Killed), perhaps for lack of memory");
  EXPECT_TRUE(killed.result.is_null());
  EXPECT_EQ(judge_point({0, 128 + 11, "", ""}).error,
            "the run was killed by signal 11 (Segmentation fault)");
}

TEST(JudgePoint, SuccessWithoutAResultIsAFailure) {
  const PointResult result = judge_point({0, 0, R"({"torn": )", ""});

  EXPECT_EQ(result.exit, 3);
  EXPECT_EQ(result.error, "the run printed no result");
}

}  // namespace
}  // namespace allport
