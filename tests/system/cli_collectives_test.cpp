// SPDX-License-Identifier: Apache-2.0
// These tests check collectives of blocks, pieces, embeddings and barriers of messages on the
// command line.
#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

using CliCollectives = Cli;

TEST_F(CliCollectives, AreListedByMpisNames) {
  const Outcome outcome = allport("list");

  for (const char* words : {"scatter: each node's block around the ring", "alltoall: gossip",
                            "allreduce: recursive doubling", "barrier: one-flit messages",
                            "reduce_scatter: recursive halving", "PatarasukYuan09"}) {
    EXPECT_THAT(outcome.out, HasSubstr(words));
  }
}

TEST_F(CliCollectives, EqualTheFormula) {
  const nlohmann::json run =
      json("run --topology ring:6 --algorithm ring-scatter --source 4 --ts 5 --tr 3 --json -");

  EXPECT_EQ(run["latency"]["max"], 5 * (5 + 1 + 16 + 3));
  EXPECT_EQ(run["latency"]["by_destination"].size(), 5U);
  EXPECT_EQ(run["static"]["collective"]["ok"], true);
}

TEST_F(CliCollectives, HaveOneDigestOnFlitsAndWorms) {
  const std::string run =
      "run --topology hypercube:5 --algorithm exchange-alltoall --jitter 20 --ports 2 --json - ";

  EXPECT_EQ(json(run)["digest"], json(run + "--model worm")["digest"]);
}

// In the cycle in which a processor becomes free, a message arrives for which its first program
// waits.
TEST_F(CliCollectives, OfSeveralSourcesHaveOneDigestOnFlitsAndWorms) {
  for (
      const std::string plan :
      {"ring:3 --algorithm ring-alltoall --flits 1 --source 0,1 --ts 2",
       "hypercube:4 --algorithm wsort-allreduce --flits 2 --ts 60 --ports 1 --source 14,6,11",
       "torus:8x8 --algorithm edn --flits 40 --ts 3 --ports 1 --source 47,5,41 --buffer-depth 2 --pieces best"}) {
    const nlohmann::json flits = json("run --json - --topology " + plan);
    const nlohmann::json worms = json("run --model worm --json - --topology " + plan);

    EXPECT_EQ(flits["digest"], worms["digest"]) << plan;
    EXPECT_EQ(flits["contention"], worms["contention"]) << plan;
  }
}

// 2 (p - 1) / p of the vector through six ports, and p - 1 blocks through eight.
TEST_F(CliCollectives, OnAllPortsTakeAtMostATenthMoreThanThePortsNeed) {
  const nlohmann::json sums = json(
      "run --topology torus:8x8x8 --algorithm bucket-allreduce --bytes 65536 --model worm --json -");
  const nlohmann::json blocks = json(
      "run --topology hypercube:8 --algorithm rotated-allgather --flits 64 --model worm --json -");

  EXPECT_LE(sums["latency"]["max"], 1.1 * 2 * 511 / 512 * 16384 / 6);
  EXPECT_EQ(sums["contention"]["events"], 0);
  EXPECT_LE(blocks["latency"]["max"], 1.1 * 255 * 64 / 8);
  EXPECT_EQ(blocks["contention"]["events"], 0);
}

// Blocks of 5 flits in 4 parts, of which the first has 2: 280 cycles if it goes the same way in all
// blocks, or in all blocks of a column.
TEST_F(CliCollectives, BucketsShareTheLongerPartsAmongAllWays) {
  const std::string run = "run --topology torus:8x8 --algorithm bucket-allreduce --flits 320 ";
  const nlohmann::json flits = json(run + "--json -");

  EXPECT_EQ(flits["latency"]["max"], 196);
  EXPECT_EQ(flits["contention"]["events"], 0);
  EXPECT_EQ(json(run + "--model worm --json -")["digest"], flits["digest"]);
}

TEST_F(CliCollectives, TooLargeOnesAreRefusedAtOnce) {
  write("plan", R"({"u":0,"v":1,"step":1,"order":0,"blocks":[4294967295]})");

  EXPECT_THAT(allport("run --topology ring:262144 --algorithm ring-alltoall --model worm").err,
              HasSubstr("at least 9007164895002624 messages that carry 9007164895002624 blocks"));
  EXPECT_THAT(allport("run --topology ring:4 --schedule plan").err,
              HasSubstr("a message has at most 1000000 pieces, so its blocks are 0..999999"));
  EXPECT_THAT(allport("check --topology ring:4 plan").err,
              HasSubstr("a message has at most 1000000 pieces, so its blocks are 0..999999"));
}

TEST_F(CliCollectives, SchedulesAreCheckedAndRunFromTheirLines) {
  const Outcome checked = shell(
      "allport schedule --topology hypercube:3 --algorithm sbt-reduce > plan && allport check --topology hypercube:3 --collective reduce plan");
  const nlohmann::json run =
      json("run --topology hypercube:3 --collective reduce --schedule plan --json -");

  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_EQ(run["config"]["collective"], "reduce");
  EXPECT_EQ(run["digest"],
            json("run --topology hypercube:3 --algorithm sbt-reduce --json -")["digest"]);
}

TEST_F(CliCollectives, SumsOfBlocksAreCheckedAndRunFromTheirLines) {
  for (const auto& [fabric, algorithm, operation] :
       {std::tuple{"ring:6 --flits 18", "ring-reduce-scatter", "reduce_scatter"},
        {"ring:6 --flits 18", "ring-allreduce", "allreduce"},
        {"hypercube:3 --flits 5", "rabenseifner", "allreduce"},
        {"mesh:4x3 --flits 12", "dims-allreduce", "allreduce"}}) {
    const std::string on = std::string(" --topology ") + fabric;
    const std::string planned = on + " --algorithm " + algorithm;
    const Outcome checked = shell("allport schedule" + planned + " > plan && allport check" + on +
                                  " --collective " + operation + " plan");
    const nlohmann::json run =
        json("run" + on + " --collective " + operation + " --schedule plan --json -");

    EXPECT_EQ(checked.status, 0) << checked.err;
    EXPECT_EQ(run["contention"]["events"], 0) << algorithm;
    EXPECT_EQ(run["digest"], json("run --json -" + planned)["digest"]) << algorithm;
    EXPECT_EQ(run["digest"], json("run --model worm --json -" + planned)["digest"]) << algorithm;
  }
}

TEST_F(CliCollectives, BlocksWithoutAFlitAreLeftOutOfAFile) {
  ASSERT_EQ(shell("allport schedule --topology ring:6 --algorithm ring-allreduce > plan").status,
            0);
  const Outcome five =
      allport("run --topology ring:6 --collective allreduce --schedule plan --flits 5");

  EXPECT_EQ(five.status, 0);
  EXPECT_THAT(five.out, HasSubstr("latency     max 20 cycles"));
  write("far", R"({"u":0,"v":1,"step":1,"order":0,"blocks":[4294967295],"adds":true})");
  EXPECT_THAT(allport("check --topology ring:6 --collective reduce far").err,
              HasSubstr("a vector has at most 1000000 blocks, so its blocks are 0..999999"));
  EXPECT_THAT(allport("check --topology ring:6 --collective reduce_scatter far").err,
              HasSubstr("block 4294967295 is not one of 0..5 of reduce_scatter"));
}

TEST_F(CliCollectives, ALostSendIsAFindingOfCheckAndAnErrorOfRun) {
  const Outcome checked = shell(
      "allport schedule --topology hypercube:3 --algorithm exchange-scatter | sed 3d > plan;allport check --topology hypercube:3 --collective scatter plan");
  const Outcome run = allport("run --topology hypercube:3 --collective scatter --schedule plan");

  EXPECT_EQ(checked.status, 1);
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("the schedule is not a valid scatter: unicast"));
}

TEST_F(CliCollectives, PiecesAndEmbeddingsAreInTheConfiguration) {
  const nlohmann::json run =
      json("run --topology hypercube:4 --algorithm dcf --embed torus:4x4 --pieces 4 --json -");

  EXPECT_EQ(run["config"]["embed"], "torus:4x4");
  EXPECT_EQ(run["config"]["pieces"], 4);
  EXPECT_EQ(run["messages"], 60);
  EXPECT_EQ(run["static"]["collective"]["ok"], true);
}

TEST_F(CliCollectives, TheBestPiecesAreInTheConfigurationByTheirNumber) {
  const nlohmann::json run =
      json("run --topology ring:8 --algorithm ring --flits 64 --pieces best --json -");
  const nlohmann::json two =
      json("run --topology hypercube:4 --algorithm sbt --source 0,3 --pieces best --json -");

  EXPECT_EQ(run["config"]["pieces"], 64);
  EXPECT_EQ(run["latency"]["max"], 77);
  EXPECT_EQ(two["config"]["pieces"], 16);
}

// The best number of pieces depends on whether the only destination is near or far.
TEST_F(CliCollectives, TheConfigurationKeepsBestIfTrialsDiffer) {
  const nlohmann::json run = json(
      "run --topology hypercube:5 --algorithm sbt --flits 64 --ts 20 --destinations random:1 --trials 20 --pieces best --json -");

  EXPECT_EQ(run["config"]["pieces"], "best");
}

TEST_F(CliCollectives, ScheduleAndCheckPlanTheBestPiecesOfTheRun) {
  const std::string machine =
      "--topology ring:8 --algorithm ring --flits 64 --pieces best --ts 20 --tr 20 --link-delay 1 --switching cut-through ";
  const nlohmann::json run = json("run " + machine + "--buffer-depth 64 --json -");
  const Outcome schedule = allport("schedule " + machine);
  const Outcome checked = allport("check " + machine);

  EXPECT_EQ(std::count(schedule.out.begin(), schedule.out.end(), '\n'), run["messages"].get<int>());
  EXPECT_EQ(checked.status, 0);
}

TEST_F(CliCollectives, TrialsOfAScheduleAreThoseOfItsAlgorithm) {
  const std::string fabric = " --topology hypercube:3 --trials 3 --json - ";
  ASSERT_EQ(shell("allport schedule --topology hypercube:3 --algorithm sbt > plan").status, 0);

  EXPECT_EQ(json("run --schedule plan" + fabric)["digest"],
            json("run --algorithm sbt" + fabric)["digest"]);
}

TEST_F(CliCollectives, WormsOfPiecesAreCheckedForWhatTheyBring) {
  const std::string check =
      "check --topology hypercube:4 --algorithm disjoint-paths --destinations 13 ";
  const nlohmann::json report = json(check + "--json -");
  const Outcome refused = allport(check + "--require theorem1");

  EXPECT_EQ(report["collective"]["ok"], true);
  EXPECT_EQ(report["exactly_once"]["ok"], true);
  EXPECT_TRUE(report["theorem1"].is_null());
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(
      refused.err,
      HasSubstr(
          "--require theorem1: it judges the unicasts of one collective only; require contention here"));
  EXPECT_EQ(report["contention"]["ok"], true);
  EXPECT_EQ(report["deadlock"]["ok"], true);
  EXPECT_EQ(allport(check + "--require contention,deadlock").status, 0);
}

TEST_F(CliCollectives, ABarrierOfMessagesLiesBetweenBroadcasts) {
  const std::string run = "run --topology hypercube:4 --algorithm sbt --source 0,3 --json - ";
  const nlohmann::json apart = json(run + "--barrier messages");

  EXPECT_EQ(apart["config"]["barrier"], "messages");
  EXPECT_EQ(apart["messages"], 15 + 15 + 30);
  EXPECT_EQ(apart["digest"], json(run + "--barrier messages --model worm")["digest"]);
}

TEST_F(CliCollectives, DisjointPathsAreWormsAndRelays) {
  const std::string to = " --topology hypercube:4 --destinations 15 --flits 64 --ts 9 --json -";
  const nlohmann::json worms = json("run --algorithm disjoint-paths" + to);
  const nlohmann::json relays = json("run --algorithm disjoint-relays" + to);

  EXPECT_EQ(worms["messages"], 4);
  EXPECT_EQ(relays["messages"], 7);
  EXPECT_EQ(worms["latency"]["max"], 4 * 9 + 4 + 16);
}

TEST_F(CliCollectives, TreesTakeAnyNumberOfPiecesOnEveryModel) {
  const std::string run = "run --topology hypercube:4 --algorithm esbt --flits 50 --ts 3 --json - ";
  for (const auto& [pieces, messages] : {std::pair{"1", 4 * 15}, {"3", 3 * 15}, {"13", 13 * 15}}) {
    const std::string one = run + "--pieces " + pieces;
    const nlohmann::json flits = json(one);
    EXPECT_EQ(flits["messages"], messages);
    EXPECT_EQ(flits["contention"]["events"], 0);
    EXPECT_EQ(flits["static"]["theorem1"]["ok"], true);
    EXPECT_EQ(flits["digest"], json(one + " --model worm")["digest"]);
  }
  const nlohmann::json best =
      json("run --topology hypercube:8 --algorithm esbt --flits 1000 --pieces best --json -");
  EXPECT_EQ(best["contention"]["events"], 0);
  EXPECT_LE(10 * best["latency"]["max"].get<int>(), 11 * (1000 / 8 + 4 * 8));
  EXPECT_EQ(json("run --topology hypercube:4 --algorithm esbt --flits 3 --json -")["messages"],
            3 * 15);
}

// docs/collectives.md, section 2.
TEST_F(CliCollectives, TheLargestMessagesGoToTheNearestNodesOrTheFarthest) {
  const std::string run = " --flits 4096 --model worm --json - --algorithm rabenseifner";
  for (const auto& [fabric, far, near] : {std::tuple{"hypercube:6", 8076, 8076},
                                          {"torus:8x8", 42072, 18210},
                                          {"mesh:8x8", 24186, 14216}}) {
    const std::string on = "run --topology " + std::string(fabric);
    EXPECT_EQ(json(on + run)["latency"]["max"], far) << fabric;
    EXPECT_EQ(json(on + run + "-near")["latency"]["max"], near) << fabric;
  }
}

TEST_F(CliCollectives, CompareTakesThem) {
  const Outcome outcome =
      allport("compare --topology hypercube:4 --algorithms exchange-allreduce,sbt-allreduce");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("exchange-allreduce"));
}

TEST_F(CliCollectives, WrongUseIsOneSentence) {
  for (
      const auto& [arguments, sentence] :
      std::initializer_list<std::pair<const char*, const char*>>{
          {"run --topology ring:6 --algorithm ring-scatter --destinations 1",
           "is for all nodes: it takes the destinations 'all' only"},
          {"run --topology ring:6 --algorithm exchange-scatter", "is for hypercubes"},
          {"run --topology mesh:5 --algorithm ring-allreduce", "is for rings"},
          {"run --topology torus:3x4 --algorithm rabenseifner",
           "is for fabrics of 2^k nodes; torus:3x4 is not one"},
          {"run --topology torus:3x4 --algorithm umesh", "is for meshes"},
          {"run --topology mesh:3x4 --algorithm utorus", "is for rings and tori"},
          {"check --topology mesh:77x77 --algorithm direct-alltoall",
           "it sends at least 35147112 messages"},
          {"check --topology ring:5794 --algorithm ring-allgather",
           "it sends at least 33564642 messages"},
          {"check --topology ring:4097 --algorithm ring-allreduce",
           "ring:4097 is too large for this collective: it sends at least 33562624 messages that carry 33562624 blocks, and the limits are 33554432 and 1073741824"},
          {"check --topology torus:256x256 --algorithm swing-allgather",
           "4194304 messages that carry 17179607040 blocks"},
          {"check --topology hypercube:16 --algorithm rotated-alltoall",
           "messages that carry 549755813888 blocks"},
          {"run --topology ring:6 --algorithm ring-allreduce --pieces 2",
           "only multicasts by unicasts can be cut"},
          {"run --topology hypercube:3 --algorithm sbt --pieces 17",
           "--pieces 17: must be 1..16, the flits of the message"},
          {"run --topology hypercube:3 --algorithm sbt --pieces many", "--pieces"},
          {"run --topology hypercube:3 --algorithm tree --pieces 2",
           "only multicasts by unicasts can be cut"},
          {"run --topology hypercube:3 --algorithm sbt-reduce --pieces 2",
           "only multicasts by unicasts can be cut"},
          {"run --topology hypercube:3 --algorithm ring-scatter --embed ring:6",
           "its sides must be powers of two"},
          {"run --topology hypercube:3 --algorithm ring-scatter --embed ring:16",
           "it has 16 nodes, but must have 8"},
          {"run --topology mesh:4x4 --algorithm dcf --embed torus:4x4", "in hypercubes only"},
          {"run --topology hypercube:3 --algorithm sbt --collective scatter", "exclude each other"},
          {"run --topology hypercube:3 --pattern uniform --rate 0.1 --cycles 10 --pieces 2",
           "exclude each other"},
          {"run --topology ring:8 --algorithm separate --source 0,1 --barrier messages",
           "--barrier messages"},
          {"run --topology hypercube:3 --algorithm sbt --barrier mesages", "--barrier"},
          {"run --topology hypercube:3 --algorithm disjoint-paths --destinations 1,2",
           "takes one destination, not 2"},
          {"run --topology hypercube:4 --algorithm disjoint-paths --destinations 15 --flits 3",
           "the message is sent in 4 pieces"},
          {"run --topology hypercube:12 --algorithm exchange-alltoall --flits 100000",
           "bytes in total, but the limit is"}}) {
    const Outcome outcome = allport(arguments);

    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << arguments;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << arguments;
  }
}

}  // namespace
}  // namespace allport::test
