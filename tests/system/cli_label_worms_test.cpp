// SPDX-License-Identifier: Apache-2.0
// These tests check multicasts by label worms, and which runs of them are refused.
#include <gmock/gmock.h>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using CliLabelWorms = Cli;

const std::string many = "run --topology mesh:4x4 --algorithm multi-path --source 0,3,5,6,9,10,15 ";

TEST_F(CliLabelWorms, OfManySourcesReachEverybody) {
  const nlohmann::json sound = json(many + "--flits 40 --json -");
  EXPECT_TRUE(sound["deadlock"].is_null());
  EXPECT_EQ(sound["latency"]["by_destination"].size(), 16U);
}

TEST_F(CliLabelWorms, AreTheSameFromAScheduleFile) {
  const std::string goal = "--topology mesh:4x4 --source 6 --destinations 1,2,5,7,8,11,13 ";
  const Outcome lines = allport("schedule " + goal + "--algorithm multi-path");
  EXPECT_EQ(
      lines.out,
      "{\"u\":6,\"v\":13,\"step\":1,\"order\":0,\"kind\":\"label\",\"via\":[5,8],\"first_dimension\":0}\n"
      "{\"u\":6,\"v\":11,\"step\":1,\"order\":1,\"kind\":\"label\",\"first_dimension\":1}\n"
      "{\"u\":6,\"v\":7,\"step\":1,\"order\":2,\"kind\":\"label\",\"first_dimension\":0}\n"
      "{\"u\":6,\"v\":1,\"step\":1,\"order\":3,\"kind\":\"label\",\"via\":[2],\"first_dimension\":1}\n");
  write("worms.jsonl", lines.out);
  const nlohmann::json planned = json("run " + goal + "--algorithm multi-path --json -");
  const nlohmann::json read = json("run " + goal + "--schedule worms.jsonl --json -");
  EXPECT_EQ(planned["digest"], read["digest"]);
  EXPECT_EQ(planned["latency"]["max"], 16 + 5);
}

TEST_F(CliLabelWorms, AreRefusedWhereEjectionChannelsServeSeveralInputs) {
  for (const std::string option : {"--ports 1", "--vcs 2"}) {
    const Outcome outcome = allport(many + option);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(
        outcome.err,
        "allport: the label worms can deadlock, because an ejection channel serves several inputs: freedom takes all 4 ports and --vcs 1, and these routers have --ports " +
            std::string(option == "--ports 1" ? "1 and --vcs 1" : "4 and --vcs 2") +
            "; nor is freedom proved by the routes of trial 0\n");
  }
}

TEST_F(CliLabelWorms, AreRefusedBesideMessagesThatCouldHoldThemUp) {
  const auto lines = [](const std::string& kind) {  // four messages around a square
    return "{\"u\":5,\"v\":10,\"step\":1,\"order\":0" + kind +
           "}\n{\"u\":14,\"v\":9,\"step\":1,\"order\":0" + kind +
           "}\n{\"u\":6,\"v\":13,\"step\":1,\"order\":0,\"kind\":\"label\"}\n"
           "{\"u\":13,\"v\":6,\"step\":1,\"order\":0,\"kind\":\"label\"}\n";
  };
  write("mixed.jsonl", lines(""));
  write("labels.jsonl", lines(",\"kind\":\"label\""));
  const std::string run =
      "run --topology mesh:4x4 --source 5,6,13,14 --destinations 9,10 --schedule ";
  const Outcome outcome = allport(run + "mixed.jsonl");
  EXPECT_EQ(outcome.status, 2) << outcome.out;
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "the label worms can deadlock, because messages of other kinds share their channels: freedom takes messages of the kind label only"));
  EXPECT_EQ(allport(run + "labels.jsonl").status, 0);
}

TEST_F(CliLabelWorms, AreTakenWhereTheRoutesProveThem) {
  EXPECT_EQ(allport("run --topology mesh:4x4 --algorithm dual-path --source 6 --ports 1").status,
            0);
  write("apart.jsonl",
        "{\"u\":0,\"v\":3,\"step\":1,\"order\":0,\"kind\":\"label\",\"via\":[1]}\n"
        "{\"u\":0,\"v\":8,\"step\":1,\"order\":1}\n");
  const std::string run = "run --topology mesh:4x4 --destinations 1,3,8 --schedule apart.jsonl";
  EXPECT_EQ(allport(run).status, 0);
}

TEST_F(CliLabelWorms, AreRefusedByWhatDoesNotMoveThem) {
  const std::string dual = "run --algorithm dual-path --topology ";
  EXPECT_THAT(
      allport(dual + "mesh:4x4 --model worm --explain all").err,
      HasSubstr(
          "--model worm: it explains the latencies of unicasts only, and this run has label worms"));
  EXPECT_THAT(allport(dual + "mesh:4x4 --switching circuit").err,
              HasSubstr("switching circuit is for unicasts only, and this is a label message"));
  EXPECT_THAT(
      allport(dual + "mesh:5x5 --model rtl").err,
      HasSubstr(
          "--model rtl: a header in RTL has room for 16 destinations of a multidestination message, and this run has one with 24"));
  EXPECT_THAT(allport(dual + "torus:4x4").err,
              HasSubstr("algorithm dual-path is for meshes; torus:4x4 is not one"));
}

TEST_F(CliLabelWorms, AreComparedWhereTheyMayRun) {
  const std::string compare = "compare --topology mesh:4x4 ";
  EXPECT_THAT(allport(compare).out, HasSubstr("dual-path"));
  EXPECT_THAT(allport(compare + "--source 0,5").out, HasSubstr("multi-path"));
  for (const std::string option :
       {"--source 0,5 --ports 2", "--model worm --explain all", "--pieces 2"}) {
    const Outcome outcome = allport(compare + option);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, Not(HasSubstr("\ndual-path"))) << option;
  }
}

}  // namespace
}  // namespace allport::test
