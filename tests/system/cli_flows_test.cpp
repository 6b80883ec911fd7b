// SPDX-License-Identifier: Apache-2.0
// These tests check tables of flows, from the command line.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

class CliFlows : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    write("f.csv",
          "source,destination,rate,flits,from,to,on,off\n0,5,0.8,16,,,50,150\n"
          "5,6,0.2,1,100,,,\n15,3,0.1,5,,499,,\n3,12,0.4,8,,,,\n");
  }
  std::string complaint(const std::string& arguments) const {
    const Outcome run = allport(arguments);
    EXPECT_EQ(run.status, 2) << arguments;
    return run.err;
  }
};

TEST_F(CliFlows, AreTrafficInPlaceOfAPattern) {
  const Outcome run = allport("run --topology mesh:4x4 --flows f.csv --cycles 2000");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("message     1..16 flits, ts 0, tr 0\n"));
  EXPECT_THAT(run.out, HasSubstr("traffic     f.csv: 4 flows, for 2000 cycles, seed 1\n"));
  EXPECT_THAT(run.out, HasSubstr("\nload        offered 0.0"));
}

// Those that are never on in the cycles of the run, and those of rate 0, are counted.
TEST_F(CliFlows, ThatAreNeverOnAreCounted) {
  write("late.csv", "0,5,0.8,16,2000,2100\n0,5,0.8,16,1999,\n5,6,0,1\n");
  EXPECT_EQ(complaint("run --topology mesh:4x4 --flows late.csv --cycles 2000"),
            "allport: late.csv:3: 4 cells, but the lines of this table have 6\n");
  write("late.csv", "0,5,0.8,16,2000,2100\n0,5,0.8,16,1999,\n5,6,0,1,,\n");
  const Outcome run = allport("run --topology mesh:4x4 --flows late.csv --cycles 2000");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("traffic     late.csv: 3 flows (2 never on), for 2000 cycles"));
}

TEST_F(CliFlows, AreTheSameOnEveryModelAndExplained) {
  const std::string options =
      "--topology torus:4x4 --flows f.csv --cycles 2000 --warmup 100 --ts 3 --seed 7 --json - ";
  const auto on_flits = json("run " + options + "--explain slowest:3");
  const auto on_worms = json("run " + options + "--model worm");
  EXPECT_EQ(on_flits["digest"], on_worms["digest"]);
  EXPECT_EQ(on_flits["traffic"], on_worms["traffic"]);
  EXPECT_EQ(on_flits["config"]["flows"]["flows"], 4);
  EXPECT_FALSE(on_flits["config"].contains("rate"));
  EXPECT_FALSE(on_flits["config"].contains("flits"));
  const auto later = json("run " + options + "--buffer-depth 8");
  EXPECT_EQ(later["config"]["flows"]["digest"], on_flits["config"]["flows"]["digest"]);
  EXPECT_EQ(json("explain " + options)["digest"], on_flits["digest"]);
}

TEST_F(CliFlows, OfAPermutationAreItsPattern) {
  std::string table;
  for (int i = 0; i < 16; ++i) {
    table += std::to_string(i) + "," + std::to_string(15 - i) + ",0.3,4\n";
  }
  write("p.csv", table);
  const std::string machine = "run --topology hypercube:4 --cycles 3000 --json - ";
  const auto flows = json(machine + "--flows p.csv");
  const auto pattern = json(machine + "--pattern bit-complement --rate 0.3 --flits 4");
  EXPECT_EQ(flows["digest"], pattern["digest"]);
  EXPECT_EQ(flows["traffic"], pattern["traffic"]);
}

TEST_F(CliFlows, MayBeBesideRanks) {
  write("t.jsonl",
        "{\"node\":0,\"compute\":300}\n{\"node\":0,\"send\":true,\"to\":5,\"flits\":16}\n"
        "{\"node\":5,\"receive\":true}\n");
  const auto run = json("run --topology mesh:4x4 --tasks t.jsonl --flows f.csv --json -");
  EXPECT_GT(run["traffic"]["offered"], 0);
  EXPECT_GE(run["tasks"]["makespan"], 300);
  EXPECT_EQ(run["config"]["flows"]["flows"], 4);
}

TEST_F(CliFlows, AreInScenariosAndSweeps) {
  write("s.toml",
        "[fabric]\ntopology = \"mesh:4x4\"\n[traffic]\nflows = \"f.csv\"\ncycles = 500\n");
  EXPECT_EQ(allport("run s.toml").status, 0);
  EXPECT_EQ(allport("run s.toml --pattern uniform --rate 0.1").status, 0);
  write("g.csv", "0,1,0.5,4\n");
  const Outcome sweep =
      allport("sweep --topology mesh:4x4 --flows f.csv,g.csv --cycles 500 --output out.sweep");
  EXPECT_THAT(sweep.out, HasSubstr("points      2, of which 2 computed now"));
  EXPECT_THAT(complaint("sweep --topology mesh:4x4 --flows - --cycles 500"),
              HasSubstr("--flows: - is stdin, which can be read only once"));
}

TEST_F(CliFlows, AreRefusedInOneSentence) {
  const std::string run = "run --topology mesh:4x4 --flows f.csv ";
  EXPECT_EQ(complaint(run), "allport: --flows needs --cycles\n");
  EXPECT_EQ(complaint(run + "--cycles 9 --pattern uniform --rate 1"),
            "allport: --flows and --pattern exclude each other\n");
  EXPECT_EQ(complaint(run + "--cycles 9 --rate 1"),
            "allport: --flows and --rate exclude each other\n");
  EXPECT_EQ(complaint(run + "--cycles 9 --flits 4"),
            "allport: --flows and --flits exclude each other\n");
  EXPECT_EQ(complaint(run + "--cycles 9 --algorithm umesh"),
            "allport: --algorithm and --flows exclude each other\n");
  EXPECT_THAT(complaint(run + "--cycles 9 --algorithm umesh --collective-rate 0.1"),
              HasSubstr("exclude each other"));
  EXPECT_THAT(complaint(run + "--cycles 9 --warmup 9"), HasSubstr("must be less than --cycles 9"));
  EXPECT_EQ(complaint("run --topology mesh:2x4 --flows f.csv --cycles 9"),
            "allport: f.csv:4: source 15: must be 0..7 on mesh:2x4\n");
  EXPECT_THAT(complaint("run --topology mesh:2x4 --flows none.csv --cycles 9"),
              HasSubstr("none.csv"));
  write("bad.csv", "0,1,2,1\n");
  EXPECT_EQ(
      complaint("run --topology mesh:2x4 --flows bad.csv --cycles 9"),
      "allport: bad.csv:1: rate 2: must be 0..1 flits per cycle, at most one message per cycle\n");
  write("long.csv", "0,1,2,2000000\n");
  EXPECT_THAT(complaint("run --topology mesh:2x4 --flows long.csv --cycles 9"),
              HasSubstr("long.csv:1: flits 2000000: routers move messages of up to 1000000"));
  const std::string before = content("f.csv");
  EXPECT_THAT(complaint(run + "--cycles 9 --json f.csv"), HasSubstr("the flows"));
  EXPECT_EQ(content("f.csv"), before);
}

}  // namespace
}  // namespace allport::test
