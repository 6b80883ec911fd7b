// SPDX-License-Identifier: Apache-2.0
// These tests check exact ties on the command line.
#include <gmock/gmock.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"
#include "tests/support/csv_cells.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using CliTies = Cli;

TEST_F(CliTies, HaveOneDigestOnFlitsAndWorms) {
  for (const std::string what :
       {"--topology torus:4x4 --pattern uniform --rate 0.4 --cycles 400",
        "--topology ring:6 --pattern uniform --rate 0.3 --cycles 500 --jitter 3",
        "--topology torus:4x6 --algorithm separate --source 3,9", "--topology ring:8 --schedule s",
        "--topology torus:6x6 --algorithm ring-alltoall --place random:2",
        "--topology torus:4x4 --algorithm separate --steps aware --ports 2"}) {
    write("s",
          "{\"u\":0,\"v\":4,\"step\":1,\"order\":0}\n{\"u\":4,\"v\":1,\"step\":2,\"order\":0}\n"
          "{\"u\":1,\"v\":5,\"step\":3,\"order\":0}\n");
    for (const std::string ties : {"negative", "alternate", "random:5"}) {
      const nlohmann::json flits = json("run --json - --ties " + ties + " " + what);
      const nlohmann::json worms = json("run --model worm --json - --ties " + ties + " " + what);

      EXPECT_EQ(flits["digest"], worms["digest"]) << what;
      EXPECT_EQ(flits["contention"], worms["contention"]) << what;
      EXPECT_EQ(flits["config"]["ties"], ties) << what;
      EXPECT_EQ(flits.count("error"), 0U) << what;
    }
    const nlohmann::json default_value = json("run --json - " + what);
    EXPECT_EQ(default_value["config"].count("ties"), 0U);
    EXPECT_EQ(default_value["digest"], json("run --json - --ties positive " + what)["digest"])
        << what;
  }
}

TEST_F(CliTies, AreWrittenIntoASchedule) {
  const std::string plan = "schedule --topology ring:4 --algorithm separate --ties ";

  EXPECT_THAT(allport(plan + "positive").out, Not(HasSubstr("displacement")));
  EXPECT_THAT(allport(plan + "negative").out,
              HasSubstr("\"v\":2,\"step\":1,\"order\":1,\"displacement\":[-2]"));
  EXPECT_THAT(allport(plan + "alternate").out, Not(HasSubstr("displacement")));
  EXPECT_THAT(allport(plan + "alternate --source 1").out, HasSubstr("\"displacement\":[-2]"));
}

// In a file, what says which way it goes goes there, whatever the rule.
TEST_F(CliTies, YieldToADisplacement) {
  write("chosen",
        "{\"u\":0,\"v\":2,\"step\":1,\"order\":0,\"displacement\":[2]}\n"
        "{\"u\":2,\"v\":1,\"step\":2,\"order\":0}\n{\"u\":1,\"v\":3,\"step\":3,\"order\":0}\n");
  const std::string run = "run --topology ring:4 --json - --schedule chosen ";

  const nlohmann::json sent = json(run + "--ties negative")["config"]["schedule"];

  EXPECT_EQ(sent[0]["displacement"], nlohmann::json({2}));
  EXPECT_EQ(sent[2]["displacement"], nlohmann::json({-2}));
  EXPECT_EQ(json(run)["config"]["schedule"][2].count("displacement"), 0U);
}

TEST_F(CliTies, YieldToAnAlgorithmThatChoosesItsWays) {
  for (const std::string algorithm : {"edn", "far-then-near", "dcf", "tseng", "zblock"}) {
    const std::string plan = "schedule --topology torus:4x4 --algorithm " + algorithm;
    EXPECT_EQ(allport(plan).out, allport(plan + " --ties negative").out) << algorithm;
  }
  for (const std::string algorithm : {"dims-reduce", "dims-bcast", "bucket-allreduce"}) {
    const std::string plan = "schedule --topology torus:2x4 --algorithm " + algorithm;
    EXPECT_EQ(allport(plan).out, allport(plan + " --ties negative").out) << algorithm;
  }
}

// The flits on the + channels of an even ring are to those on the - channels as 10 to 6, unless
// ties go both ways.
TEST_F(CliTies, BalanceTheDirectionsOfAPattern) {
  const auto share_of_up = [&](const std::string& ties) {
    allport(
        "run --topology ring:8 --pattern uniform --rate 0.3 --cycles 20000 --model worm --ties " +
        ties + " --channel-load load.csv");
    std::istringstream lines(content("load.csv"));
    double flits[2] = {0, 0};
    for (std::string line; std::getline(lines, line);) {
      const std::vector<std::string> fields = cells_of(line);
      if (fields[3] == "external") flits[fields[5] == "0" ? 0 : 1] += std::stod(fields[6]);
    }
    return flits[0] / (flits[0] + flits[1]);
  };

  EXPECT_NEAR(share_of_up("positive"), 10.0 / 16, 0.02);
  EXPECT_NEAR(share_of_up("negative"), 6.0 / 16, 0.02);
  EXPECT_NEAR(share_of_up("alternate"), 0.5, 0.02);
  EXPECT_NEAR(share_of_up("random:1"), 0.5, 0.02);
}

TEST_F(CliTies, AreRefusedWhereThereAreNone) {
  const std::string rest = " --algorithm separate --ties ";
  const auto mesh = allport("run --topology mesh:4x4" + rest + "negative");
  const auto unknown = allport("run --topology ring:4" + rest + "sideways");

  EXPECT_EQ(mesh.status, 2);
  EXPECT_THAT(mesh.err, HasSubstr("ties negative: they are for rings and tori; mesh:4x4 has no"));
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err,
              HasSubstr("--ties: 'sideways' must be positive, negative, alternate or random:SEED"));
}

}  // namespace
}  // namespace allport::test
