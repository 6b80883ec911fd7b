// SPDX-License-Identifier: Apache-2.0
// These tests check ranks placed on nodes, groups, and partitions, on the command line.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using CliGroups = Cli;

// The bytes of every member are judged in both models, and their deliveries are the same.
TEST_F(CliGroups, HaveOneDigestOnFlitsAndWormsWhateverThePlacement) {
  write("places", "3 1 2 0\n7\n6 5 4\n8");
  for (const std::string what :
       {"--topology mesh:3x3 --algorithm ring-allreduce --place snake --flits 20",
        "--topology mesh:3x3 --algorithm ring-alltoall --place places",
        "--topology mesh:3x3 --algorithm dims-allreduce --place random:3 --flits 5",
        "--topology torus:4x3 --algorithm ring-reduce-scatter --place random --ports 1",
        "--topology hypercube:4 --algorithm ring-allgather --place gray --ts 3",
        "--topology hypercube:4 --algorithm dims-alltoall --place gray --ranks torus:4x4",
        "--topology torus:4x4x2 --algorithm dims-allgather --place snake --ranks torus:4x8",
        "--topology torus:6x6 --algorithm dims-allreduce --group box:3x4@2,1 --flits 30",
        "--topology hypercube:5 --algorithm rabenseifner --group subcube:0bx1xx0 --flits 30",
        "--topology mesh:4x4 --algorithm ring-allreduce --group 1,6,11,12,15 --flits 3",
        "--topology torus:4x4 --algorithm ring-alltoall --groups dim:1 --place random",
        "--topology mesh:6x4 --algorithm dims-allreduce --groups box:3x2 --flits 40 --ts 5",
        "--topology hypercube:5 --algorithm exchange-alltoall --groups dims:0,3 --jitter 9"}) {
    const nlohmann::json flits = json("run --json - " + what);
    const nlohmann::json worms = json("run --model worm --json - " + what);

    EXPECT_EQ(flits["digest"], worms["digest"]) << what;
    EXPECT_EQ(flits["contention"], worms["contention"]) << what;
    EXPECT_EQ(flits["static"]["collective"]["ok"], true) << what;
    EXPECT_EQ(flits["static"]["exactly_once"]["ok"], true) << what;
    EXPECT_EQ(flits.value("groups", nlohmann::json()), worms.value("groups", nlohmann::json()))
        << what;
    EXPECT_LE(flits["bound"]["cycles"], flits["latency"]["max"]) << what;
    EXPECT_EQ(flits.count("error"), 0U) << what;
  }
}

TEST_F(CliGroups, PlacesInAListAreThoseOfItsFile) {
  write("places", "3 1 2 0\n");
  const std::string run =
      "run --topology ring:4 --algorithm ring-allreduce --flits 9 --json - --place ";
  EXPECT_EQ(json(run + "3,1,2,0")["digest"], json(run + "places")["digest"]);
  EXPECT_EQ(json(run + "3,1,2,0")["config"], json(run + "places")["config"]);
  EXPECT_NE(json(run + "3,1,2,0")["digest"], json(run + "identity")["digest"]);
  for (const auto& [list, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"3,1,2", "it names 3 nodes, but must name each of the 4 nodes once"},
           {"3,1,2,4", "4"},
           {"3,1,2,2", "2"},
           {"3,1,,0", "comma"},
           {"3,1,x,0", "'x' is not a node"}}) {
    const Outcome outcome = allport(run + list);
    EXPECT_EQ(outcome.status, 2) << list;
    EXPECT_THAT(outcome.err, HasSubstr("--place")) << list;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << list;
  }
}

TEST_F(CliGroups, EmbedIsTheCaseGray) {
  for (const std::string what : {"ring-allgather --ports 1", "ring-alltoall", "ring-allreduce"}) {
    const std::string run = "run --topology hypercube:4 --json - --algorithm " + what;

    const nlohmann::json embedded = json(run + " --embed ring:16");
    const nlohmann::json placed = json(run + " --place gray");

    EXPECT_EQ(embedded["digest"], placed["digest"]) << what;
    EXPECT_EQ(embedded["config"]["embed"], "ring:16");
    EXPECT_EQ(placed["config"]["place"], "gray");
  }
}

TEST_F(CliGroups, TheReportSaysHowFarRanksAreApart) {
  EXPECT_THAT(allport("run --topology mesh:4x4 --algorithm ring-allgather --place snake").out,
              HasSubstr("placement   ring:16 by snake: neighbouring ranks are neighbours\n"));
  EXPECT_THAT(
      allport("run --topology mesh:3x3 --algorithm ring-allgather --place snake").out,
      HasSubstr(
          "at most 4, as rank 0 on node 0 and rank 8 on node 8; no cycle leads through all nodes, so this way back is long\n"));
  EXPECT_THAT(allport("run --topology torus:6x6 --algorithm dims-bcast --group box:6x2").out,
              HasSubstr("group       box:6x2: 12 nodes, a mesh:6x2\n"));
}

// A line of torus:4x4 that is alone on its channels takes what a ring of four takes.
TEST_F(CliGroups, ApartOnTheirChannelsTakeWhatTheyTakeAlone) {
  const std::string what = " --algorithm ring-alltoall --ts 2 --json - ";
  const nlohmann::json ring = json("run --topology ring:4" + what);
  const nlohmann::json lines = json("run --topology torus:4x4 --groups dim:1" + what);

  ASSERT_EQ(lines["groups"].size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(lines["groups"][i]["latency"]["max"], ring["latency"]["max"]);
    EXPECT_EQ(lines["groups"][i]["latency"]["mean"], ring["latency"]["mean"]);
    EXPECT_EQ(lines["groups"][i]["nodes"], nlohmann::json({i, i + 4, i + 8, i + 12}));
    EXPECT_EQ(lines["groups"][i]["contention"]["with_others"]["events"], 0);
  }
  EXPECT_EQ(lines["config"]["groups"], "dim:1");
  EXPECT_EQ(lines["contention"]["between_groups"]["events"], 0);
}

TEST_F(CliGroups, ContentionBetweenGroupsIsNamed) {
  write("crossing", "0 5 10 15\n1 4 11 14\n");
  const std::string what = "run --topology mesh:4x4 --algorithm ring-alltoall --groups crossing";

  const nlohmann::json run = json(what + " --json -");
  std::size_t between = 0;
  for (const nlohmann::json& event : run["contention"]["list"]) {
    ASSERT_EQ(event["groups"].size(), 2U);
    const bool is_first =
        run["groups"][0]["nodes"].dump().find(event["waiting"]["u"].dump()) != std::string::npos;
    EXPECT_EQ(event["groups"][0], is_first ? 0 : 1);
    if (event["groups"][0] != event["groups"][1]) ++between;
  }

  EXPECT_GT(between, 0U);
  EXPECT_EQ(run["contention"]["between_groups"]["events"], between);
  EXPECT_EQ(run["groups"][0]["contention"]["events"].get<std::size_t>() +
                run["groups"][1]["contention"]["events"].get<std::size_t>(),
            run["contention"]["events"]);
  EXPECT_EQ(run["config"]["groups"], nlohmann::json({{0, 5, 10, 15}, {1, 4, 11, 14}}));
  const std::string text = allport(what).out;
  EXPECT_THAT(text, HasSubstr(std::to_string(between) + " of them between groups"));
  EXPECT_THAT(text, HasSubstr(", between groups\n"));
  EXPECT_THAT(text, HasSubstr("\nby group     group     from"));
}

TEST_F(CliGroups, AMulticastGoesToTheRestOfItsGroup) {
  const nlohmann::json list =
      json("run --topology torus:4x4 --algorithm separate --group 5,1,10,15 --source 10 --json -");
  EXPECT_EQ(list["latency"]["by_destination"].size(), 3U);
  EXPECT_EQ(list["config"]["source"], nlohmann::json({10}));
  EXPECT_EQ(list["config"]["group"], nlohmann::json({5, 1, 10, 15}));
  // Of a list, the first node in ascending order; a node outside may be a relay.
  const nlohmann::json tree =
      json("run --topology hypercube:4 --algorithm sbt --group 0,3,15 --json -");
  EXPECT_EQ(tree["config"]["source"], nlohmann::json({0}));
  EXPECT_GT(tree["config"]["relays"].size(), 0U);
  const nlohmann::json drawn = json(
      "run --topology mesh:6x6 --algorithm separate --groups box:3x3 --destinations random:4 --trials 3 --source 0,5,30,35 --json -");
  EXPECT_EQ(drawn["latency"]["by_destination"].size(), 16U);
  EXPECT_EQ(drawn["groups"][3]["source"], 35);
}

TEST_F(CliGroups, ASchedulePrintedForAGroupIsCheckedForIt) {
  const std::string at = " --topology mesh:4x4 ";
  for (const auto& [algorithm, collective] : {std::pair{"ring-gather", "gather"},
                                              {"ring-alltoall", "alltoall"},
                                              {"ring-allreduce", "allreduce"}}) {
    const std::string name = std::string(" --algorithm ") + algorithm;
    write("s.jsonl", allport("schedule" + at + "--group 9,1,5" + name).out);
    const std::string file = at + "--schedule s.jsonl --collective " + collective;

    const nlohmann::json again = json("run --json - --group 1,5,9" + file);

    EXPECT_EQ(again["digest"], json("run --json - --group 1,5,9" + at + name)["digest"]);
    EXPECT_EQ(allport("check --group 1,5,9 --require collective,exactly_once" + file).status, 0);
    EXPECT_NE(allport("check --group 1,5,9,13 --require collective,exactly_once" + file).status, 0)
        << algorithm;
    EXPECT_NE(allport("run" + file).status, 0) << algorithm;
  }
}

TEST_F(CliGroups, CompareTriesWhatIsForTheGroup) {
  const std::string out =
      allport("compare --topology torus:8x8 --collective allgather --group box:4x2").out;
  EXPECT_THAT(out, HasSubstr("dims-allgather"));
  EXPECT_THAT(out, HasSubstr("ring-allgather"));
  EXPECT_THAT(out, Not(HasSubstr("exchange-allgather")));
  const std::string cube =
      allport("compare --topology hypercube:5 --collective allgather --group subcube:0bxxx00").out;
  EXPECT_THAT(cube, HasSubstr("exchange-allgather"));
}

TEST_F(CliGroups, StepsAreThoseOfTheGroup) {
  EXPECT_EQ(
      allport(
          "steps --topology hypercube:5 --group subcube:0b1xxx0 --algorithms wsort,sbt --trials exhaustive --sizes 2,7")
          .out,
      allport("steps --topology hypercube:3 --algorithms wsort,sbt --trials exhaustive --sizes 2,7")
          .out);
}

TEST_F(CliGroups, AScenarioAndASweepTakeThem) {
  write("run.toml",
        "[fabric]\ntopology = \"mesh:4x4\"\n[traffic]\nalgorithm = \"ring-gather\"\n"
        "group = [1, 5, 9]\nplace = \"random:4\"\n");
  const nlohmann::json run = json("run run.toml --json -");
  EXPECT_EQ(run["config"]["group"], nlohmann::json({1, 5, 9}));
  EXPECT_EQ(run["config"]["place"], "random:4");

  const Outcome sweep = allport(
      "sweep --topology mesh:4x4 --algorithm ring-allgather --place 'snake,random:1,identity' --output points");
  EXPECT_EQ(sweep.status, 0) << sweep.err;
  EXPECT_THAT(content("points/results.csv"), HasSubstr("snake"));
  EXPECT_THAT(content("points/results.csv"), HasSubstr("random:1"));
}

TEST_F(CliGroups, RefusesWhatIsNoPlacementOrGroup) {
  write("short", "0 1 2 3 4 5 6");
  write("twice", "0 1 2 3\n4 5 6 6");
  write("far", "0\n1\n2\n3\n4\n5\n6\n9\n");
  write("torn", "0\n1\nx");
  write("empty", "\n \n");
  write("overlap", "0 1 2\n2 3\n");
  write("lonely", "0 1 2\n5\n");
  write("huge", "0 1 2\n5 99999999999999999999\n");
  for (
      const auto& [arguments, complaint] : std::vector<std::pair<std::string, std::string>>{
          {"--place short", "--place short: it names 7 nodes, but must name each of the 8 nodes"},
          {"--place twice", "--place twice:2: node 6 is named twice"},
          {"--place far",
           "--place far:8: node 9 is not a node of ring:8, which has the nodes 0..7"},
          {"--place torn", "--place: torn:3: 'x' is not a node"},
          {"--place empty", "--place: the file empty names no node"},
          {"--place missing",
           "identity, gray, snake, groups, random[:SEED], a list of nodes or a file"},
          {"--place random:x", "'x' is not a whole number"},
          {"--place gray", "topologies can be embedded in hypercubes only"},
          {"--place snake --group 1,2,5", "a list of nodes has no shape to go along"},
          {"--ranks ring:7", "--ranks ring:7: it has 7 ranks, but the collective is among 8"},
          {"--group 1", "the group has one member"},
          {"--group 1,9", "node 9 is not a node of ring:8"},
          {"--group 1,1", "node 1 is named twice"},
          {"--group box:4@6", "it leaves dimension 0 of ring:8, whose coordinates are 0..7"},
          {"--group subcube:0bxx0", "subcubes are for hypercubes"},
          {"--group subcube:xx0", "must be 0b and, for each dimension, 0, 1 or x"},
          {"--group 1,3,4 --source 2", "source 2: it is not of --group 1,3,4"},
          {"--group 1,3,4 --destinations 3,5", "destination 5 is not of the group"},
          {"--groups overlap", "--groups overlap: groups 0 and 1 overlap: both have node 2"},
          {"--groups lonely", "lonely:2: the group has one member"},
          {"--groups huge",
           "huge:2: '99999999999999999999' is not a node: give its number, 0..1048575, or 0b.. on a hypercube"},
          {"--groups dim:1", "dimension 1 is not 0, the only one of ring:8"},
          {"--groups box:3", "its side 3 does not divide the side 8"},
          {"--groups box:4@0", "has no corner"},
          {"--groups box:4 --source 1,2", "it must name one node of each group"},
          {"--groups box:4 --destinations 1", "a list is for one group"},
          {"--groups box:4 --place far", "--place far:5: node 4 is not of the group"},
          {"--groups box:4 --group 1,2", "exclude each other"},
          {"--groups box:4 --barrier 3", "exclude each other"},
          {"--place snake --embed ring:8", "exclude each other"},
      }) {
    const Outcome outcome = allport("run --topology ring:8 --algorithm ring-gather " + arguments);

    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(complaint)) << arguments;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
}

TEST_F(CliGroups, RefusesAnAlgorithmWithThoseThatWouldDo) {
  EXPECT_THAT(
      allport("run --topology torus:8x8 --algorithm dcf --group 1,9,33,63").err,
      testing::StartsWith(
          "allport: algorithm dcf is for 2^d x 2^d tori, and the collective is among the nodes of a list; for it there are: separate, utorus, "));
  EXPECT_THAT(
      allport("run --topology hypercube:4 --algorithm hamiltonian --group subcube:0bxxx0").err,
      HasSubstr("is sent by the routers' worms, which cannot be placed by ranks"));
  EXPECT_THAT(allport("run --topology mesh:5 --algorithm ring-allreduce").err,
              HasSubstr("algorithm ring-allreduce is for rings; mesh:5 is not one"));
}

TEST_F(CliGroups, AFileOfPlacesIsNotOverwritten) {
  write("places", "0 1 2 3\n");

  const Outcome outcome =
      allport("run --topology ring:4 --algorithm ring-gather --place places --json places");

  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(content("places"), "0 1 2 3\n");
}

}  // namespace
}  // namespace allport::test
