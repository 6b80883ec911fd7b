// SPDX-License-Identifier: Apache-2.0
// A sweep that is killed, interrupted or out of space loses none of its results.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Eight points of some tenths of a second each, one after another.
constexpr const char* grid =
    "sweep --topology torus:8x8 --pattern uniform --rate 0.1 --cycles 100000 --seed 1..8 --jobs 1 --output some";
// Shell: waits until a file in the folder says that a point is done.
constexpr const char* until_one_is_done =
    "for i in $(seq 2000); do ls some/points/*/*.json >/dev/null 2>&1 && break; sleep 0.02; done";
// Shell: waits until the sweep of number $p runs a point, whose number is then $run.
constexpr const char* until_one_runs =
    "for i in $(seq 4000); do run=$(cat /proc/$p/task/$p/children); [ -n \"$run\" ] && break; sleep 0.01; done";
constexpr const char* count = "ls some/points/*/*.json | wc -l";

class SweepResume : public Cli {
 protected:
  // The tables of the same grid without any mishap.
  std::string undisturbed() const {
    std::string arguments = grid;
    arguments.replace(arguments.find("some"), 4, "whole");
    EXPECT_EQ(allport(arguments).status, 0);
    return content("whole/results.csv") + content("whole/results.jsonl");
  }
  std::string tables() const { return content("some/results.csv") + content("some/results.jsonl"); }
};

TEST_F(SweepResume, AfterASigkillItGoesOnWhereItWas) {
  const Outcome killed = shell(std::string("\"$program\" ") + grid + " & " + until_one_is_done +
                               "; kill -KILL $!; wait $!; echo $?; " + count);
  int status = 0;
  int done = 0;
  ASSERT_EQ(std::sscanf(killed.out.c_str(), "%d %d", &status, &done), 2) << killed.out;
  EXPECT_EQ(status, 137);
  EXPECT_GE(done, 1);
  EXPECT_LT(done, 8);

  const Outcome resumed = allport(grid);

  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_THAT(resumed.out, StartsWith("points      8, of which " + std::to_string(8 - done) +
                                      " computed now\n"));
  EXPECT_EQ(tables(), undisturbed());
}

// What another build of the program left is not taken for results of this one, and is not lost.
TEST_F(SweepResume, PointsOfAnotherBuildAreSetAside) {
  const std::string small = "sweep --topology ring:4 --algorithm ring --flits 4,5 --output some";
  ASSERT_EQ(allport(small).status, 0);
  EXPECT_THAT(allport(small).out, StartsWith("points      2, of which 0 computed now\n"));
  const std::string build = content("some/build");
  write("some/build", "0123456789abcdef\n");

  const Outcome again = allport(small);
  EXPECT_EQ(again.status, 0);
  EXPECT_EQ(
      again.err,
      "allport: the points in some were made by another build of allport: they are in some/points.0123456789abcdef now, and are computed again\n");
  EXPECT_THAT(again.out, StartsWith("points      2, of which 2 computed now\n"));
  EXPECT_EQ(content("some/build"), build);
  EXPECT_EQ(shell("ls some/points.0123456789abcdef/*/*.json | wc -l").out, "2\n");
}

// A zombie no longer runs: the container's init is responsible for asking for its status.
TEST_F(SweepResume, NoRunOutlivesItsSweep) {
  const Outcome killed = shell(
      std::string("\"$program\" ") + grid + " & p=$!; " + until_one_runs +
      "; kill -0 $run && echo runs; kill -KILL $p; sleep 0.3; ! grep '^State:.[^Z]' /proc/${run% }/status");

  EXPECT_EQ(killed.status, 0);
  EXPECT_EQ(killed.out, "runs\n");
}

TEST_F(SweepResume, AnInterruptKeepsWhatIsDoneAndSaysHowToGoOn) {
  for (const char* signal : {"INT", "TERM"}) {
    const Outcome outcome =
        shell(std::string("rm -rf some; \"$program\" ") + grid + " & p=$!; " + until_one_is_done +
              "; kill -" + signal + " $p; wait $p; s=$?; " + count + "; exit $s");

    EXPECT_EQ(outcome.status, 3) << signal;
    EXPECT_THAT(outcome.err, HasSubstr("allport: interrupted: "));
    EXPECT_THAT(
        outcome.err,
        HasSubstr(
            " of 8 points are done and kept in some; start the same sweep again to resume\n"));
    int missing = 0;
    int done = 0;
    ASSERT_EQ(std::sscanf(outcome.out.c_str(),
                          "points 8, of which %*d computed now, %d are missing\n"
                          "tables some/results.csv, some/results.jsonl: the %d points done",
                          &missing, &done),
              2)
        << outcome.out;
    EXPECT_GE(done, 1);
    EXPECT_EQ(done + missing, 8);
    for (const char* table : {"some/results.csv", "some/results.jsonl"}) {
      const std::string text = content(table);
      const bool has_header = std::string(table) == "some/results.csv";
      EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), done + (has_header ? 1 : 0)) << table;
    }
  }
  EXPECT_EQ(allport(grid).status, 0);
  EXPECT_EQ(tables(), undisturbed());
}

TEST_F(SweepResume, AKilledRunIsAFailureThatNamesTheSignal) {
  const Outcome outcome = shell(std::string("\"$program\" ") + grid + " & p=$!; " + until_one_runs +
                                "; kill -KILL $run; wait $p");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(
      outcome.err,
      StartsWith(
          "allport: 1 of 8 points failed, the first: seed 1: the run was killed by signal 9 (Killed), perhaps for lack of memory\n"));
  EXPECT_THAT(content("some/results.csv"), HasSubstr("\n1,137,\"the run was killed by signal 9"));

  const Outcome again = allport(std::string(grid) + " --retry-failed");

  EXPECT_THAT(again.out, StartsWith("points      8, of which 1 computed now\n"));
  EXPECT_EQ(tables(), undisturbed());
}

// Slurm does this at a time limit, and so does a machine that shuts down: the runs hear it first.
TEST_F(SweepResume, ASignalToTheRunsAndThenToTheSweepIsNoFailure) {
  for (const char* signal : {"TERM", "KILL"}) {
    const Outcome outcome =
        shell(std::string("\"$program\" ") + grid + " & p=$!; " + until_one_runs + "; kill -" +
              signal + " $run; sleep 0.2; kill -TERM $p; wait $p");

    EXPECT_EQ(outcome.status, 3) << signal;
    EXPECT_THAT(outcome.err, StartsWith("allport: interrupted: 0 of 8 points")) << signal;
  }
}

TEST_F(SweepResume, AnotherSweepInTheSameFolderIsRefused) {
  const Outcome outcome = shell(
      std::string("\"$program\" ") + grid + " & p=$!; " + until_one_is_done +
      "; allport sweep --topology ring:4 --algorithm separate --output some; s=$?; kill -INT $p; wait $p; exit $s");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, StartsWith("allport: another sweep is at work in the folder some: "));
}

TEST_F(SweepResume, AFullDiskIsOneSentenceAndWhatIsDoneStays) {
  const std::string mounted =
      "unshare --mount --map-root-user sh -c 'mount -t tmpfs -o size=24k,nr_inodes=200 none disk && ";
  if (shell("mkdir disk && " + mounted + "true'").status != 0) {
    GTEST_SKIP() << "a small disk cannot be mounted here";
  }
  const std::string sweep =
      "\"$0\" sweep --topology ring:4 --algorithm separate --ts 0..40 --output disk/some";
  const Outcome outcome =
      shell(mounted + sweep + "; s=$?; ls disk/some/points/*/*.json | wc -l; " +
            "mount -o remount,size=4m disk && " + sweep + "; exit $s' $program");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr(" cannot be written: No space left on device; "));
  EXPECT_THAT(outcome.err, HasSubstr(" of 41 points are done and kept in disk/some\n"));
  int done = 0;
  int left = 0;
  ASSERT_EQ(std::sscanf(outcome.out.c_str(), "%d points 41, of which %d", &done, &left), 2)
      << outcome.out;
  EXPECT_GT(done, 0);
  EXPECT_EQ(done + left, 41);
}

// A quota or a full disk does this to the tables when there was room for the points.
TEST_F(SweepResume, TablesThatCannotBeWrittenCostNoPoint) {
  const std::string sweep =
      "allport sweep --topology ring:4 --pattern uniform --rate 0.1 --cycles 10 --seed 1..40 --output some";
  const Outcome outcome = shell("trap '' XFSZ; (ulimit -f 4; " + sweep + ")");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, StartsWith("allport: some/results."));
  EXPECT_THAT(
      outcome.err,
      HasSubstr(" cannot be written: File too large; 40 of 40 points are done and kept in some\n"));
  EXPECT_FALSE(exists("some/results.csv"));
  EXPECT_THAT(allport(sweep.substr(8)).out,
              StartsWith("points      40, of which 0 computed now\n"));
}

TEST_F(SweepResume, ADamagedPointIsNamedAndWhatIsDoneIsKept) {
  const std::string sweep =
      "sweep --topology ring:4 --pattern uniform --rate 0.1,0.2 --cycles 300 --output some";
  ASSERT_EQ(allport(sweep).status, 0);
  const Outcome listed = shell("ls some/points/*/*.json | head -1 | tr -d '\\n'");
  const std::string point = listed.out;
  const std::string sound = content(point);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = sound;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const std::string& text :
       {with("\"exit\":0", "\"exit\":\"x\""), with("\"error\":\"\"", "\"error\":5"),
        with("\"result\":", "\"results\":"), with("\"offered\":", "\"offerd\":"),
        with("\"traffic\":", "\"traffic\":{\"latency\":7},\"traffics\":")}) {
    write(point, text);
    for (const char* more : {"", " --retry-failed"}) {
      const Outcome outcome = allport(sweep + more);
      EXPECT_EQ(outcome.status, 2) << text;
      EXPECT_EQ(outcome.out, "");
      EXPECT_EQ(
          outcome.err,
          "allport: " + point +
              " is damaged; remove it to compute the point again; 2 of 2 points are done and kept in some\n");
    }
  }
  shell("rm " + point + "; mkdir " + point);
  EXPECT_EQ(
      allport(sweep).err,
      "allport: " + point +
          " cannot be read: Is a directory; remove it to compute the point again; 2 of 2 points are done and kept in some\n");
  shell("rmdir " + point);
  EXPECT_THAT(allport(sweep).out, StartsWith("points      2, of which 1 computed now\n"));
}

TEST_F(SweepResume, AnotherUsersPointIsNamed) {
  if (shell("id -u").out != "0\n" || shell("setpriv --reuid 65534 true").status != 0) {
    GTEST_SKIP() << "only root may start the program as somebody else";
  }
  const std::string sweep =
      "sweep --topology ring:4 --pattern uniform --rate 0.1 --cycles 10 --output some";
  ASSERT_EQ(allport(sweep).status, 0);

  const Outcome outcome = shell(
      "chmod -R a+rwX . && chmod 600 some/points/*/*.json && cp \"$program\" program && setpriv --reuid 65534 --clear-groups ./program " +
      sweep);

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          ".json cannot be read: Permission denied; remove it to compute the point again; 1 of 1 points are done"));
}

}  // namespace
}  // namespace allport::test
