// SPDX-License-Identifier: Apache-2.0
// With --skew nodes start at random cycles, in run, compare, sweep and scenarios.
#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

class CliSkew : public Cli {};

TEST_F(CliSkew, ModelsAgreeOnCollectivesWhoseNodesStartLate) {
  for (const std::string run :
       {"--topology hypercube:5 --algorithm wsort --ts 30", "--topology torus:4x4 --algorithm dcf",
        "--topology hypercube:4 --algorithm exchange-allreduce --jitter 9",
        "--topology torus:5x4 --algorithm bucket-allreduce --startup per-port --ts 9",
        "--topology mesh:4x4 --algorithm dims-allreduce --groups dims:0",
        "--topology hypercube:4 --algorithm ucube --source 0,5 --barrier 20 --ts 3"}) {
    const std::string command = "run --skew 400 --trials 3 --ports 2 --json - " + run;
    nlohmann::json flits = json(command + " --model systemc");
    nlohmann::json worms = json(command + " --model worm");
    EXPECT_EQ(flits["digest"], worms["digest"]) << run;
    EXPECT_EQ(flits["latency"], worms["latency"]) << run;
    EXPECT_NE(flits["digest"], json(command + " --seed 2")["digest"]) << run;
  }
}

TEST_F(CliSkew, LatenciesCountFromCycleZeroAndAlsoFromTheLastStart) {
  const std::string run =
      "run --topology torus:4x4 --algorithm join-allreduce --ts 50 --skew 1000 --trials 4";
  const nlohmann::json result = json(run + " --json -");
  EXPECT_EQ(result["config"]["skew"], 1000);
  double sum = 0;
  for (const auto& trial : result["latency"]["trials"]) {
    EXPECT_GT(trial["max"], trial["last_start"]);
    sum += trial["max"].get<double>() - trial["last_start"].get<double>();
  }
  EXPECT_DOUBLE_EQ(result["latency"]["completion_after_last_start"]["mean"], sum / 4);
  EXPECT_THAT(
      allport(run).out,
      AllOf(
          HasSubstr(", starts in cycles 0..1000\n"), HasSubstr(", 4 trials, seed 1\n"),
          ContainsRegex(
              "\nskew +mean completion [0-9.]+ \\+- [0-9.]+ cycles after the last start of a trial\n"),
          HasSubstr("it lets all nodes start in cycle 0\n")));
}

TEST_F(CliSkew, NothingIsToldOfStartsWithoutIt) {
  const std::string run = "run --topology torus:4x4 --algorithm dcf --trials 2 ";
  const nlohmann::json result = json(run + "--json -");
  EXPECT_FALSE(result["config"].contains("skew"));
  EXPECT_FALSE(result["latency"].contains("completion_after_last_start"));
  EXPECT_FALSE(result["latency"]["trials"].at(0).contains("last_start"));
  EXPECT_EQ(json(run + "--skew 0 --json -")["latency"], result["latency"]);
}

TEST_F(CliSkew, CompareHasTheNumbersOfRun) {
  const std::string skewed = " --topology hypercube:4 --ts 50 --skew 500 --trials 3";
  const nlohmann::json rows = json(
      "compare --collective allreduce --algorithms join-allreduce,exchange-allreduce --json -" +
      skewed);
  for (const auto& row : rows) {
    const nlohmann::json run =
        json("run --json - --algorithm " + row["algorithm"].get<std::string>() + skewed);
    EXPECT_EQ(row["completion_after_last_start"], run["latency"]["completion_after_last_start"]);
    EXPECT_EQ(row["completion"], run["latency"]["completion"]);
  }
  EXPECT_THAT(allport("compare --collective allreduce" + skewed).out,
              HasSubstr("  completion  +- 95 %  after start    mean"));
}

TEST_F(CliSkew, ScenariosAndSweepsTakeIt) {
  write(
      "late.toml",
      "[fabric]\ntopology = \"hypercube:3\"\n[node]\nskew = 60\n[traffic]\nalgorithm = \"wsort\"\n");
  EXPECT_EQ(json("run late.toml --json -")["latency"],
            json("run --topology hypercube:3 --algorithm wsort --skew 60 --json -")["latency"]);
  EXPECT_EQ(allport("sweep --topology hypercube:3 --algorithm wsort --skew 0,60 --output s").status,
            0);
  EXPECT_THAT(content("s/results.csv"), HasSubstr("latency.completion_after_last_start.mean"));
}

TEST_F(CliSkew, IsRefusedWhereTheTrafficSaysWhenItSends) {
  write("timed.jsonl", R"({"u":0,"v":1,"step":1,"order":0,"at":5,"flits":3})");
  write("tasks.jsonl", R"({"node":0,"task":"a","compute":90})");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"--pattern uniform --rate 0.1 --cycles 9", "--pattern and --skew exclude each other"},
      {"--tasks tasks.jsonl", "--tasks and --skew exclude each other"},
      {"--schedule timed.jsonl", "--group, --jitter, --skew, --missing-links"}};
  for (const auto& [traffic, sentence] : cases) {
    const Outcome refused = allport("run --topology hypercube:2 --skew 9 " + traffic);
    EXPECT_EQ(refused.status, 2) << traffic;
    EXPECT_THAT(refused.err, HasSubstr(sentence));
  }
}

}  // namespace
}  // namespace allport::test
