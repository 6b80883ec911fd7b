// SPDX-License-Identifier: Apache-2.0
// These tests check scenarios, schedule files and the files that the program writes.
#include <gmock/gmock.h>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using CliFiles = Cli;

constexpr const char* scenario = R"([fabric]
topology = "hypercube:4"
[message]
flits = 64
[node]
ts = 200
[traffic]
algorithm = "wsort"
)";

TEST_F(CliFiles, AScenarioIsTheSameAsItsOptions) {
  write("run.toml", scenario);

  const nlohmann::json from_file = json("run run.toml --json -");
  const nlohmann::json from_options =
      json("run --topology hypercube:4 --flits 64 --ts 200 --algorithm wsort --json -");

  EXPECT_EQ(from_file["config"], from_options["config"]);
  EXPECT_EQ(from_file["digest"], from_options["digest"]);
}

TEST_F(CliFiles, TheCommandLineWinsOverAScenario) {
  write("run.toml", scenario);

  EXPECT_EQ(json("run run.toml --flits 8 --json -")["config"]["flits"], 8);
  EXPECT_EQ(json("run run.toml --bytes 8 --json -")["config"]["flits"], 2);
}

TEST_F(CliFiles, AnUnknownKeyNamesFileLineColumnAndTheNearest) {
  write("run.toml", std::string(scenario) + "[router]\nbuffer_depht = 4\n");

  const Outcome outcome = allport("run run.toml");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err,
            "allport: run.toml:10:1: unknown key 'buffer_depht': did you mean 'buffer_depth'?\n");
}

TEST_F(CliFiles, ATornScheduleIsAnErrorOfBoth) {
  write("torn", R"({"u":0,"v":1,"step":1,"order":0})"
                "\n"
                R"({"u":0,"v":2,"st)");
  for (const char* use :
       {"check --topology hypercube:2 torn", "run --topology hypercube:2 --schedule torn"}) {
    const Outcome outcome = allport(use);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, StartsWith("allport: torn:2: "));
  }
}

TEST_F(CliFiles, ASchedulesRunIsThatOfItsAlgorithm) {
  const std::string fabric = " --topology torus:4x4 --ts 20 --json - ";
  const Outcome outcome =
      shell("allport schedule --topology torus:4x4 --algorithm dcf >plan && allport run" + fabric +
            "--schedule - <plan >a.json && allport run" + fabric + "--algorithm dcf >b.json");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json a = nlohmann::json::parse(content("a.json"));
  const nlohmann::json b = nlohmann::json::parse(content("b.json"));
  EXPECT_EQ(a["digest"], b["digest"]);
  EXPECT_EQ(a["config"]["schedule"].size(), 15U);
  EXPECT_EQ(a["static"], b["static"]);
}

TEST_F(CliFiles, WormsOfOtherKindsAreJudgedByTheirRoutes) {
  write("deposit", R"({"u":0,"v":7,"step":1,"order":0,"kind":"deposit"})"
                   "\n");

  const nlohmann::json run =
      json("run --topology hypercube:3 --schedule deposit --destinations 4,6,7 --json -");

  EXPECT_TRUE(run["static"]["theorem1"].is_null());
  EXPECT_EQ(run["static"]["contention"]["ok"], true);
  EXPECT_EQ(run["static"]["deadlock"]["ok"], true);
  EXPECT_EQ(run["latency"]["by_destination"], nlohmann::json::parse(R"({"4":17,"6":18,"7":19})"));
}

// There are two roots, each of which sends everything to every node.
TEST_F(CliFiles, WhatComesTwiceIsSaid) {
  write("two", R"({"u":0,"step":1,"order":0,"kind":"path"})"
               "\n"
               R"({"u":6,"step":1,"order":0,"kind":"tree"})"
               "\n");
  const std::string fabric = "--topology hypercube:3 --source 0,6 ";
  const Outcome run = allport("run " + fabric + "--flits 1 --schedule two");

  EXPECT_THAT(run.out, HasSubstr("exactly once fails (8 violations), collective fails"));
  const Outcome check = allport("check --json - " + fabric + "two");
  EXPECT_EQ(check.status, 1);
  EXPECT_EQ(nlohmann::json::parse(check.out)["exactly_once"]["violations"], 8);
}

TEST_F(CliFiles, AnUnwritablePathIsRefusedBeforeTheRunAndLosesNothing) {
  write("old.json", "old");
  write("old.vcd", "old");

  const std::string run = "run --topology hypercube:4 --algorithm wsort ";
  for (const char* paths :
       {"--json none/x.json --wave old.vcd", "--json old.json --wave none/x.vcd",
        "--json old.json --wave old.vcd --source 99"}) {
    EXPECT_EQ(allport(run + paths).status, 2) << paths;
    EXPECT_EQ(content("old.json"), "old") << paths;
    EXPECT_EQ(content("old.vcd"), "old") << paths;
  }
}

TEST_F(CliFiles, AFullDiskIsSaid) {
  const Outcome outcome =
      shell("allport run --topology hypercube:2 --algorithm wsort --json - >/dev/full");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("cannot be written"));
}

TEST_F(CliFiles, WavesComeWithASaveFileAndChangeNothing) {
  const std::string run = "run --topology hypercube:3 --algorithm ucube --ts 5 --json ";

  EXPECT_EQ(allport(run + "plain.json").status, 0);
  for (const char* ending : {"vcd", "fst"}) {
    const Outcome outcome = allport(run + "waves.json --wave w." + ending);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(exists("w." + std::string(ending)));
    EXPECT_TRUE(exists("w.gtkw"));
    EXPECT_EQ(nlohmann::json::parse(content("waves.json"))["digest"],
              nlohmann::json::parse(content("plain.json"))["digest"]);
  }
}

TEST_F(CliFiles, ADeadlockStillLeavesItsWaves) {
  const Outcome outcome =
      allport("run --topology hypercube:3 --algorithm tree --source 0,2 --flits 64 --wave w.vcd");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(content("w.vcd"), HasSubstr("$enddefinitions"));
  EXPECT_THAT(content("w.gtkw"), HasSubstr("deadlock"));
}

TEST_F(CliFiles, AFileBesideAWaveIsKept) {
  write("w.fst.hier", "mine\n");
  write("cosim-difference.fst.hier", "mine\n");
  for (const std::string command : {"run --topology hypercube:3 --algorithm wsort --wave w.fst",
                                    "cosim --topology hypercube:3 --algorithm wsort --wave w.fst",
                                    "cosim --topology hypercube:3 --algorithm wsort"}) {
    const Outcome outcome = allport(command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_THAT(outcome.err, HasSubstr(".fst.hier would be lost, because ")) << command;
  }
  EXPECT_EQ(content("w.fst.hier"), "mine\n");
  EXPECT_EQ(content("cosim-difference.fst.hier"), "mine\n");
  EXPECT_FALSE(exists("w.fst"));
}

TEST_F(CliFiles, AWaveReplacesOneWhoseRunWasKilled) {
  shell(
      "$program run --topology ring:8 --pattern uniform --rate 0.5 --cycles 1000000000 --wave w.fst >/dev/null & pid=$!; for i in $(seq 200); do [ -s w.fst.hier ] && break; sleep 0.1; done; kill -KILL $pid; wait $pid");
  ASSERT_TRUE(exists("w.fst.hier"));

  const Outcome again = allport("run --topology ring:8 --algorithm separate --wave w.fst");

  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_FALSE(exists("w.fst.hier"));
}

}  // namespace
}  // namespace allport::test
