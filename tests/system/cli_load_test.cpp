// SPDX-License-Identifier: Apache-2.0
// These tests check collectives that start at random, from the command line.
#include <gmock/gmock.h>

#include <set>
#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

using CliLoad = Cli;

constexpr const char* mesh = "run --topology mesh:4x4 --algorithm umesh --destinations random:4 ";

TEST_F(CliLoad, ReportsWhatItsPageSays) {
  const Outcome run = allport(std::string(mesh) + "--collective-rate 0.002 --cycles 3000");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(
      run.out,
      HasSubstr(
          "collectives umesh to 4 random destinations, 0.002 per source and cycle from 16 sources, for 3000 cycles, seed 1\n"));
  EXPECT_THAT(run.out, HasSubstr("\ncompletion  mean "));
  const auto found = json(std::string(mesh) + "--json - --collective-rate 0.002 --cycles 3000");
  EXPECT_EQ(found["config"]["collective_rate"], 0.002);
  EXPECT_EQ(found["config"]["cycles"], 3000);
  EXPECT_TRUE(found["static"].is_null());
  EXPECT_TRUE(found["bound"].is_null());
  EXPECT_FALSE(found.contains("traffic"));
  EXPECT_GT(found["load"]["collectives"], 50);
  EXPECT_EQ(found["load"]["unfinished"], 0);
}

TEST_F(CliLoad, MayHaveAPatternBesideIt) {
  const std::string options =
      std::string(mesh) +
      "--json - --collective-rate 0.002 --cycles 3000 --pattern uniform --rate 0.1 ";
  const auto on_flits = json(options);
  const auto on_worms = json(options + "--model worm");
  EXPECT_EQ(on_flits["digest"], on_worms["digest"]);
  EXPECT_EQ(on_flits["load"], on_worms["load"]);
  EXPECT_EQ(on_flits["traffic"], on_worms["traffic"]);
  EXPECT_NEAR(on_flits["traffic"]["offered"].get<double>(), 0.1, 0.02);
}

TEST_F(CliLoad, NamesADeadlock) {
  const Outcome run =
      allport("run --topology hypercube:4 --algorithm tree --collective-rate 0.01 --cycles 2000");
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.out, HasSubstr("\ndeadlock    in cycle "));
  EXPECT_THAT(run.out, HasSubstr(" of the window did not complete\n"));
}

TEST_F(CliLoad, EachRateOfASweepIsAPointOfItsOwn) {
  const Outcome sweep = allport(
      "sweep --topology mesh:4x4 --algorithm umesh,dual-path --destinations random:4 --collective-rate 0.001,0.01 --cycles 3000 --output load.sweep");
  EXPECT_THAT(sweep.out, HasSubstr("points      4, of which 4 computed now"));
}

TEST_F(CliLoad, IsRefusedWithOneSentence) {
  const auto complaint = [&](const std::string& command) {
    const Outcome run = allport(command);
    EXPECT_EQ(run.status, 2) << command;
    return run.err;
  };
  const std::string rate = std::string(mesh) + "--collective-rate 0.01 ";
  EXPECT_EQ(complaint(rate), "allport: --collective-rate needs --cycles\n");
  EXPECT_EQ(complaint("run --topology mesh:4x4 --collective-rate 0.1 --cycles 9"),
            "allport: --collective-rate 0.1: it needs --algorithm, whose collectives start so\n");
  EXPECT_EQ(complaint(rate + "--cycles 100 --trials 3"),
            "allport: --collective-rate and --trials exclude each other\n");
  EXPECT_EQ(complaint(rate + "--cycles 100 --rate 0.1"), "allport: --rate needs --pattern\n");
  EXPECT_EQ(complaint(rate + "--cycles 100 --warmup 100"),
            "allport: --collective-rate 0.01: --warmup 100 must be less than --cycles 100\n");
  EXPECT_EQ(
      complaint(std::string(mesh) + "--collective-rate 0 --cycles 100"),
      "allport: --collective-rate 0: must be more than 0 and at most 1 collective per node and cycle\n");
  EXPECT_EQ(
      complaint(
          "run --topology mesh:4x4 --algorithm umesh --destinations 3,4 --collective-rate 0.01 --cycles 100"),
      "allport: --collective-rate 0.01: each collective has its own destinations: --destinations must be all or random:M\n");
  EXPECT_EQ(
      complaint(
          "run --topology mesh:4x4 --algorithm umesh --collective-rate 0.0000001 --cycles 10"),
      "allport: --collective-rate 1e-07: no collective starts within 10 cycles; choose a higher rate or more cycles\n");
  EXPECT_THAT(
      complaint(
          "run --topology mesh:4x4 --algorithm dual-path --vcs 2 --collective-rate 0.01 --cycles 100 --destinations random:3"),
      HasSubstr(
          "the label worms of a load, of which many are under way at once, can deadlock, because an ejection channel serves several inputs"));
  EXPECT_EQ(complaint("run --topology mesh:4x4 --algorithm umesh --cycles 100"),
            "allport: --cycles and --algorithm exclude each other\n");
}

}  // namespace
}  // namespace allport::test
