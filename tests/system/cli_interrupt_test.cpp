// SPDX-License-Identifier: Apache-2.0
// One SIGINT or SIGTERM ends long work of every kind: status 3, one word, and the results so far.
#include <gmock/gmock.h>

#include <chrono>
#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CliInterrupt : public Cli {
 protected:
  // Runs the command and ends it a moment after it began to catch signals (bit 1 of the mask:
  // SIGINT); it must have ended long before the limit.
  Outcome interrupted(const std::string& signal, const std::string& command) const {
    return shell(
        "timeout -s KILL 50 \"$program\" " + command +
        " & limit=$!; for i in $(seq 2000); do run=$(cat /proc/$limit/task/$limit/children); grep -qs '^SigCgt:.*[2367abef]$' /proc/${run% }/status && break; sleep 0.01; done; sleep 0.3; begin=$(date +%s%N); kill -" +
        signal +
        " $run; wait $limit; status=$?; echo $((($(date +%s%N) - begin) / 1000000)) > took; exit $status");
  }
  /// Milliseconds from the signal to the end. An idle machine needs less than one second.
  int took() const { return std::stoi(content("took")); }
  static constexpr int long_enough = 5000;
};

TEST_F(CliInterrupt, EndsARunOfWhichFewMessagesStart) {
  for (const char* model : {"systemc", "worm"}) {
    for (const char* signal : {"INT", "TERM"}) {
      const Outcome outcome = interrupted(
          signal,
          std::string(
              "run --topology hypercube:1 --pattern uniform --rate 0.001 --cycles 1000000000000 --json out.json --model ") +
              model);

      EXPECT_EQ(outcome.status, 3) << model << signal;
      EXPECT_THAT(outcome.err, EndsWith("allport: interrupted\n"));
      EXPECT_THAT(outcome.out, HasSubstr("these are the results so far"));
      EXPECT_EQ(nlohmann::json::parse(content("out.json"))["error"], "interrupted");
    }
  }
}

// Cycles in which nothing starts cost nothing, so it ends at once.
TEST_F(CliInterrupt, ARunInWhichNoMessageStartsEndsByItself) {
  for (const char* model : {"systemc", "worm"}) {
    for (const char* rate : {"1e-300", "1e-10"}) {
      const Outcome outcome = allport(
          std::string(
              "run --topology hypercube:1 --pattern uniform --cycles 1000000000000 --model ") +
          model + " --rate " + rate);
      EXPECT_EQ(outcome.status, 0) << model << rate << outcome.err;
    }
  }
}

TEST_F(CliInterrupt, EndsThePlanningOfARun) {
  const std::string plan =
      " --topology hypercube:12 --destinations random:2000 --trials 100000 --json out.json";
  for (
      const std::string& command : std::initializer_list<std::string>{
          "run --algorithm wsort" + plan, "compare" + plan,
          "sweep --topology hypercube:12 --algorithm wsort --trials 1..3 --switching cut-through --flits 4 --destinations random:2000 --seed 1..100000"}) {
    const Outcome outcome = interrupted("INT", command);

    EXPECT_EQ(outcome.status, 3) << command;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_EQ(outcome.err, "allport: interrupted\n") << command;
    EXPECT_FALSE(exists("out.json"));
  }
}

TEST_F(CliInterrupt, EndsTheElaborationOfALargeFabric) {
  const Outcome outcome = interrupted(
      "INT",
      "run --topology hypercube:17 --pattern uniform --rate 0.1 --cycles 100 --json out.json");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "allport: interrupted\n");
  EXPECT_FALSE(exists("out.json"));
  EXPECT_LT(took(), long_enough);
}

TEST_F(CliInterrupt, EndsWhatHasNothingToReportYet) {
  for (
      const char* command :
      {"run --topology hypercube:20 --algorithm wsort --destinations random:500000 --trials 50 --model worm --json out.json",
       "compare --topology hypercube:20 --model worm --json out.json",
       "check --topology hypercube:20 --algorithm wsort --json out.json",
       "show bounds --topology torus:1024x1024 --json out.json"}) {
    for (const char* signal : {"INT", "TERM"}) {
      const Outcome outcome = interrupted(signal, command);

      EXPECT_EQ(outcome.status, 3) << command;
      EXPECT_EQ(outcome.out, "") << command;
      EXPECT_EQ(outcome.err, "allport: interrupted\n") << command;
      EXPECT_FALSE(exists("out.json"));
      EXPECT_LT(took(), long_enough) << command;
    }
  }
}

TEST_F(CliInterrupt, OfAComparisonKeepsTheRowsSoFar) {
  const Outcome outcome = interrupted(
      "INT",
      "compare --topology hypercube:8 --algorithms separate,sbt --flits 100000 --trials 50 --model systemc --json out.json");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, EndsWith("allport: separate: interrupted\n"));
  EXPECT_THAT(outcome.out, HasSubstr("0  interrupted\n"));
  const nlohmann::json rows = nlohmann::json::parse(content("out.json"));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["error"], "interrupted");
  EXPECT_LT(took(), long_enough);
}

TEST_F(CliInterrupt, OfAComparisonOfLengthsKeepsThoseThatAreDone) {
  const Outcome outcome = interrupted(
      "INT",
      "compare --topology hypercube:8 --algorithms sbt,separate --sizes 64,3MiB --model systemc --json out.json");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.err, "allport: interrupted\n");
  const nlohmann::json sizes = nlohmann::json::parse(content("out.json"))["sizes"];
  ASSERT_EQ(sizes.size(), 1U);
  EXPECT_EQ(sizes[0]["bytes"], 64);
  for (const nlohmann::json& one : sizes[0]["algorithms"]) EXPECT_GT(one["max"], 0);
  EXPECT_LT(took(), long_enough);
}

// Whether there is something to show or not.
TEST_F(CliInterrupt, OfARunLeavesTheTimelineThatWasThere) {
  for (const std::string file : {"t.pftrace", "t.ftr", "t.csv"}) {
    for (const char* rate : {"0.001", "0.01"}) {
      write(file, "old");
      const Outcome outcome = interrupted(
          "INT",
          std::string(
              "run --topology hypercube:1 --pattern uniform --cycles 1000000000000 --timeline ") +
              file + " --rate " + rate);

      EXPECT_EQ(outcome.status, 3);
      EXPECT_THAT(outcome.err, EndsWith("allport: interrupted\nallport: " + file +
                                        " was not written: interrupted\n"));
      EXPECT_EQ(content(file), "old") << rate;
    }
  }
}

// The signal comes when a part of the timeline is on the disk.
TEST_F(CliInterrupt, EndsTheWritingOfATimelineAndLeavesTheOneThatWasThere) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"t.pftrace", "INT"}, {"t.ftr", "TERM"}, {"t.csv", "INT"}};
  for (const auto& [file, signal] : cases) {
    write(file, "old");
    const Outcome outcome = shell(
        "\"$program\" run --topology hypercube:16 --algorithm wsort --model worm --no-static --timeline " +
        file +
        " & run=$!; for i in $(seq 3000); do test -n \"$(find . -name '.allport.*' -size +0)\" && break; sleep 0.01; done; begin=$(date +%s%N); kill -" +
        signal +
        " $run; wait $run; status=$?; echo $((($(date +%s%N) - begin) / 1000000)) > took; ls -A | grep allport; exit $status");

    EXPECT_EQ(outcome.status, 3) << file << signal;
    EXPECT_THAT(outcome.err, EndsWith("allport: " + file + " was not written: interrupted\n"));
    EXPECT_THAT(outcome.out, HasSubstr("digest"));
    EXPECT_THAT(outcome.out, Not(HasSubstr(".allport.")));
    EXPECT_EQ(content(file), "old");
    EXPECT_LT(took(), long_enough);
  }
}

// The compiler is a script that starts a process, as a compiler's driver does, and ignores SIGTERM.
// One signal ends both and leaves no trace in the cache; so does what comes after three of them,
// which end this program before it can do anything. Signals that come while one is pending are one,
// so there are more than three.
TEST_F(CliInterrupt, EndsTheCompilersOfABuild) {
  write("slow",
        "#!/bin/sh\ncase \"$*\" in *--version*) echo 1; exit ;; esac\ntrap '' TERM\n"
        "sleep 300 & echo $! >> pids; wait\n");
  for (const char* signals : {"INT", "TERM", "INT INT INT INT INT INT INT INT"}) {
    const Outcome outcome = shell(
        "chmod +x slow; rm -rf pids cache; export CXX=$PWD/slow ALLPORT_CACHE=$PWD/cache; \"$program\" cosim --topology hypercube:2 --pattern uniform --rate 0.1 --cycles 100 & run=$!; for i in $(seq 1000); do test -s pids && break; sleep 0.01; done; begin=$(date +%s%N); for one in " +
        std::string(signals) +
        "; do kill -$one $run; sleep 0.02; done; wait $run; status=$?; echo $((($(date +%s%N) - begin) / 1000000)) > took; for i in $(seq 500); do alive=0; for pid in $(cat pids); do grep -qs '^State:.[^ZX]' /proc/$pid/status && alive=$pid; done; test $alive = 0 && break; sleep 0.01; done; echo $alive; ls -A cache; exit $status");

    EXPECT_LT(took(), long_enough) << signals;
    if (std::string(signals).size() > 4) {
      EXPECT_EQ(outcome.status, 128 + 2);
      EXPECT_THAT(outcome.out, StartsWith("0\n"));
    } else {
      EXPECT_EQ(outcome.status, 3) << signals;
      EXPECT_EQ(outcome.out, "0\n") << signals;  // nothing runs, and the cache is empty
      EXPECT_THAT(outcome.err, EndsWith("allport: interrupted\n")) << signals;
    }
  }
}

// The signal comes when the table is there.
TEST_F(CliInterrupt, OfTheSearchForACrossoverKeepsTheTable) {
  for (const char* signal : {"INT", "TERM"}) {
    const Outcome outcome = shell(
        std::string(
            "rm -f table; \"$program\" compare --topology torus:8x8 --flit-bytes 1 --ts 200 --tr 200 --algorithms dims-allreduce,swing-allreduce --sizes 256,256KiB --model systemc --json out.json > table & run=$!; for i in $(seq 4000); do test -s table && break; sleep 0.01; done; begin=$(date +%s%N); kill -") +
        signal +
        " $run; wait $run; status=$?; echo $((($(date +%s%N) - begin) / 1000000)) > took; cat table; exit $status");

    EXPECT_EQ(outcome.status, 3);
    EXPECT_EQ(outcome.err, "allport: interrupted\n");
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("256 KiB  swing-allreduce"), Not(HasSubstr("up to"))));
    const nlohmann::json json = nlohmann::json::parse(content("out.json"));
    EXPECT_EQ(json["sizes"].size(), 2U);
    EXPECT_LT(took(), long_enough);
  }
}

// Planning, elaboration, simulation, theory and static check, wherever the signal meets them.
TEST_F(CliInterrupt, EndsAtAnyMoment) {
  for (const char* command :
       {"run --topology torus:512x512 --algorithm dcf --model worm",
        "compare --topology torus:512x512 --algorithms dcf,separate --model worm",
        "run --topology torus:16x16 --algorithm synthesized-bcast --pieces 64 --flits 1024"}) {
    for (const char* seconds : {"0.5", "2", "5"}) {
      const Outcome outcome = shell(
          std::string("\"$program\" ") + command + " & run=$!; sleep " + seconds +
          "; begin=$(date +%s%N); kill -INT $run 2>kill; wait $run; status=$?; echo $((($(date +%s%N) - begin) / 1000000)) > took; exit $status");

      EXPECT_THAT(outcome.status, AnyOf(0, 3)) << command << " " << seconds;
      EXPECT_LT(took(), long_enough) << command << " " << seconds;
    }
  }
}

TEST_F(CliInterrupt, EndsStepsWithTheSizesThatAreDone) {
  for (const char* signal : {"INT", "TERM"}) {
    const Outcome outcome = interrupted(
        signal,
        "steps --topology hypercube:10 --trials 1000000000 --algorithms wsort --sizes 1,500 --json out.json");
    EXPECT_EQ(outcome.status, 3);
    EXPECT_EQ(outcome.out, "m,wsort\n");
    EXPECT_EQ(outcome.err, "allport: interrupted: 0 of 2 sizes are done\n");
    EXPECT_EQ(nlohmann::json::parse(content("out.json"))["rows"].size(), 0U);
  }
  const Outcome some = interrupted(
      "INT",
      "steps --topology hypercube:10 --trials exhaustive --algorithms wsort --sizes 1,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2");
  EXPECT_EQ(some.status, 3);
  EXPECT_THAT(some.out, StartsWith("m,wsort\n1,1.000000\n"));
  EXPECT_THAT(some.err, StartsWith("allport: interrupted: "));
}

TEST_F(CliInterrupt, EndsAFit) {
  for (const char* signal : {"INT", "TERM"}) {
    const Outcome outcome = interrupted(
        signal, "fit --topology ring:64 --sizes 999998,999999,1000000 --buffer-depth 1");
    EXPECT_EQ(outcome.status, 3);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "allport: interrupted\n");
  }
}

TEST_F(CliInterrupt, EndsABenchWithTheRowsThatAreDone) {
  for (const char* signal : {"INT", "TERM"}) {
    const Outcome outcome = interrupted(
        signal,
        "bench --cases '6-cube uniform 0.2 L16' --models worm,systemc --cycles 1000000000 --json out.json");
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(outcome.err, EndsWith("allport: interrupted: 0 of 2 runs are measured\n"));
    EXPECT_EQ(nlohmann::json::parse(content("out.json")).size(), 0U);
  }
}

}  // namespace
}  // namespace allport::test
