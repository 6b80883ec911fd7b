// SPDX-License-Identifier: Apache-2.0
// These tests check link delays by dimension, and wide flits, on the command line.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

using CliLinkDelays = Cli;

TEST_F(CliLinkDelays, HaveOneDigestOnFlitsAndWorms) {
  for (
      const std::string what :
      {"--topology torus:4x3 --link-delay 0,4 --pattern uniform --rate 0.4 --cycles 500",
       "--topology mesh:3x3x2 --link-delay 5,0,2 --pattern uniform --rate 0.3 --cycles 500",
       "--topology torus:8x4 --link-delay 7,1 --buffer-depth 2 --algorithm dims-alltoall",
       "--topology hypercube:4 --link-delay 0,1,2,9 --algorithm wsort --pieces 4 --ports 1",
       "--topology mesh:6x6 --vcs 2 --link-delay 20,3 --buffer-depth 5 --pattern transpose --rate 0.5 --cycles 400"}) {
    const nlohmann::json flits = json("run --json - " + what);
    const nlohmann::json worms = json("run --model worm --json - " + what);

    EXPECT_EQ(flits["digest"], worms["digest"]) << what;
    EXPECT_EQ(flits["contention"], worms["contention"]) << what;
    EXPECT_EQ(flits.count("error"), 0U) << what;
  }
}

// One message at a time keeps to the theory, and nothing is faster than the bound.
TEST_F(CliLinkDelays, KeepToTheTheoryAndTheBound) {
  for (const std::string what :
       {"--topology torus:5x4 --algorithm separate --destinations 7 --link-delay 3,11",
        "--topology torus:5x4 --algorithm separate --ports 1 --ts 90 --link-delay 0,6",
        "--topology hypercube:4 --algorithm exchange-allgather --link-delay 1,0,0,5",
        "--topology hypercube:3 --algorithm tree --link-delay 0,0,4"}) {
    const nlohmann::json run = json("run --json - --buffer-depth 40 " + what);

    EXPECT_THAT(allport("run --buffer-depth 40 " + what).out,
                HasSubstr("cycles, equal to the simulation"))
        << what;
    EXPECT_LE(run["bound"]["cycles"], run["latency"]["max"]) << what;
  }
}

TEST_F(CliLinkDelays, AreANumberIfTheyAreAlike) {
  const std::string run = "run --topology torus:4x4 --algorithm dcf --json - --link-delay ";

  EXPECT_EQ(json(run + "2,2")["digest"], json(run + "2")["digest"]);
  EXPECT_EQ(json(run + "2,2")["config"], json(run + "2")["config"]);
  EXPECT_EQ(json(run + "2")["config"]["link_delay"], 2);
  EXPECT_EQ(json(run + "2,3")["config"]["link_delay"], nlohmann::json({2, 3}));
  EXPECT_THAT(allport("run --topology torus:4x4 --algorithm dcf --link-delay 2,3").out,
              HasSubstr(", link delay 2,3"));
}

TEST_F(CliLinkDelays, AreAnAxisOfASweep) {
  const std::string sweep = "sweep --topology torus:4x4 --algorithm separate --output ";

  allport(sweep + "one --link-delay 0,4");
  allport(sweep + "lists --link-delay '0,4;4,0;3'");

  EXPECT_THAT(content("one/results.csv"), HasSubstr("\n0,"));
  EXPECT_THAT(content("one/results.csv"), HasSubstr("\n4,"));
  EXPECT_THAT(content("lists/results.csv"), HasSubstr("\"0,4\""));
  EXPECT_THAT(content("lists/results.csv"), HasSubstr("\"4,0\""));
}

// Only the length in flits counts, so that wide flits are fewer flits; bytes that the flits do not
// carry themselves arrive all the same, in every kind of message.
TEST_F(CliLinkDelays, WideFlitsAreFewerFlits) {
  for (const std::string what :
       {"--topology torus:4x4 --algorithm dcf", "--topology hypercube:3 --algorithm tree",
        "--topology mesh:3x4 --algorithm dual-path", "--topology mesh:9 --algorithm dims-bcast",
        "--topology hypercube:3 --algorithm rabenseifner",
        "--topology torus:4x4 --algorithm bucket-allreduce --ports 1"}) {
    const nlohmann::json wide = json("run --json - --bytes 1000 --flit-bytes 64 " + what);
    const nlohmann::json worms =
        json("run --json - --bytes 1000 --flit-bytes 64 --model auto " + what);

    EXPECT_EQ(wide["config"]["flits"], 16) << what;
    EXPECT_EQ(wide["digest"], worms["digest"]) << what;
    EXPECT_EQ(wide.count("error"), 0U) << what;
    if (what.find("dcf") != std::string::npos || what.find("tree") != std::string::npos) {
      const nlohmann::json narrow = json("run --json - --flits 16 --flit-bytes 4 " + what);
      EXPECT_EQ(wide["latency"], narrow["latency"]) << what;
    }
  }
  EXPECT_EQ(allport("run --topology torus:4x4 --algorithm dcf --flit-bytes 65").status, 2);
}

}  // namespace
}  // namespace allport::test
