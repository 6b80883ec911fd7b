// SPDX-License-Identifier: Apache-2.0
// These are the numbers on which one bases decisions: mean completion, the number of pieces,
// repeated receptions.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

class CliNumbers : public Cli {};

constexpr const char* five_sets =
    " --topology hypercube:5 --destinations random:9 --trials 5 --ts 20 --seed 3";
constexpr double t_of_five = 2.776445;  // Student's t, 4 degrees of freedom, 95 %

TEST_F(CliNumbers, RunTellsTheMeanCompletionWithItsInterval) {
  const nlohmann::json latency =
      json("run --algorithm ucube --json -" + std::string(five_sets))["latency"];

  double sum = 0;
  for (const auto& trial : latency["trials"]) sum += trial["max"].get<double>();
  const double mean = sum / 5;
  double squares = 0;
  for (const auto& trial : latency["trials"]) {
    squares += std::pow(trial["max"].get<double>() - mean, 2);
  }
  EXPECT_GT(squares, 0);
  EXPECT_NEAR(latency["completion"]["mean"], mean, 1e-9);
  EXPECT_NEAR(latency["completion"]["half_width_95"], t_of_five * std::sqrt(squares / 4 / 5), 1e-4);
  EXPECT_THAT(allport("run --algorithm ucube" + std::string(five_sets)).out,
              ContainsRegex(
                  "\ncompletion  mean [0-9.]+ \\+- [0-9.]+ cycles, 95 % interval over 5 trials\n"));
}

TEST_F(CliNumbers, OneTrialHasNoInterval) {
  const std::string one = "run --topology hypercube:4 --algorithm wsort";
  const nlohmann::json latency = json(one + " --json -")["latency"];

  EXPECT_EQ(latency["completion"], nlohmann::json({{"mean", latency["max"].get<double>()}}));
  EXPECT_THAT(allport(one).out, Not(HasSubstr("completion")));
}

TEST_F(CliNumbers, APatternHasNoCompletion) {
  const nlohmann::json run =
      json("run --topology ring:6 --pattern uniform --rate 0.1 --cycles 50 --json -");
  EXPECT_FALSE(run["latency"].contains("completion"));
  EXPECT_FALSE(run.contains("repeated_deliveries"));
}

TEST_F(CliNumbers, CompareHasTheCompletionOfRun) {
  const nlohmann::json rows =
      json("compare --algorithms ucube,wsort --json -" + std::string(five_sets));
  const nlohmann::json run = json("run --algorithm wsort --json -" + std::string(five_sets));

  EXPECT_EQ(rows.at(1)["completion"], run["latency"]["completion"]);
  const std::string table =
      allport("compare --algorithms ucube,wsort" + std::string(five_sets)).out;
  EXPECT_THAT(table, HasSubstr("max  of bound  completion  +- 95 %   mean  events\n"));
  EXPECT_THAT(allport("compare --topology hypercube:3").out, Not(HasSubstr("completion")));
}

TEST_F(CliNumbers, TheTablesOfASweepHaveTheCompletion) {
  allport("sweep --algorithm ucube,wsort --output some" + std::string(five_sets));

  EXPECT_THAT(content("some/results.csv"),
              HasSubstr(",latency.completion.mean,latency.completion.half_width_95,"));
}

TEST_F(CliNumbers, MicrosecondsAreThoseOfTheCompletionToo) {
  const nlohmann::json run =
      json("run --topology torus:4x4 --algorithm dcf --preset t3e --trials 2 --json -");

  EXPECT_DOUBLE_EQ(run["latency"]["microseconds"]["completion"],
                   run["latency"]["microseconds"]["max"]);
  EXPECT_EQ(run["latency"]["completion"]["half_width_95"], 0);
}

TEST_F(CliNumbers, TheBestPiecesAreNamedForEachTrial) {
  const std::string traffic =
      " --topology hypercube:6 --destinations random:1 --ts 3 --trials 6 --flits 64 --pieces best";
  const nlohmann::json run = json("run --algorithm separate --json -" + traffic);
  const nlohmann::json& list = run["pieces"]["list"];

  ASSERT_EQ(list.size(), 6U);
  EXPECT_EQ(list[5]["trial"], 5);
  EXPECT_EQ(list[5]["source"], 0);
  for (const auto& one : list) {
    EXPECT_GE(one["pieces"], run["pieces"]["least"]);
    EXPECT_LE(one["pieces"], run["pieces"]["most"]);
  }
  EXPECT_THAT(allport("run --algorithm separate" + traffic).out,
              ContainsRegex("\npieces      best [0-9.]+, by trial and source: [0-9]+, [0-9]+, "));
}

TEST_F(CliNumbers, CompareNamesTheBestPiecesOfEachAlgorithm) {
  const std::string traffic =
      " --topology hypercube:4 --algorithms sbt,separate --flits 64 --pieces best";
  const nlohmann::json rows = json("compare --json -" + traffic);
  const std::string table = allport("compare" + traffic).out;

  for (const auto& row : rows) {
    const std::string name = row["algorithm"];
    const std::string chosen = std::to_string(row["pieces"]["list"][0]["pieces"].get<int>());
    const nlohmann::json run = json("run --topology hypercube:4 --flits 64 --json - --algorithm " +
                                    name + " --pieces " + chosen);
    EXPECT_EQ(row["max"], run["latency"]["max"]) << name;
    EXPECT_THAT(table, ContainsRegex("\n" + name + " +" + chosen + " "));
  }
  EXPECT_NE(rows[0]["pieces"]["most"], rows[1]["pieces"]["most"]);
  EXPECT_THAT(allport("compare --topology hypercube:4").out, Not(HasSubstr("pieces")));
}

// Two broadcasts around a ring of four.
constexpr const char* two_broadcasts =
    "{\"u\":0,\"v\":2,\"step\":1,\"order\":0,\"kind\":\"deposit\"}\n"
    "{\"u\":0,\"v\":3,\"step\":1,\"order\":1}\n"
    "{\"u\":0,\"v\":1,\"step\":1,\"order\":2}\n";

TEST_F(CliNumbers, WhatIsReceivedTwiceIsCounted) {
  write("twice.jsonl", two_broadcasts);
  const std::string run = "run --topology ring:4 --schedule twice.jsonl --trials 2";

  EXPECT_EQ(json(run + " --json -")["repeated_deliveries"], 2);
  EXPECT_THAT(allport(run).out,
              HasSubstr("\nrepeated    2 receptions by processors that had the message already\n"));
  const std::string once = "run --topology ring:4 --algorithm separate";
  EXPECT_EQ(json(once + " --json -")["repeated_deliveries"], 0);
  EXPECT_THAT(allport(once).out, Not(HasSubstr("repeated")));
}

TEST_F(CliNumbers, ARunWithoutDestinationsSaysSo) {
  write("nobody.jsonl", "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n");
  const std::string run = "run --topology ring:2 --schedule nobody.jsonl --source 0,1";
  const Outcome outcome = allport(run);

  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "\nlatency     none: there are no destinations but the sources, which have the message from the start\n"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("theory")));
  EXPECT_TRUE(json(run + " --json -")["latency"]["completion"].is_null());
}

// Node 3 sends to 2, which sends to 1 and 0.
constexpr const char* from_three =
    "{\"u\":3,\"v\":2,\"step\":1,\"order\":0}\n{\"u\":2,\"v\":1,\"step\":2,\"order\":0}\n"
    "{\"u\":2,\"v\":0,\"step\":2,\"order\":1}\n";

TEST_F(CliNumbers, TheOnlyRootOfAScheduleNeedsNoSource) {
  write("three.jsonl", from_three);
  const std::string run = "run --topology ring:4 --json - --schedule three.jsonl";
  const nlohmann::json found = json(run);

  EXPECT_EQ(found["config"]["source"], nlohmann::json({3}));
  EXPECT_EQ(found["digest"], json(run + " --source 3")["digest"]);
  EXPECT_EQ(allport("check --topology ring:4 three.jsonl").status, 0);
}

TEST_F(CliNumbers, OfSeveralRootsTheSourceMustBeNamed) {
  write("two.jsonl", std::string(from_three) + "{\"u\":4,\"v\":5,\"step\":1,\"order\":0}\n");
  const Outcome outcome = allport("run --topology ring:6 --schedule two.jsonl");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(
      outcome.err,
      "allport: --source is missing: the schedule two.jsonl has 2 nodes that send and never receive: 3, 4\n");
  EXPECT_EQ(allport("run --topology ring:6 --schedule two.jsonl --source 3,4").status, 0);
}

TEST_F(CliNumbers, TheRootOfAGatherIsWhoReceivesAndNeverSends) {
  const Outcome lines =
      allport("schedule --topology hypercube:3 --algorithm exchange-gather --source 5");
  write("gather.jsonl", lines.out);
  const nlohmann::json found =
      json("run --topology hypercube:3 --collective gather --schedule gather.jsonl --json -");

  EXPECT_EQ(found["config"]["source"], nlohmann::json({5}));
}

}  // namespace
}  // namespace allport::test
