// SPDX-License-Identifier: Apache-2.0
// These tests run allport sweep --executor slurm on a real Slurm, which each test starts and stops
// (slurm_cluster).
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class Slurm : public Cli {
 protected:
  void SetUp() override {
    if (shell("PATH=$PATH:/usr/sbin; command -v sbatch slurmctld slurmd munged").status != 0) {
      GTEST_SKIP() << "Slurm is not installed (scripts/setup does)";
    }
    const Outcome started = cluster("start " + std::to_string(getpid()));
    ASSERT_EQ(started.status, 0) << started.err;
  }
  ~Slurm() override { cluster("stop"); }

  Outcome cluster(const std::string& action) const {
    return shell(std::string(ALLPORT_SLURM_CLUSTER) + " cluster " + action);
  }
  /// Shell, with SLURM_CONF set and `cluster` as a command.
  Outcome on_slurm(const std::string& line) const {
    return shell("export SLURM_CONF=$PWD/cluster/slurm.conf; cluster() { '" +
                 std::string(ALLPORT_SLURM_CLUSTER) + "' cluster \"$@\"; }; " + line);
  }
  std::string tables(const std::string& folder) const {
    return content(folder + "/results.csv") + content(folder + "/results.jsonl");
  }
  /// The tables of `grid` from this machine.
  std::string local_tables(const std::string& grid) const {
    const Outcome outcome = allport("sweep " + grid + " --output here");
    EXPECT_NE(outcome.status, 2) << outcome.err;
    return tables("here");
  }
};

// Points of a second or more.
constexpr const char* slow =
    "--topology torus:8x8 --pattern uniform --rate 0.1 --cycles 250000 --seed 1..6";
constexpr const char* slower =
    "--topology torus:8x8 --pattern uniform --rate 0.1 --cycles 250000 --seed 1..16";
// Shell: waits until a point is done.
constexpr const char* until_one_is_done =
    "for i in $(seq 600); do ls there/points/*/*.json >/dev/null 2>&1 && break; sleep 0.05; done";

TEST_F(Slurm, GivesTheTablesOfThisMachineByteForByteWithTheFailures) {
  // 60 points in an array of 20 tasks at most; dcf is for tori.
  const std::string grid =
      "--topology hypercube:3,hypercube:4 --algorithm wsort,ucube,dcf --flits 1..10";

  const Outcome outcome = on_slurm(
      "allport sweep " + grid +
      " --executor slurm --output there --time 5 --memory 100M --partition short --array-width 2");

  EXPECT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("points      60, of which 60 computed now\n"));
  EXPECT_THAT(outcome.err, StartsWith("allport: 20 of 60 points failed, the first: "));
  EXPECT_EQ(tables("there"), local_tables(grid));
  EXPECT_FALSE(exists("there/slurm"));
  EXPECT_THAT(on_slurm("allport sweep " + grid + " --output there").out,
              StartsWith("points      60, of which 0 computed now\n"));
}

TEST_F(Slurm, APartitionThatDoesNotExistIsNamedBesideThoseThatDo) {
  const Outcome outcome = on_slurm(
      "allport sweep --topology ring:4 --algorithm separate --executor slurm --output there --partition long");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(
      outcome.err,
      "allport: --partition: Slurm has no partition 'long'; it has short; 0 of 1 points are done and kept in there\n");
}

TEST_F(Slurm, WhatSlurmRefusesIsSaidInItsWords) {
  const Outcome outcome = on_slurm(
      "allport sweep --topology ring:4 --algorithm separate --executor slurm --output there --memory 900G");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, StartsWith("allport: Slurm refuses the job: "));
}

TEST_F(Slurm, AControllerThatIsDownIsOneSentence) {
  const Outcome outcome = on_slurm(
      "cluster stop-controller; allport sweep --topology ring:4 --algorithm separate --executor slurm --output there");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err,
              StartsWith("allport: Slurm is not available: its controller does not answer ("));
}

TEST_F(Slurm, AnInterruptCancelsTheJobAndKeepsWhatIsDone) {
  const Outcome outcome = on_slurm(
      std::string("\"$program\" sweep ") + slower + " --executor slurm --output there & p=$!; " +
      until_one_is_done +
      "; kill -INT $p; wait $p; s=$?; squeue --noheader --states=PENDING,RUNNING; exit $s");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.out, StartsWith("points      16, of which "));
  EXPECT_THAT(outcome.out, EndsWith(" points done\n")) << "and nothing is left in the queue";
  EXPECT_THAT(outcome.err, HasSubstr("allport: cancelling Slurm job "));
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          " of 16 points are done and kept in there; start the same sweep again to resume\n"));
  EXPECT_TRUE(exists("there/points"));
  EXPECT_FALSE(exists("there/slurm"));
}

TEST_F(Slurm, ASweepThatWasKilledFindsItsJobAgain) {
  const Outcome outcome = on_slurm(
      std::string("\"$program\" sweep ") + slow +
      " --executor slurm --output there & p=$!; for i in $(seq 200); do [ -e there/slurm/job.json ] && break; sleep 0.05; done; kill -KILL $p; wait $p 2>/dev/null; allport sweep " +
      slow + " --output there; echo $?; allport sweep " + slow +
      " --executor slurm --output there");

  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, StartsWith("2\npoints      6, of which "));
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          " is still at work on the folder there: follow it with --executor slurm, or cancel it\n"));
  EXPECT_THAT(outcome.err, HasSubstr(" of an earlier sweep must end first\n"));
  EXPECT_EQ(on_slurm("squeue --noheader --states=all --array --format=%A | wc -l").out, "6\n");
  EXPECT_EQ(tables("there"), local_tables(slow));
}

TEST_F(Slurm, ANodeThatDiesLosesNothingThatWasDone) {
  const Outcome outcome = on_slurm(std::string("\"$program\" sweep ") + slow +
                                   " --executor slurm --output there & p=$!; " + until_one_is_done +
                                   "; sleep 0.5; cluster kill-node; cluster start-node; wait $p");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(tables("there"), local_tables(slow));
}

TEST_F(Slurm, AControllerThatRestartsIsWaitedFor) {
  const Outcome outcome = on_slurm(
      std::string("\"$program\" sweep ") + slow + " --executor slurm --output there & p=$!; " +
      until_one_is_done + "; cluster stop-controller; sleep 3; cluster start-controller; wait $p");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(tables("there"), local_tables(slow));
}

TEST_F(Slurm, NoNameOfAGridIsAnOptionOfSbatch) {
  write("--wrap=id>PWN;.toml",
        "[fabric]\ntopology=\"ring:4\"\n[message]\nflits=[1,2]\n[traffic]\nalgorithm=\"ring\"\n");

  const Outcome outcome = on_slurm("allport sweep --executor slurm -- '--wrap=id>PWN;.toml'");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("points      2, of which 2 computed now\n"));
  EXPECT_FALSE(exists("PWN"));
}

TEST_F(Slurm, AFolderMayHaveAnyNameThatSlurmCanWriteLogsTo) {
  const std::string sweep =
      "allport sweep --executor slurm --topology ring:4 --algorithm separate --output=";
  for (const char* folder : {"50%u", "%a%%", "-x", "a b", "a'b\"c"}) {
    write("folder", folder);
    const Outcome outcome = on_slurm(sweep + "\"$(cat folder)\"");
    EXPECT_EQ(outcome.status, 0) << folder << outcome.err;
    EXPECT_TRUE(exists(std::string(folder) + "/results.csv")) << folder;
  }
  const Outcome refused = on_slurm(sweep + "'a\\b'");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err,
              HasSubstr("a\\b/slurm/logs: the path has a backslash; give another --output\n"));
}

TEST_F(Slurm, APointThatSlurmNeverFinishesIsListedAsFailed) {
  // The point would take hours, and each task is killed as soon as it runs.
  const Outcome outcome = on_slurm(
      "(for i in $(seq 600); do [ -e done ] && break; cluster kill-tasks; sleep 0.1; done) & allport sweep --topology torus:8x8 --pattern uniform --rate 0.1 --cycles 900000000 --executor slurm --output there; s=$?; touch done; wait; exit $s");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "allport: 1 of 1 points failed, the first: Slurm did not finish it in 3 jobs; its last task ended as "));
  EXPECT_THAT(content("there/results.csv"), HasSubstr("Slurm did not finish it"));
}

}  // namespace
}  // namespace allport::test
