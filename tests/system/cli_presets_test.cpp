// SPDX-License-Identifier: Apache-2.0
// These tests check presets of machines as a user sees them.
#include <gmock/gmock.h>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;

using CliPresets = Cli;

TEST_F(CliPresets, ARunHasCyclesAndMicroseconds) {
  const std::string run = "run --topology hypercube:6 --algorithm tree --preset t3e --bytes 4";
  const std::string out = allport(run).out;

  EXPECT_THAT(out, HasSubstr("machine     Cray T3E [Jeon01], 2.9 ns a cycle\n"));
  EXPECT_THAT(out, HasSubstr("latency     max 361 cycles (1.047 us)"));
  const nlohmann::json result = json(run + " --json -");
  EXPECT_EQ(result["config"]["preset"], "t3e");
  EXPECT_EQ(result["config"]["ts"], 345);
  EXPECT_EQ(result["config"]["flit_bytes"], 1);
  EXPECT_DOUBLE_EQ(result["latency"]["microseconds"]["max"].get<double>(), 361 * 0.0029);
}

TEST_F(CliPresets, WithoutAClockThereAreNoMicroseconds) {
  const std::string run = "run --topology hypercube:4 --algorithm wsort --preset ncube2";

  EXPECT_THAT(allport(run).out, HasSubstr("nCUBE-2, a hypercube"));
  EXPECT_THAT(allport(run).out, Not(HasSubstr(" us)")));
  EXPECT_FALSE(json(run + " --json -")["latency"].contains("microseconds"));
  EXPECT_FALSE(
      json("run --topology hypercube:4 --algorithm wsort --json -")["config"].contains("preset"));
}

TEST_F(CliPresets, AReportSaysOverHowManyHopsAMachineIsValid) {
  EXPECT_THAT(
      allport("run --topology hypercube:3 --algorithm sbt --preset ncube10").out,
      HasSubstr("machine     NCUBE/10, a hypercube, over one hop [Ranka88], 2400 ns a cycle\n"));
}

TEST_F(CliPresets, CompareAndSweepTakeThem) {
  EXPECT_THAT(allport("compare --topology hypercube:3 --algorithms sbt,tree --preset ncube10").out,
              HasSubstr("max us"));
  EXPECT_EQ(
      allport("sweep --topology hypercube:3 --algorithm tree --preset ncube2,t3e --jobs 1").status,
      0);
  EXPECT_THAT(content("allport.sweep/results.csv"), HasSubstr("latency.microseconds.max"));
  EXPECT_THAT(content("allport.sweep/results.csv"), HasSubstr("\nncube2,0,"));
}

TEST_F(CliPresets, WhereItDoesNotFitItIsRefused) {
  const Outcome torus = allport("run --topology torus:4x4 --algorithm dcf --preset ncube2");
  EXPECT_EQ(torus.status, 2);
  EXPECT_EQ(
      torus.err,
      "allport: --preset ncube2: it sets ascending routing, which only hypercubes have; for torus:4x4 add --routing dimension-ordered, or choose another topology\n");
  EXPECT_EQ(
      allport(
          "run --topology torus:4x4 --algorithm dcf --preset ncube2 --routing dimension-ordered")
          .status,
      0);
  const Outcome unknown = allport("run --topology hypercube:4 --algorithm sbt --preset t3d");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_EQ(unknown.err, "allport: --preset: unknown preset 't3d': did you mean 't3e'?\n");
}

TEST_F(CliPresets, ListHasTheirParametersAndSources) {
  const std::string out = allport("list").out;

  EXPECT_THAT(out, HasSubstr("ts 1 us = 345 cycles"));
  for (const char* name : {"ncube2 ", "t3e ", "ncube10 "}) {
    EXPECT_THAT(out, HasSubstr(std::string("\n  ") + name));
  }
}

}  // namespace
}  // namespace allport::test
