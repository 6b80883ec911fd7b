// SPDX-License-Identifier: Apache-2.0
// These tests check synthesized plans and missing links, on the command line.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using CliSynthesized = Cli;

// The bytes of every node are judged in both models, and their deliveries are the same.
TEST_F(CliSynthesized, PlansHaveOneDigestOnFlitsAndWormsWithoutContention) {
  for (const std::string what :
       {"--topology torus:4x3 --algorithm synthesized-bcast --destinations 2,5,7 --flits 40",
        "--topology mesh:3x3 --algorithm synthesized-bcast --flits 3 --source 4",
        "--topology hypercube:3 --algorithm synthesized-scatter --ts 20 --missing-links 0-1",
        "--topology ring:7 --algorithm synthesized-gather --group 1,3,6 --flits 5",
        "--topology mesh:4x4 --algorithm synthesized-allgather --missing-links random:3 --flits 9",
        "--topology torus:2x2 --algorithm synthesized-alltoall --parts 3",
        "--topology torus:4x4 --algorithm synthesized-reduce --group 0,2,8,10 --flits 30",
        "--topology mesh:2x3x2 --algorithm synthesized-allreduce --group box:2x1x2 --flits 7",
        "--topology mesh:5x5 --algorithm synthesized-allreduce --group 0,4,20,24,12 --flits 900",
        "--topology torus:3x3 --algorithm synthesized-reduce-scatter --missing-links '0>1,3-4'",
        "--topology hypercube:4 --algorithm synthesized-barrier --group 3,5,6 --source 5",
        "--topology torus:4x4 --algorithm synthesized-allgather --seed 9 --ts 7 --tr 3"}) {
    const nlohmann::json flits = json("run --json - " + what);
    const nlohmann::json worms = json("run --model worm --json - " + what);

    EXPECT_EQ(flits["digest"], worms["digest"]) << what;
    EXPECT_EQ(flits["contention"]["events"], 0) << what;
    EXPECT_EQ(flits["static"]["collective"]["ok"], true) << what;
    EXPECT_EQ(flits["static"]["theorem1"]["ok"], true) << what;
    EXPECT_LE(flits["bound"]["cycles"], flits["latency"]["max"]) << what;
    EXPECT_EQ(flits.count("error"), 0U) << what;
    EXPECT_EQ(allport("check " + what).status, 0) << what;
  }
}

TEST_F(CliSynthesized, GroupsAtOnceHaveAPlanEach) {
  const nlohmann::json run = json(
      "run --topology torus:4x4 --algorithm synthesized-allreduce --groups dim:0 --json - --flits 64");

  EXPECT_EQ(run["groups"].size(), 4U);
  EXPECT_EQ(run["static"]["collective"]["ok"], true);
}

TEST_F(CliSynthesized, AScheduleThatIsPrintedIsTheOneThatRuns) {
  const std::string what =
      "--topology mesh:3x4 --missing-links random:2:5 --flits 24 --ts 11 --seed 4";
  const std::string lines = allport("schedule --algorithm synthesized-allgather " + what).out;
  write("plan.jsonl", lines);

  const nlohmann::json planned = json("run --algorithm synthesized-allgather --json - " + what);
  const nlohmann::json given =
      json("run --schedule plan.jsonl --collective allgather --json - " + what + " --parts " +
           std::to_string(planned["config"]["parts"].get<int>()));

  EXPECT_EQ(planned["digest"], given["digest"]);
  EXPECT_EQ(planned["config"]["missing_links"].size(), 4U);
  EXPECT_EQ(planned["config"]["missing_links"], given["config"]["missing_links"]);
}

TEST_F(CliSynthesized, CompareLeavesOutWhatCrossesAMissingLink) {
  const std::string what = "compare --topology mesh:3x3 --collective allgather --flits 4";
  EXPECT_THAT(allport(what).out, HasSubstr("dims-allgather"));

  const std::string missing = allport(what + " --missing-links 0-1").out;

  EXPECT_THAT(missing, Not(HasSubstr("dims-allgather")));
  EXPECT_THAT(missing, HasSubstr("synthesized-allgather"));
}

class MissingLinks : public CliSynthesized {
 protected:
  std::string refusal(const std::string& links, const std::string& what = "") {
    const Outcome outcome = allport("run --topology mesh:3x3 --algorithm synthesized-barrier " +
                                    what + " --missing-links " + links);
    EXPECT_EQ(outcome.status, 2) << links;
    EXPECT_EQ(outcome.out, "") << links;
    return outcome.err;
  }
};

TEST_F(MissingLinks, AreRefusedWithOneSentenceWhereTheyCannotBe) {
  write("links", "0-1\n\n 3>4, 4-5\n0-4\n");
  EXPECT_THAT(refusal("0-4"),
              HasSubstr("--missing-links 0-4: nodes 0 and 4 of mesh:3x3 are not neighbours"));
  EXPECT_THAT(refusal("links"), HasSubstr("links:4: nodes 0 and 4 of mesh:3x3 are not neighbours"));
  EXPECT_THAT(refusal("0-9"), HasSubstr("node 9"));
  EXPECT_THAT(refusal("0+1"), HasSubstr("must be two nodes, as in 0-1 or '0>1'"));
  EXPECT_THAT(refusal("nowhere"), HasSubstr("give links such as 0-1,'2>3', random:N[:SEED]"));
  EXPECT_THAT(refusal("0-1,0-3"), HasSubstr("no way leads from node"));
  EXPECT_THAT(refusal("random:12"),
              HasSubstr("mesh:3x3 falls apart without more than 4 of its 12 links"));
  EXPECT_THAT(
      allport("run --topology hypercube:3 --algorithm sbt --missing-links 0-1 --routing adaptive")
          .err,
      HasSubstr("adaptive routes cannot be kept off missing links"));
  const std::string tree = "run --topology hypercube:3 --algorithm tree --missing-links 0-1";
  EXPECT_THAT(allport(tree + " --routing descending").err, HasSubstr("missing link"));
  EXPECT_THAT(allport(tree).out, HasSubstr("\nrouting     table:updown, because links are missing "
                                           "and descending routes do not go around them\n"));
}

TEST_F(MissingLinks, AreNotCrossedByOtherAlgorithms) {
  const std::string run = "run --topology mesh:3x3 --algorithm separate --missing-links ";
  EXPECT_EQ(
      allport(run + "1-2 --routing dimension-ordered").err,
      "allport: unicast 0 -> 2 (step 2): its route crosses the missing link 1>2; around missing links goes synthesized-bcast, and so does every route by --routing table:updown or table:shortest\n");
  EXPECT_EQ(json(run + "1-2 --json -")["config"]["routing"], "table:updown");
  EXPECT_EQ(json(run + "1-2 --json -")["digest"],
            json(run + "1-2 --routing table:updown --json -")["digest"]);
  EXPECT_EQ(json(run + "'2>1' --json -")["config"]["routing"], "dimension-ordered");
  // One direction: up*/down* has no way between some nodes, so the message is refused.
  EXPECT_THAT(allport("run --topology ring:3 --algorithm separate --missing-links '0>1,2>1'").err,
              HasSubstr("missing link"));
}

TEST_F(CliSynthesized, RanksArePlacedForOtherAlgorithms) {
  const Outcome outcome =
      allport("run --topology mesh:3x3 --algorithm synthesized-barrier --place snake");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "algorithm synthesized-barrier plans among the nodes as they are; --place, --ranks and --embed are for others"));
}

TEST_F(CliSynthesized, PiecesOfABroadcastAreAtMostThoseAskedFor) {
  const std::string what = "run --topology torus:4x4 --algorithm synthesized-bcast ";
  const nlohmann::json whole = json(what + "--flits 64 --pieces 2 --json -");
  const nlohmann::json best = json(what + "--flits 64 --json -");

  EXPECT_EQ(whole["config"]["pieces"], 2);
  EXPECT_LT(best["latency"]["max"], whole["latency"]["max"]);
  const Outcome many = allport(what + "--flits 1000 --pieces 500");
  EXPECT_EQ(many.status, 2);
  EXPECT_THAT(many.err, HasSubstr("cuts each block into 1..128 parts on torus:4x4, not into 500"));
}

}  // namespace
}  // namespace allport::test
