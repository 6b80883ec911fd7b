// SPDX-License-Identifier: Apache-2.0
// These tests check link widths, for all channels or by dimension, on the command line.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

using CliLinkWidths = Cli;

TEST_F(CliLinkWidths, OfAFlitChangeNothing) {
  const std::string run = "run --topology torus:4x4 --algorithm dcf --json - ";

  for (const std::string width :
       {"--link-width 4", "--link-width 4,4", "--link-width 8 --flit-bytes 8"}) {
    const bool is_wide = width.find("flit-bytes") != std::string::npos;
    const nlohmann::json plain = json(run + (is_wide ? "--flit-bytes 8" : ""));
    const nlohmann::json given = json(run + width);
    EXPECT_EQ(given["digest"], plain["digest"]) << width;
    EXPECT_EQ(given["config"], plain["config"]) << width;
  }
}

// Of ceil(4 / 3) and ceil(4 / 1) cycles.
TEST_F(CliLinkWidths, AreRoundedUpToWholePhits) {
  const std::string run = "run --topology torus:4x4 --algorithm separate --destinations ";

  EXPECT_EQ(json(run + "1 --link-width 3,1 --json -")["latency"]["max"], 2 + 1 + 15 * 2);
  EXPECT_EQ(json(run + "4 --link-width 3,1 --json -")["latency"]["max"], 4 + 1 + 15 * 4);
  EXPECT_EQ(json(run + "5 --link-width 3,1 --json -")["latency"]["max"], 2 + 4 + 1 + 15 * 4);
  EXPECT_EQ(json(run + "5 --link-width 2 --json -")["latency"]["max"], 2 + 2 + 1 + 15 * 2);
}

TEST_F(CliLinkWidths, StandInReportAndConfiguration) {
  const std::string run = "run --topology torus:4x4 --algorithm dcf --link-width ";

  EXPECT_EQ(json(run + "2 --json -")["config"]["link_width"], 2);
  EXPECT_EQ(json(run + "4,1 --json -")["config"]["link_width"], nlohmann::json({4, 1}));
  const Outcome report = allport(run + "4,1");
  EXPECT_THAT(report.out, HasSubstr(", link width 4,1 of 4 bytes"));
  EXPECT_THAT(
      report.out,
      HasSubstr(
          "theory      none: the timing models know external channels as wide as a flit only"));
}

TEST_F(CliLinkWidths, AreRefusedOutOfTheirRange) {
  const std::string run = "run --topology torus:4x4 --algorithm dcf --link-width ";
  struct Refused {
    const char* given;
    const char* sentence;
  };
  for (
      const Refused& one :
      {Refused{"0", "--link-width"}, Refused{"65 --flit-bytes 64", "--link-width"},
       Refused{"5", "link width 5: must be 1..4, the bytes of a flit"},
       Refused{"4,8 --flit-bytes 6", "link width 8: must be 1..6, the bytes of a flit"},
       Refused{
           "1,2,4",
           "link width: 3 are given, but torus:4x4 has 2 dimensions; give one for all, or one for each"}}) {
    const Outcome refused = allport(run + one.given);
    EXPECT_EQ(refused.status, 2) << one.given;
    EXPECT_THAT(refused.err, HasSubstr(one.sentence)) << one.given;
  }
}

TEST_F(CliLinkWidths, AreForWormsSoAutoTakesThem) {
  const std::string run = "run --topology torus:4x4 --algorithm dcf --link-width 2,4 --json - ";

  const nlohmann::json chosen = json(run + "--model auto");

  EXPECT_EQ(chosen["model"], "worm");
  EXPECT_EQ(chosen["digest"], json(run)["digest"]);
}

TEST_F(CliLinkWidths, AreNeverBelowTheBoundAndHaveNoTheory) {
  const nlohmann::json compared = json(
      "compare --topology torus:4x4 --collective allreduce --bytes 400 --link-width 4,1 --json -");

  ASSERT_GT(compared.size(), 1U);
  for (const nlohmann::json& one : compared) {
    EXPECT_TRUE(one["theory"].is_null()) << one;
    EXPECT_LE(one["bound"], one["max"]) << one;
  }
}

// Two channels of half a flit a cycle and two of a quarter.
TEST_F(CliLinkWidths, CountInTheBoundsOfAFabric) {
  const nlohmann::json shown =
      json("show bounds --topology torus:4x4 --flits 16 --link-width 2,1 --json -");

  EXPECT_EQ(shown["bounds"]["allgather"]["cycles"], 1 + 15 * 16 * 2 / 3);
}

TEST_F(CliLinkWidths, StandInTheReportOfAFit) {
  const Outcome fit = allport("fit --topology torus:4x4 --link-width 4,1 --sizes 1,2,4");

  EXPECT_EQ(fit.status, 0) << fit.err;
  EXPECT_THAT(fit.out, HasSubstr("link delay 0, link width 4,1\n"));
}

TEST_F(CliLinkWidths, ExplainTheirCycles) {
  const nlohmann::json run = json(
      "run --topology torus:4x4 --algorithm separate --destinations 5 --link-width 2,1 --explain all --json -");

  const nlohmann::json causes = run["explanation"]["by_cause"];
  EXPECT_EQ(causes["hop"], 3);
  EXPECT_EQ(causes["length"], 15);
  EXPECT_EQ(causes["width"], 1 + 3 + 15 * 3);
  EXPECT_EQ(run["explanation"]["cycles"], run["latency"]["max"]);
}

TEST_F(CliLinkWidths, AreAnAxisOfASweep) {
  const std::string sweep = "sweep --topology torus:4x4 --algorithm separate --output ";

  allport(sweep + "one --link-width 2,4");
  allport(sweep + "lists --link-width '1,4;4,1;3'");

  EXPECT_THAT(content("one/results.csv"), HasSubstr("\n2,"));
  EXPECT_THAT(content("one/results.csv"), HasSubstr("\n4,"));
  EXPECT_THAT(content("lists/results.csv"), HasSubstr("\"1,4\""));
  EXPECT_THAT(content("lists/results.csv"), HasSubstr("\"4,1\""));
}

TEST_F(CliLinkWidths, AreAKeyOfAScenario) {
  write("narrow.toml",
        "[fabric]\ntopology = \"torus:4x4\"\n[router]\nlink_width = \"4,1\"\n[traffic]\n"
        "algorithm = \"dcf\"\n");

  const nlohmann::json scenario = json("run narrow.toml --json -");

  EXPECT_EQ(scenario["config"]["link_width"], nlohmann::json({4, 1}));
}

}  // namespace
}  // namespace allport::test
