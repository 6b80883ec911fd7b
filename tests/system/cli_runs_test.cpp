// SPDX-License-Identifier: Apache-2.0
// These tests check what the commands that simulate print, and the status with which they end.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"
#include "tests/support/csv_cells.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using CliRuns = Cli;

TEST_F(CliRuns, RunAndStepsDrawTheSameSets) {
  for (const char* seed : {"1", "2", "3", "4", "5", "6"}) {
    const std::string fabric =
        std::string(" --topology hypercube:6 --source 5 --trials 1 --seed ") + seed;
    const nlohmann::json run =
        json("run --algorithm wsort --destinations random:20 --json -" + fabric);
    const Outcome steps = allport("steps --algorithms wsort --sizes 20" + fabric);

    EXPECT_EQ(steps.out, "m,wsort\n20," + run["steps"].dump() + ".000000\n") << seed;
  }
}

TEST_F(CliRuns, RunReportsForPeople) {
  const Outcome outcome =
      allport("run --topology torus:16x16 --algorithm dcf --ts 200 --tr 200 --flits 64");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("max 3076 cycles"));
  EXPECT_THAT(outcome.out, HasSubstr("equal to the simulation"));
  EXPECT_THAT(outcome.out, HasSubstr("Theorem 1 holds"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(CliRuns, WithJsonOnStdoutNothingElseIsThere) {
  const nlohmann::json run =
      json("run --topology hypercube:4 --algorithm sbt --destinations 7,15 --ts 10 --json -");

  EXPECT_EQ(run["config"]["relays"], nlohmann::json::parse("[4,6,8,12,14]"));
  EXPECT_EQ(run["static"]["theorem1"]["ok"], true);
  EXPECT_EQ(run["latency"]["by_destination"].size(), 2U);
}

TEST_F(CliRuns, TheStaticCheckCanBeLeftOut) {
  const std::string run = "run --topology hypercube:4 --algorithm wsort --no-static ";

  EXPECT_THAT(allport(run).out, HasSubstr("static      not checked: --no-static\n"));
  EXPECT_TRUE(json(run + "--json -")["static"].is_null());
  write("scenario.toml",
        "[fabric]\ntopology=\"hypercube:4\"\n[traffic]\nalgorithm=\"wsort\"\n"
        "[observe]\nno_static=true\n");
  EXPECT_THAT(allport("run scenario.toml").out, HasSubstr("static      not checked"));
}

// It is told when everything else is done, files included.
TEST_F(CliRuns, WhatItTookIsTheLastLine) {
  const std::string run = "run --topology ring:8 --pattern uniform --rate 0.2 --cycles 100 ";
  for (const char* outputs :
       {"", "--explain all --json e.json --report p.html", "--wave w.vcd --wave-on slowest"}) {
    const std::string text = allport(run + outputs).out;
    const std::size_t last = text.rfind('\n', text.size() - 2) + 1;
    EXPECT_EQ(text.substr(last, 12), "took        ") << outputs;
  }
}

TEST_F(CliRuns, TheStaticCheckCountsUpToALimit) {
  const std::string pairs = "--topology hypercube:3 --algorithm tree --source 0,2,4,6 ";
  const auto all = nlohmann::json::parse(allport("check --json - " + pairs).out);
  const auto some =
      nlohmann::json::parse(allport("check --json - --max-violations 2 " + pairs).out);

  EXPECT_EQ(all["contention"]["violations"], 6);
  EXPECT_FALSE(all["contention"].contains("truncated"));
  EXPECT_EQ(some["contention"]["violations"], 2);
  EXPECT_EQ(some["contention"]["truncated"], true);
  EXPECT_THAT(allport("run --flits 1 --max-violations 2 " + pairs).out,
              HasSubstr("freedom from contention fails (at least 2 violations)"));
}

// The results are printed before the check begins; an interrupt of the check does not lose them.
TEST_F(CliRuns, AnInterruptedStaticCheckLosesNoResults) {
  const Outcome outcome = shell(
      "$program run --topology hypercube:13 --algorithm separate --source $(seq -s, 0 15) --model worm --flits 1 --max-violations 1000000 --json out.json >text & pid=$!; until grep -q ^reception text; do sleep 0.02; done; kill -INT $pid; wait $pid");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("allport: the static check was interrupted\n"));
  EXPECT_THAT(content("text"), HasSubstr("\nstatic      not checked: interrupted\n"));
  EXPECT_THAT(content("text"), HasSubstr("\ndigest      "));
  const nlohmann::json run = nlohmann::json::parse(content("out.json"));
  EXPECT_TRUE(run["static"].is_null());
  EXPECT_EQ(run["no_static"], "interrupted");
  EXPECT_EQ(run["error"], "the static check was interrupted");
  EXPECT_EQ(run["messages"], 16 * 8191);
}

TEST_F(CliRuns, RelaysAreSaid) {
  const std::string run = "run --topology hypercube:3 --algorithm sbt --destinations 7";

  EXPECT_THAT(allport(run).out, HasSubstr("relays      4, 6\n"));
  EXPECT_THAT(allport(run + " --json -").err, HasSubstr("relays: 4, 6\n"));
}

TEST_F(CliRuns, TheSameSeedGivesTheSameBytes) {
  const std::string run =
      "run --topology hypercube:5 --algorithm ucube --destinations random:11 --trials 3 --jitter 40 --seed 3 --json - | grep -v wall_seconds";

  const Outcome first = shell("allport " + run);
  const Outcome second = shell("allport " + run);

  EXPECT_EQ(first.out, second.out);
  EXPECT_THAT(first.out, HasSubstr("digest"));
}

TEST_F(CliRuns, RunTakesPatterns) {
  const nlohmann::json run =
      json("run --topology torus:4x4 --pattern uniform --rate 0.1 --cycles 2000 --json -");

  EXPECT_TRUE(run["static"].is_null());
  EXPECT_NEAR(run["traffic"]["offered"].get<double>(), 0.1, 0.02);
  EXPECT_EQ(run["traffic"]["saturated"], false);
}

// Whatever channel: each cycle of the window is one of the five, and the flits of stretches are
// those of the run. The loads of the window are those of the results.
TEST_F(CliRuns, TheLoadsOfTheChannelsAddUpToTheFlitHops) {
  const std::string traffic =
      "run --topology mesh:3x4 --pattern hotspot --hotspot 5 --rate 0.1 --flits-long 40 --long-fraction 0.2 --cycles 5000 --warmup 1000 --channel-load loads.csv --json - ";
  const nlohmann::json of_window = json(traffic);
  std::istringstream rows(content("loads.csv"));
  double max = 0;
  for (std::string row; std::getline(rows, row);) {
    const std::vector<std::string> cells = cells_of(row);
    if (cells[3] != "external") continue;
    EXPECT_EQ(cells[1] + " " + cells[2], "1000 4000");
    max = std::max(max, std::stod(cells[7]));
  }
  EXPECT_EQ(of_window["traffic"]["channel_load"]["max"].get<double>(), max);

  const nlohmann::json run = json(traffic + "--every 1000000");
  std::istringstream lines(content("loads.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(
      line,
      "trial,from,cycles,channel,node,port,flits,load,used,lost,no_credit,empty,idle,messages,most_waiting");
  std::map<std::string, int> channels;
  std::map<std::string, long> flits;
  while (std::getline(lines, line)) {
    const std::vector<std::string> cells = cells_of(line);
    ASSERT_EQ(cells.size(), 15U);
    ++channels[cells[3]];
    flits[cells[3]] += std::stol(cells[6]);
    EXPECT_EQ(cells[2], std::to_string(run["cycles"].get<long>()));
    long sum = 0;
    for (std::size_t i = 8; i < 13; ++i) sum += std::stol(cells[i]);
    EXPECT_EQ(sum, std::stol(cells[2])) << line;
  }
  EXPECT_EQ(channels["external"], 2 * (2 * 4 + 3 * 3));
  EXPECT_EQ(channels["injection"], 12 * 4);
  EXPECT_EQ(flits["external"], run["flit_hops"].get<long>());
  EXPECT_EQ(flits["injection"], flits["ejection"]);
}

// The digest covers all deliveries, so the choice of what is measured does not change it.
TEST_F(CliRuns, AWarmUpChangesTheMeasurementAlone) {
  const std::string traffic =
      "run --topology torus:4x4 --pattern tornado --rate 0.2 --cycles 3000 --json - ";
  const nlohmann::json all = json(traffic);
  const nlohmann::json late = json(traffic + "--warmup 2000");

  EXPECT_EQ(all["digest"], late["digest"]);
  EXPECT_EQ(all["messages"], late["messages"]);
  EXPECT_NE(all["traffic"], late["traffic"]);
}

// U-cube with all ports, source 0: shown to contend for this set.
TEST_F(CliRuns, WormsGiveTheResultsOfFlits) {
  for (
      const char* run :
      {"run --topology hypercube:5 --algorithm ucube --source 0,9 --flits 300 --jitter 40 --json -",
       "run --topology torus:8x8 --pattern tornado --rate 0.4 --flits 64 --cycles 3000 --json -"}) {
    nlohmann::json flits = json(run);
    nlohmann::json worms = json(std::string(run) + " --model worm");

    EXPECT_EQ(worms["model"], "worm");
    for (nlohmann::json* one : {&flits, &worms}) {
      one->erase("model");
      one->erase("wall_seconds");
      one->erase("static_wall_seconds");
      (*one)["config"].erase("asked");
    }
    EXPECT_EQ(worms, flits) << run;
  }
}

TEST_F(CliRuns, AContentionEventIsAFindingWithStrict) {
  const std::string run =
      "run --topology hypercube:5 --algorithm ucube --ts 3 --destinations 4,10,11,12,13,15,19,20,29,30,31";

  EXPECT_EQ(allport(run).status, 0);
  const Outcome strict = allport(run + " --strict --json out.json");
  EXPECT_EQ(strict.status, 1);
  EXPECT_THAT(strict.err, HasSubstr("--strict"));
  EXPECT_TRUE(exists("out.json"));
}

TEST_F(CliRuns, OneContentionEventIsSaidOfOne) {
  const std::string options =
      " --topology hypercube:3 --destinations 7 --source 0,2 --strict --algorithm";

  EXPECT_EQ(allport("run" + options + " separate").err, "allport: --strict: 1 contention event\n");
  EXPECT_EQ(allport("compare" + options + "s separate").err,
            "allport: --strict: separate: 1 contention event\n");
}

// In several VCs, or in pieces of unequal length, they travel side by side.
TEST_F(CliRuns, MessagesOfOneSenderAreAQueueBesideAProof) {
  for (
      const char* run :
      {"--topology hypercube:4 --algorithm separate --destinations 12,13,14,15 --vcs 2 --link-delay 1 --buffer-depth 1 --flits 1",
       "--topology hypercube:4 --algorithm separate --destinations 12,13,14,15 --vcs 2 --link-delay 2 --flits 3",
       "--topology hypercube:4 --algorithm ucube --destinations 7 --pieces 4 --flits 4 --vcs 2 --link-delay 1 --buffer-depth 1",
       "--topology hypercube:3 --algorithm separate --destinations 6,7 --vcs 2 --flits 3 --switching store-and-forward --buffer-depth 16 --pieces 2"}) {
    const Outcome outcome = allport(std::string("run --strict ") + run);
    EXPECT_EQ(outcome.status, 0) << run;
    EXPECT_THAT(outcome.out, HasSubstr("contention  none\n")) << run;
    EXPECT_THAT(outcome.out, HasSubstr("Theorem 1 holds")) << run;
  }
}

TEST_F(CliRuns, ADeadlockIsReportedAndThenStatusThree) {
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

TEST_F(CliRuns, ABarrierAvoidsTheDeadlock) {
  EXPECT_EQ(
      allport("run --topology hypercube:3 --algorithm tree --source 0,2 --flits 64 --barrier 5")
          .status,
      0);
}

TEST_F(CliRuns, AnInterruptedRunReportsWhatItHas) {
  const Outcome outcome = shell(
      "$program run --topology hypercube:4 --pattern uniform --rate 0.1 --cycles 1000000000 --json out.json & pid=$!; sleep 1; kill -INT $pid; wait $pid");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("allport: interrupted"));
  EXPECT_THAT(outcome.out, HasSubstr("these are the results so far"));
  EXPECT_GT(nlohmann::json::parse(content("out.json"))["messages"], 0);
}

TEST_F(CliRuns, TakesEverySwitchingModeAtItsTheory) {
  for (const char* mode : {"wormhole", "cut-through", "store-and-forward", "circuit"}) {
    const std::string run =
        "run --topology hypercube:4 --algorithm sbt --ts 40 --tr 3 --buffer-depth 16 --switching " +
        std::string(mode);
    EXPECT_THAT(allport(run).out, HasSubstr("equal to the simulation")) << mode;
    EXPECT_EQ(json(run + " --json -")["config"]["switching"], mode);
  }
}

TEST_F(CliRuns, RoutesAdaptivelyWithFewerCyclesLostAndTheSameDigestEachTime) {
  const std::string run =
      "run --topology hypercube:4 --pattern transpose --rate 0.4 --cycles 500 --vcs 2 --json - ";
  const nlohmann::json ecube = json(run);
  const nlohmann::json adaptive = json(run + "--routing adaptive");

  EXPECT_LT(adaptive["latency"]["mean"], ecube["latency"]["mean"]);
  EXPECT_EQ(adaptive["digest"], json(run + "--routing adaptive")["digest"]);
  EXPECT_EQ(adaptive["config"]["routing"], "adaptive");
  EXPECT_EQ(adaptive["flit_hops"], ecube["flit_hops"]);  // both are minimal
}

}  // namespace
}  // namespace allport::test
