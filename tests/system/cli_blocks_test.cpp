// SPDX-License-Identifier: Apache-2.0
// Blocks of the user's: the same everywhere where algorithms are, and judged level by level.
#include <gmock/gmock.h>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class CliBlocks : public Cli {
 protected:
  CliBlocks() {
    shell("allport schedule --topology torus:4x4 --algorithm dcf > dcf.jsonl");
    shell("allport schedule --topology torus:4x4 --algorithm zblock --source 9 > z.jsonl");
  }
};

TEST_F(CliBlocks, AreCarriedOutOnEveryTorusAndModel) {
  for (const char* side : {"2x2", "4x4", "8x8", "16x16"}) {
    const std::string words =
        std::string("--topology torus:") + side + " --source 3 --flits 32 --ts 20 --tr 5 --json - ";
    const nlohmann::json dcf = json("run --algorithm dcf " + words);
    const nlohmann::json block = json("run --algorithm block --block dcf.jsonl " + words);
    EXPECT_EQ(block["latency"], dcf["latency"]) << side;
    EXPECT_EQ(block["static"], dcf["static"]) << side;
    const nlohmann::json worms =
        json("run --algorithm block --block dcf.jsonl --model worm " + words);
    EXPECT_EQ(worms["digest"], block["digest"]) << side;
    EXPECT_EQ(json("run --algorithm block --block z.jsonl " + words)["latency"],
              json("run --algorithm zblock " + words)["latency"])
        << side << ": whichever node of the file is its source";
  }
}

TEST_F(CliBlocks, TheConfigurationHasTheBlockItself) {
  const nlohmann::json run =
      json("run --topology torus:8x8 --algorithm block --block z.jsonl --json -");
  ASSERT_EQ(run["config"]["block"].size(), 15U);
  EXPECT_EQ(run["config"]["block"][2],
            nlohmann::json::parse(R"({"u":0,"v":10,"step":1,"order":2,"dx":-2,"dy":2})"));
  EXPECT_FALSE(run["config"].contains("asked"));
  EXPECT_THAT(allport("run --topology torus:8x8 --algorithm block --block z.jsonl").out,
              HasSubstr("block from 0 to 63 destinations, by the block z.jsonl"));
  EXPECT_THAT(
      allport("run --topology torus:8x8 --algorithm block --block -", content("z.jsonl")).out,
      HasSubstr("block from 0 to 63 destinations, by the block stdin"));
  EXPECT_THAT(allport("run --topology torus:4x4 --schedule -", content("z.jsonl")).out,
              HasSubstr("schedule stdin from 9 to 15 destinations"));
}

TEST_F(CliBlocks, EveryCommandThatPlansTakesThem) {
  const std::string words = "--topology torus:8x8 --algorithm block --block dcf.jsonl ";
  EXPECT_EQ(allport("schedule " + words).out,
            allport("schedule --topology torus:8x8 --algorithm dcf").out);
  EXPECT_EQ(
      shell(
          "allport schedule --topology torus:8x8 --algorithm block --source 9 --block - < dcf.jsonl")
          .out,
      allport("schedule --topology torus:8x8 --algorithm dcf --source 9").out);
  EXPECT_EQ(allport("show tree " + words).out,
            allport("show tree --topology torus:8x8 --algorithm dcf").out);
  EXPECT_EQ(allport("check " + words).status, 0);
  EXPECT_EQ(allport("explain " + words).status, 0);
  EXPECT_EQ(allport("run " + words + "--pieces 4").status, 0);
  EXPECT_EQ(allport("run " + words + "--collective-rate 0.001 --cycles 500").status, 0);
  EXPECT_EQ(
      allport("run --topology hypercube:4 --embed torus:4x4 --algorithm block --block dcf.jsonl")
          .status,
      0);
}

TEST_F(CliBlocks, ScenariosGridsAndSweepsHaveBlocks) {
  write("s.toml",
        "[fabric]\ntopology = \"torus:8x8\"\n[traffic]\nalgorithm = \"block\"\n"
        "block = \"dcf.jsonl\"\n");
  EXPECT_EQ(json("run s.toml --json -")["latency"],
            json("run --topology torus:8x8 --algorithm dcf --json -")["latency"]);
  write("g.toml",
        "[fabric]\ntopology = \"torus:8x8\"\n[traffic]\nalgorithm = \"block\"\n"
        "block = [\"dcf.jsonl\", \"z.jsonl\"]\n");
  EXPECT_EQ(allport("sweep g.toml --output grid --jobs 1").status, 0);
  EXPECT_EQ(
      allport(
          "sweep --topology torus:8x8 --algorithm block --block dcf.jsonl,z.jsonl --output words --jobs 1")
          .status,
      0);
  EXPECT_EQ(content("grid/results.csv"), content("words/results.csv"));
  EXPECT_THAT(shell("wc -l < grid/results.jsonl").out, HasSubstr("2"));
}

TEST_F(CliBlocks, CompareSetsABlockBesideTheOthers) {
  const std::string words = "compare --topology torus:8x8 --ts 50 ";
  std::vector<std::string> names;
  for (const nlohmann::json& row :
       json(words + "--algorithms dcf,block,zblock --block z.jsonl --json -")) {
    names.push_back(row.at("algorithm"));
  }
  EXPECT_THAT(names, ElementsAre("dcf", "block", "zblock"));
  EXPECT_THAT(allport(words + "--json -").out, Not(HasSubstr("\"block\"")));
  EXPECT_THAT(allport(words + "--block z.jsonl --json -").out, HasSubstr("\"block\""));
  EXPECT_THAT(
      allport(words + "--algorithms dcf,tree --block z.jsonl").err,
      HasSubstr(
          "--block is for the algorithm block; the algorithms that are compared take no block"));
  EXPECT_THAT(allport(words + "--algorithms dcf,block").err,
              HasSubstr("algorithm block needs --block FILE"));
}

TEST_F(CliBlocks, CheckJudgesThemLevelByLevel) {
  const Outcome dcf = allport("check --block dcf.jsonl --topology torus:16x16");
  EXPECT_EQ(dcf.status, 0);
  EXPECT_EQ(dcf.out,
            "block         dcf.jsonl: 15 messages in 2 steps\n"
            "torus:4x4     level 1, 2 steps: stepwise holds, theorem1 holds\n"
            "torus:8x8     level 1 of Z_blocks, 3 steps: stepwise holds, theorem1 holds\n"
            "torus:16x16   level 2, 4 steps: stepwise holds, theorem1 holds\n"
            "verdict       all checks hold on all of them\n");
  const Outcome z = allport("check --block z.jsonl --topology torus:8x8");
  EXPECT_EQ(z.status, 1);
  EXPECT_THAT(
      z.out,
      HasSubstr("torus:4x4     level 1, 2 steps: stepwise holds, theorem1 fails (1 violation)"));
  EXPECT_THAT(
      z.out,
      HasSubstr(
          "torus:8x8     level 1 of Z_blocks, 3 steps: stepwise holds, definition4 fails (3 violations), theorem1 fails (8 violations)"));
  EXPECT_THAT(
      z.out,
      HasSubstr(
          "  theorem1: unicast 0 -> 36 (step 1) and unicast 4 -> 20 (step 2) may meet on channel 4 -> 12 (+y)"));
  EXPECT_THAT(z.out, EndsWith("verdict       fails, first on torus:4x4\n"));
  EXPECT_EQ(allport("check --block z.jsonl --require stepwise,exactly_once").status, 0);
  const nlohmann::json levels =
      nlohmann::json::parse(allport("check --block z.jsonl --json -").out)["block"];
  ASSERT_EQ(levels.size(), 5U) << "4x4 to 64x64";
  EXPECT_EQ(levels[4]["topology"], "torus:64x64");
  EXPECT_EQ(levels[4]["level"], 3);
  EXPECT_EQ(levels[4]["z_blocks"], false);
  EXPECT_EQ(levels[4]["steps"], 6);
  EXPECT_EQ(levels[4]["checks"]["stepwise"]["ok"], true);
  EXPECT_EQ(levels[4]["checks"]["theorem1"]["violations"], 849);
  EXPECT_EQ(levels[4]["checks"],
            nlohmann::json::parse(
                allport("check --topology torus:64x64 --algorithm zblock --json -").out));
}

TEST_F(CliBlocks, AreRefusedInOneSentence) {
  const auto err = [&](const std::string& words) {
    const Outcome outcome = allport(words);
    EXPECT_EQ(outcome.status, 2) << words;
    return outcome.err;
  };
  const std::string torus = "--topology torus:8x8 ";
  for (const char* command : {"run", "schedule", "check", "show tree", "explain"}) {
    const std::string words = std::string(command) + " " + torus;
    EXPECT_EQ(
        err(words + "--algorithm block"),
        "allport: algorithm block needs --block FILE: a schedule of a broadcast on torus:4x4, whose nodes stand for units\n");
    EXPECT_EQ(err(words + "--algorithm dcf --block dcf.jsonl"),
              "allport: --block is for the algorithm block; dcf takes no block\n");
  }
  EXPECT_THAT(err("run --topology torus:6x6 --algorithm block --block dcf.jsonl"),
              HasSubstr("algorithm block is for"));
  EXPECT_EQ(
      err("check --topology torus:6x6 --block dcf.jsonl"),
      "allport: --block: a block is recursed on torus:NxN with N = 4, 8, 16, ..; torus:6x6 is not one\n");
  EXPECT_EQ(err("check " + torus + "--block dcf.jsonl --schedule z.jsonl"),
            "allport: --block and --schedule exclude each other\n");
  EXPECT_THAT(err("run " + torus + "--algorithm block --block none.jsonl"),
              HasSubstr("the block none.jsonl cannot be read"));
  write("ring.xml", "<algo name=\"x\"></algo>\n");
  EXPECT_THAT(err("run " + torus + "--algorithm block --block ring.xml"),
              HasSubstr("ring.xml: this is no block but XML"));
  shell("sed 's/\"v\":8/\"v\":16/' dcf.jsonl > wide.jsonl");
  EXPECT_EQ(
      err("check --block wide.jsonl"),
      "allport: wide.jsonl:2: unicast 0 -> 16 (step 1): node 16 is not one of 0..15 of torus:4x4\n");
  write("tasks.jsonl", R"({"node":0,"collective":"bcast","root":0,"algorithm":"block"})"
                       "\n");
  EXPECT_THAT(err("run --topology torus:4x4 --tasks tasks.jsonl"),
              HasSubstr("block recurses the block of --block"));
  EXPECT_EQ(allport("run " + torus + "--algorithm block --block dcf.jsonl --json dcf.jsonl").status,
            2)
      << "a result does not take the place of the block";
}

}  // namespace
}  // namespace allport::test
