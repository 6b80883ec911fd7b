// SPDX-License-Identifier: Apache-2.0
// These tests check strict and balanced use of the classes of virtual channels, on the command
// line.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

using CliVcUse = Cli;

TEST_F(CliVcUse, HasOneDigestOnFlitsAndWorms) {
  for (const std::string what :
       {"--topology torus:8x8 --pattern uniform --rate 0.3 --cycles 300",
        "--topology ring:9 --vcs 4 --pattern uniform --rate 0.3 --cycles 600 --buffer-depth 2",
        "--topology torus:5x4 --ports 1 --algorithm direct-alltoall --link-delay 2",
        "--topology torus:4x4x4 --algorithm direct-alltoall --vcs 4"}) {
    const nlohmann::json strict = json("run --json - " + what);
    const nlohmann::json flits = json("run --vc-use balanced --json - " + what);
    const nlohmann::json worms = json("run --vc-use balanced --model worm --json - " + what);

    EXPECT_EQ(flits["digest"], worms["digest"]) << what;
    EXPECT_EQ(flits["contention"], worms["contention"]) << what;
    EXPECT_EQ(flits.count("error"), 0U) << what;
    EXPECT_NE(flits["digest"], strict["digest"]) << what;
    EXPECT_EQ(flits["config"]["vc_use"], "balanced");
    EXPECT_EQ(strict["config"].count("vc_use"), 0U);
    EXPECT_EQ(strict["digest"], json("run --vc-use strict --json - " + what)["digest"]) << what;
  }
}

// Near the limit of two virtual channels messages no longer queue in one half of them.
TEST_F(CliVcUse, ShortensTheWaitingOfMuchTraffic) {
  const std::string run =
      "run --topology torus:8x8 --pattern uniform --rate 0.35 --cycles 5000 --warmup 1000 --ties alternate --model worm --json - --vc-use ";
  EXPECT_LT(json(run + "balanced")["latency"]["mean"], json(run + "strict")["latency"]["mean"]);
}

TEST_F(CliVcUse, IsExplainedAlikeOnFlitsAndWorms) {
  const std::string run =
      "run --topology torus:4x4 --pattern uniform --rate 0.4 --cycles 300 --vc-use balanced --explain all --json - ";
  EXPECT_EQ(json(run)["explanation"], json(run + "--model worm")["explanation"]);
}

TEST_F(CliVcUse, IsToldInReportsSweepsAndRoutes) {
  EXPECT_THAT(allport("run --topology torus:4x4 --algorithm dcf --vc-use balanced").out,
              HasSubstr("2 virtual channels, buffers of 4 flits, balanced use of their classes"));
  allport("sweep --topology torus:4x4 --algorithm separate --vc-use strict,balanced --output two");
  EXPECT_THAT(content("two/results.csv"), HasSubstr("balanced"));
  EXPECT_THAT(allport("show route 1 3 --topology ring:8 --vc-use balanced").out,
              HasSubstr("class either"));
  EXPECT_THAT(allport("show route 0 4 --topology ring:8 --ties negative").out,
              HasSubstr("channel 0 -> 7 (-x)"));
}

// Two messages of a step on one channel, of different classes only if they must be.
TEST_F(CliVcUse, CountsInTheStaticCheck) {
  write("s",
        "{\"u\":6,\"v\":1,\"step\":1,\"order\":0}\n{\"u\":4,\"v\":7,\"step\":1,\"order\":0}\n");
  const std::string check = "check s --topology ring:8 --source 4,6 --destinations 1,7 ";
  EXPECT_EQ(allport(check + "--vc-use balanced --require port_rule").status, 0);
  EXPECT_EQ(
      allport("check --topology ring:8 --algorithm separate --vcs 1 --vc-use balanced").status, 2);
}

TEST_F(CliVcUse, IsRefusedWhereThereAreNoClasses) {
  for (const auto& [arguments, sentence] :
       std::initializer_list<std::pair<const char*, const char*>>{
           {"--topology mesh:4x4", "vc use balanced: it is for rings and tori"},
           {"--topology hypercube:4", "vc use balanced: it is for rings and tori"},
           {"--topology ring:3 --vcs 1", "with 1 virtual channel there are no classes"}}) {
    const Outcome outcome =
        allport(std::string("run --algorithm separate --vc-use balanced ") + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << arguments;
  }
  EXPECT_EQ(allport("run --topology ring:4 --algorithm separate --vc-use both").status, 2);
}

}  // namespace
}  // namespace allport::test
