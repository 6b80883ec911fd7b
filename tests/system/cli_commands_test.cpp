// SPDX-License-Identifier: Apache-2.0
// What each command prints and with which status it ends.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/system/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using CliCommands = Cli;

TEST_F(CliCommands, TheVersionIsPrinted) {
  const Outcome outcome = allport("--version");

  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("allport "));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(CliCommands, EveryCommandHasHelp) {
  for (const char* command :
       {"", "list", "schedule", "check", "run", "steps", "compare", "bench", "completion"}) {
    const Outcome outcome = allport(std::string(command) + " --help");

    EXPECT_EQ(outcome.status, 0) << command;
    EXPECT_THAT(outcome.out, HasSubstr("Usage: allport")) << command;
    EXPECT_THAT(outcome.err, IsEmpty()) << command;
  }
}

TEST_F(CliCommands, HelpNamesUnitsAndDefaults) {
  EXPECT_THAT(allport("run --help").out, HasSubstr("--buffer-depth FLITS [4]"));
}

TEST_F(CliCommands, WhatIsNotThereYetIsNotOffered) {
  const std::string help = allport("run --help").out + allport("--help").out;
  for (const char* word : {"preset", "cosim", "sweep", "reproduce", "adaptive", "rtl", "worm "}) {
    EXPECT_THAT(help, Not(HasSubstr(word)));
  }
}

TEST_F(CliCommands, ListNamesEverythingThereIsToChoose) {
  const Outcome outcome = allport("list");

  EXPECT_EQ(outcome.status, 0);
  for (const char* word :
       {"hypercube:N", "torus:", "mesh:", "ring:K", "ucube", "maxport", "combine", "wsort",
        "separate", "sbt", "dcf", "tree", "uniform", "wormhole"}) {
    EXPECT_THAT(outcome.out, HasSubstr(word));
  }
}

// [Robinson93] fig. 8
TEST_F(CliCommands, SchedulePrintsJsonLines) {
  const Outcome outcome = allport(
      "schedule --topology hypercube:4 --algorithm wsort --destinations 1,3,5,7,11,12,14,15");

  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out,
            R"({"u":0,"v":14,"step":1,"order":0}
{"u":0,"v":5,"step":1,"order":1}
{"u":0,"v":3,"step":1,"order":2}
{"u":0,"v":1,"step":1,"order":3}
{"u":5,"v":7,"step":2,"order":0}
{"u":14,"v":11,"step":2,"order":0}
{"u":14,"v":12,"step":2,"order":1}
{"u":14,"v":15,"step":2,"order":2}
)");
}

TEST_F(CliCommands, CheckProvesAnAlgorithm) {
  const nlohmann::json report = json("check --topology hypercube:5 --algorithm combine");

  for (const char* name : {"exactly_once", "causality", "port_rule", "routes_valid", "stepwise",
                           "definition4", "theorem1"}) {
    EXPECT_EQ(report[name]["ok"], true) << name;
  }
}

TEST_F(CliCommands, CheckReadsWhatSchedulePrints) {
  const std::string fabric = " --topology torus:8x8 --source 9 ";
  const Outcome outcome =
      shell("allport schedule" + fabric + "--algorithm dcf | allport check" + fabric + "-");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(CliCommands, CheckRefutesWithStatusOne) {
  const std::string check =
      "check --topology hypercube:4 --algorithm ucube --destinations 4,10,11,12,13";

  EXPECT_EQ(allport(check).status, 1);
  EXPECT_EQ(allport(check + " --require definition4,stepwise").status, 0);
  EXPECT_EQ(allport(check + " --require definition4,theorem1").status, 1);
}

TEST_F(CliCommands, ABrokenScheduleIsAFindingOfCheckAndAnErrorOfRun) {
  write("cyclic", R"({"u":2,"v":3,"step":1,"order":0})"
                  "\n"
                  R"({"u":3,"v":2,"step":1,"order":0})"
                  "\n");
  write("nothing", R"({"u":0,"v":1,"step":1,"order":0})"
                   "\n"
                   R"({"u":2,"v":3,"step":2,"order":0})"
                   "\n");
  for (const char* name : {"cyclic", "nothing"}) {
    EXPECT_EQ(allport("check --topology hypercube:2 " + std::string(name)).status, 1) << name;
    const Outcome run = allport("run --topology hypercube:2 --schedule " + std::string(name));
    EXPECT_EQ(run.status, 2) << name;
    EXPECT_THAT(run.err, StartsWith("allport: unicast 2 -> 3")) << name;
  }
}

TEST_F(CliCommands, StepsPrintsTheExactTable) {
  const Outcome outcome = allport(
      "steps --topology hypercube:4 --algorithms ucube,wsort --trials exhaustive --sizes 2,8");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "m,ucube,wsort\n2,2.000000,1.333333\n8,4.000000,2.657032\n");
}

TEST_F(CliCommands, RunAndStepsDrawTheSameSets) {
  const std::string fabric = " --topology hypercube:6 --seed 7 --trials 20 ";
  const nlohmann::json run =
      json("run" + fabric + "--algorithm wsort --destinations random:17 --json -");
  const Outcome steps = allport("steps" + fabric + "--algorithms wsort --sizes 17");

  EXPECT_EQ(run["latency"]["trials"].size(), 20U);
  EXPECT_THAT(steps.out, StartsWith("m,wsort\n17,"));
}

TEST_F(CliCommands, RunReportsForPeople) {
  const Outcome outcome =
      allport("run --topology torus:16x16 --algorithm dcf --ts 200 --tr 200 --flits 64");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("max 3076 cycles"));
  EXPECT_THAT(outcome.out, HasSubstr("equal to the simulation"));
  EXPECT_THAT(outcome.out, HasSubstr("Theorem 1 holds"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(CliCommands, WithJsonOnStdoutNothingElseIsThere) {
  const nlohmann::json run =
      json("run --topology hypercube:4 --algorithm sbt --destinations 7,15 --ts 10 --json -");

  EXPECT_EQ(run["config"]["relays"], nlohmann::json::parse("[4,6,8,12,14]"));
  EXPECT_EQ(run["static"]["theorem1"]["ok"], true);
  EXPECT_EQ(run["latency"]["by_destination"].size(), 2U);
}

TEST_F(CliCommands, RelaysAreSaid) {
  const std::string run = "run --topology hypercube:3 --algorithm sbt --destinations 7";

  EXPECT_THAT(allport(run).out, HasSubstr("relays:     4, 6\n"));
  EXPECT_THAT(allport(run + " --json -").err, HasSubstr("relays: 4, 6\n"));
}

TEST_F(CliCommands, TheSameSeedGivesTheSameBytes) {
  const std::string run =
      "run --topology hypercube:5 --algorithm ucube --destinations random:11 --trials 3 "
      "--jitter 40 --seed 3 --json - | grep -v wall_seconds";

  const Outcome first = shell("allport " + run);
  const Outcome second = shell("allport " + run);

  EXPECT_EQ(first.out, second.out);
  EXPECT_THAT(first.out, HasSubstr("digest"));
}

TEST_F(CliCommands, RunTakesPatterns) {
  const nlohmann::json run =
      json("run --topology torus:4x4 --pattern uniform --rate 0.1 --cycles 2000 --json -");

  EXPECT_TRUE(run["static"].is_null());
  EXPECT_NEAR(run["traffic"]["offered"].get<double>(), 0.1, 0.02);
  EXPECT_EQ(run["traffic"]["saturated"], false);
}

// U-cube with all ports, source 0: shown to contend for this set.
TEST_F(CliCommands, AContentionEventIsAFindingWithStrict) {
  const std::string run =
      "run --topology hypercube:5 --algorithm ucube --ts 3 --destinations "
      "4,10,11,12,13,15,19,20,29,30,31";

  EXPECT_EQ(allport(run).status, 0);
  const Outcome strict = allport(run + " --strict --json out.json");
  EXPECT_EQ(strict.status, 1);
  EXPECT_THAT(strict.err, HasSubstr("--strict"));
  EXPECT_TRUE(exists("out.json"));
}

TEST_F(CliCommands, ADeadlockIsReportedAndThenStatusThree) {
  const Outcome outcome = allport(
      "run --topology hypercube:3 --algorithm tree --source 0,2 --flits 64 --json out.json");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.out, HasSubstr("can never be delivered"));
  EXPECT_THAT(outcome.err, StartsWith("allport: deadlock in cycle "));
  const nlohmann::json run = nlohmann::json::parse(content("out.json"));
  ASSERT_GE(run["deadlock"].size(), 2U);
  for (const nlohmann::json& wait : run["deadlock"]) {
    EXPECT_TRUE(wait["message"]["v"].is_null());
    EXPECT_EQ(wait["waits_for"], "vc");
  }
}

TEST_F(CliCommands, ABarrierAvoidsTheDeadlock) {
  EXPECT_EQ(allport("run --topology hypercube:3 --algorithm tree --source 0,2 --flits 64 "
                    "--barrier 5")
                .status,
            0);
}

TEST_F(CliCommands, AnInterruptedRunReportsWhatItHas) {
  const Outcome outcome = shell(
      "$program run --topology hypercube:4 --pattern uniform --rate 0.1 --cycles 1000000000 "
      "--json out.json & pid=$!; sleep 1; kill -INT $pid; wait $pid");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("allport: interrupted"));
  EXPECT_THAT(outcome.out, HasSubstr("these are the results so far"));
  EXPECT_GT(nlohmann::json::parse(content("out.json"))["messages"], 0);
}

TEST_F(CliCommands, CompareShowsTheoryBesideSimulation) {
  const nlohmann::json rows =
      json("compare --topology hypercube:4 --ts 50 --algorithms wsort,tree --json -");

  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["algorithm"], "wsort");
  EXPECT_EQ(rows[0]["theory"], rows[0]["max"]);
  EXPECT_EQ(rows[0]["events"], 0);
  EXPECT_EQ(rows[1]["algorithm"], "tree");
  EXPECT_EQ(rows[1]["max"], 50 + 4 + 16);
  EXPECT_EQ(rows[1]["steps"], 4);
}

TEST_F(CliCommands, CompareTakesAllThatApply) {
  const std::string all = allport("compare --topology hypercube:3").out;
  const std::string some = allport("compare --topology hypercube:3 --destinations 1,5").out;

  EXPECT_THAT(all, HasSubstr("tree"));
  EXPECT_THAT(all, Not(HasSubstr("dcf")));
  EXPECT_THAT(some, Not(HasSubstr("tree")));
  EXPECT_THAT(some, HasSubstr("wsort"));
}

TEST_F(CliCommands, CompareAgreesWithRun) {
  const std::string traffic =
      " --topology hypercube:5 --destinations random:9 --trials 4 --jitter 9 --seed 5 --json -";
  const nlohmann::json row = json("compare --algorithms maxport,ucube" + traffic)[1];
  const nlohmann::json run = json("run --algorithm ucube" + traffic);

  EXPECT_EQ(row["max"], run["latency"]["max"]);
  EXPECT_EQ(row["mean"], run["latency"]["mean"]);
  EXPECT_EQ(row["steps"], run["steps"]);
}

TEST_F(CliCommands, BenchMeasuresCasesByName) {
  const nlohmann::json rows = json("bench --cases 6-cube --cycles 500 --json -");

  ASSERT_EQ(rows.size(), 2U);
  for (const nlohmann::json& row : rows) {
    for (const char* key : {"cycles_per_second", "ns_per_router_cycle", "ns_per_flit_hop",
                            "flit_hops", "startup_seconds", "peak_bytes"}) {
      EXPECT_GT(row[key].get<double>(), 0) << key;
    }
    EXPECT_EQ(row["model"], "systemc");
  }
}

TEST_F(CliCommands, CompletionKnowsEveryOption) {
  const Outcome script = allport("completion bash");
  EXPECT_EQ(script.status, 0);

  const Outcome completed = shell(
      "allport completion bash >completion && bash -c 'source ./completion; "
      "COMP_WORDS=(allport run --buf); COMP_CWORD=2; _allport; echo \"${COMPREPLY[@]}\"; "
      "COMP_WORDS=(allport run --algorithm ws); COMP_CWORD=3; _allport; "
      "echo \"${COMPREPLY[@]}\"; "
      "COMP_WORDS=(allport st); COMP_CWORD=1; _allport; echo \"${COMPREPLY[@]}\"'");
  EXPECT_EQ(completed.out, "--buffer-depth\nwsort\nsteps\n") << completed.err;
}

}  // namespace
}  // namespace allport::test
