// SPDX-License-Identifier: Apache-2.0
// Chains of the user's: the same everywhere where their algorithms are, and Definition 5's verdict.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

using CliChains = Cli;

const std::string cube = "--topology hypercube:4 ";
const std::string chain = "--chain 0,1,3,14,15,8 ";

TEST_F(CliChains, AChainNamesTheSourceAndTheDestinations) {
  const nlohmann::json run =
      json("run " + cube + "--algorithm maxport --chain 5,4,7,9,13 --json -");
  EXPECT_THAT(run["config"]["chain"], ElementsAre(5, 4, 7, 9, 13));
  EXPECT_THAT(run["config"]["source"], ElementsAre(5));
  EXPECT_THAT(run["config"]["destinations"], ElementsAre(4, 7, 9, 13));
  EXPECT_EQ(run["latency"]["by_destination"].size(), 4U);
  EXPECT_FALSE(run["config"].contains("asked"));
  EXPECT_THAT(allport("run " + cube + "--algorithm maxport --chain 5,4,7,9,13").out,
              HasSubstr("maxport from 5 to 4 destinations, along the given chain"));
}

// The first node of each subcube gets the message first.
TEST_F(CliChains, TheOrderOfTheChainDecidesWhoIsServedFirst) {
  EXPECT_THAT(allport("schedule " + cube + "--algorithm maxport --chain 0,8,12,14,15").out,
              StartsWith(R"({"u":0,"v":8,"step":1)"));
  EXPECT_THAT(allport("schedule " + cube + "--algorithm maxport --chain 0,15,14,12,8").out,
              StartsWith(R"({"u":0,"v":15,"step":1)"));
  EXPECT_EQ(
      allport("schedule " + cube + "--algorithm maxport --chain 0,1,3,5,7,14,15,12,11").out,
      allport("schedule " + cube + "--algorithm wsort --destinations 1,3,5,7,11,12,14,15").out);
}

TEST_F(CliChains, TheSameOnFlitsAndOnWormsAndFromAFileOfTheSchedule) {
  for (const char* algorithm : {"ucube", "maxport", "combine", "wsort"}) {
    const std::string words = std::string("--algorithm ") + algorithm + " --flits 32 --ts 9 ";
    const nlohmann::json flits = json("run " + cube + chain + words + "--json -");
    const nlohmann::json worms = json("run " + cube + chain + words + "--model worm --json -");
    EXPECT_EQ(flits["latency"], worms["latency"]) << algorithm;
    EXPECT_EQ(flits["digest"], worms["digest"]) << algorithm;
    shell("allport schedule " + cube + chain + "--algorithm " + algorithm + " > plan.jsonl");
    const nlohmann::json file =
        json("run " + cube +
             "--schedule plan.jsonl --destinations 1,3,8,14,15 --flits 32 --ts 9 --json -");
    EXPECT_EQ(file["latency"], flits["latency"]) << algorithm;
  }
}

TEST_F(CliChains, PiecesAndAwareStepsGoAlongAChain) {
  for (const char* words : {"--pieces 4", "--pieces best", "--steps aware", "--ports 1",
                            "--routing ascending --chain 0,8,12,3,7"}) {
    const bool has_chain = std::string(words).find("--chain") != std::string::npos;
    const std::string all =
        cube + "--algorithm combine --flits 64 " + (has_chain ? "" : chain) + words;
    EXPECT_EQ(allport("run " + all).status, 0) << words;
    EXPECT_EQ(allport("check " + all + " --require collective").status, 0) << words;
  }
}

TEST_F(CliChains, ScenariosGridsAndSweepsHaveChains) {
  write("s.toml",
        "[fabric]\ntopology = \"hypercube:4\"\n[traffic]\nalgorithm = \"maxport\"\n"
        "chain = [0, 15, 14, 12, 8]\n");
  const nlohmann::json here = json("run s.toml --json -");
  EXPECT_EQ(here["latency"],
            json("run " + cube + "--algorithm maxport --chain 0,15,14,12,8 --json -")["latency"]);
  EXPECT_THAT(json("run s.toml --chain 0,8 --json -")["config"]["chain"], ElementsAre(0, 8));
  const nlohmann::json other = json("run s.toml --source 1 --json -");
  EXPECT_FALSE(other["config"].contains("chain")) << "a source takes the place of the chain";
  write("g.toml",
        "[fabric]\ntopology = \"hypercube:4\"\n[traffic]\nalgorithm = [\"maxport\", \"ucube\"]\n"
        "chain = [[0, 15, 14, 12, 8], [0, 8, 12, 14, 15]]\n");
  EXPECT_EQ(allport("sweep g.toml --output of.grid --jobs 1").status, 0);
  const std::string words = "--algorithm maxport,ucube --chain '0,15,14,12,8;0,8,12,14,15'";
  EXPECT_EQ(allport("sweep " + cube + words + " --output of.words --jobs 1").status, 0);
  EXPECT_EQ(content("of.grid/results.csv"), content("of.words/results.csv"));
  EXPECT_THAT(shell("wc -l < of.grid/results.jsonl").out, HasSubstr("4"));
}

TEST_F(CliChains, CompareTriesTheAlgorithmsThatTakeChains) {
  const nlohmann::json rows = json("compare " + cube + chain + "--json -");
  std::vector<std::string> names;
  for (const nlohmann::json& row : rows) names.push_back(row.at("algorithm"));
  EXPECT_THAT(names, ElementsAre("ucube", "maxport", "combine", "wsort"));
  EXPECT_THAT(allport("compare " + cube + chain + "--algorithms ucube,sbt").err,
              HasSubstr("algorithm sbt takes no chain"));
}

TEST_F(CliChains, ExplainHasTheCauses) {
  EXPECT_EQ(allport("explain " + cube + chain + "--algorithm ucube").status, 0);
}

TEST_F(CliChains, CheckSaysWhetherAChainIsCubeOrdered) {
  const Outcome broken = allport("check " + cube + "--chain 0,8,3,12");
  EXPECT_EQ(broken.status, 1);
  EXPECT_EQ(
      broken.out,
      "chain         4 nodes of hypercube:4, from 0\n"
      "cube_ordered  fails  the chain's nodes of every subcube are next to each other [Robinson93]\n"
      "              0 (0000) and 3 (0011) are of the subcube 0xxx, and 8 (1000), which is between them, is not\n"
      "verdict       fails: cube_ordered\n");
  const auto verdict_of = [&](const std::string& words) {
    return nlohmann::json::parse(allport("check " + cube + words + " --json -").out);
  };
  const nlohmann::json verdict = verdict_of("--chain 0,8,3,12");
  EXPECT_EQ(verdict["cube_ordered"]["ok"], false);
  EXPECT_THAT(verdict["cube_ordered"]["nodes"], ElementsAre(0, 8, 3));
  EXPECT_EQ(verdict["cube_ordered"]["subcube"], "0xxx");
  EXPECT_EQ(verdict_of("--chain 0,8,3,12 --algorithm maxport"), verdict)
      << "no algorithm splits it";
  EXPECT_EQ(allport("check " + cube + "--chain 0,3,12,8").status, 0);
  EXPECT_EQ(allport("check " + cube + "--chain 8,12,0,3").status, 0);
  EXPECT_EQ(allport("check " + cube + "--routing ascending --chain 0,8,12,3").status, 0);
  const nlohmann::json both = verdict_of(chain + "--algorithm maxport");
  EXPECT_EQ(both["cube_ordered"]["ok"], true);
  EXPECT_EQ(both["theorem1"]["ok"], true);
}

TEST_F(CliChains, ShowHasTheGivenChain) {
  EXPECT_EQ(allport("show chain " + cube + "--chain 0,11,12,14,15").out,
            "ordered     0000 1011 1100 1110 1111\n"
            "given       0000 1011 1100 1110 1111\n"
            "weighted    0000 1110 1111 1100 1011\n");
  const nlohmann::json broken = json("show chain " + cube + "--chain 0,8,3,12 --json -");
  EXPECT_THAT(broken["given"], ElementsAre(0, 8, 3, 12));
  EXPECT_THAT(broken["ordered"], ElementsAre(0, 3, 8, 12));
  EXPECT_TRUE(broken["weighted"].is_null());
  EXPECT_EQ(broken["cube_ordered"]["subcube"], "0xxx");
  EXPECT_EQ(
      json("show tree " + cube + "--algorithm maxport --chain 0,15,14,8 --json -")["edges"][0]["v"],
      15);
}

TEST_F(CliChains, WrongUseIsOneSentence) {
  for (
      const auto& [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
          {"run " + cube + "--algorithm sbt --chain 0,1",
           "algorithm sbt takes no chain; a chain is"},
          {"run " + cube + "--algorithm maxport --chain 0,8,3",
           "the chain is not cube-ordered: 0 (0000) and 3 (0011) are of the subcube 0xxx"},
          {"run " + cube + "--algorithm maxport --chain 7", "--chain 7: it has a source, and no"},
          {"run " + cube + "--algorithm maxport --chain 0,16", "chain node 16 is not a node of"},
          {"run " + cube + "--algorithm maxport --chain 0,3,3", "chain node 3 is named twice"},
          {"run " + cube + "--algorithm maxport --chain 0,,3", "--chain: '0,,3' has a comma"},
          {"run --topology torus:4x4 --algorithm separate --chain 0,1",
           "chains are for hypercubes; torus:4x4 is not one"},
          {"check --topology torus:4x4 --chain 0,1", "chains are for hypercubes"},
          {"show chain --topology mesh:4 --chain 0,1", "are for hypercubes"},
          {"check " + cube + "--chain 0,1 --require theorem1",
           "--require: `check --chain NODE,..` does not read it; `check --block FILE`, `check FILE`"},
          {"check " + cube + "--chain 0,8,3 --require theorem1",
           "--require: `check --chain NODE,..` does not read it"},
          {"check " + cube,
           "nothing to check: give a schedule file, -, --algorithm, --chain, --block or --faults"},
          {"steps " + cube + "--chain 0,1", "unknown option '--chain' of `steps`"}}) {
    const Outcome outcome = allport(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << arguments;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << arguments;
  }
  write("plan.jsonl", "{\"u\":0,\"v\":1,\"step\":1}\n");
  for (const char* other :
       {"--source 0", "--destinations 1", "--schedule plan.jsonl", "--tasks t.jsonl",
        "--pattern uniform", "--flows f.csv", "--embed ring:16", "--place gray", "--ranks ring:16",
        "--group 0,1", "--groups dim:0", "--barrier messages", "--collective-rate 0.1"}) {
    const std::string name = std::string(other).substr(0, std::string(other).find(' '));
    const Outcome outcome = allport("run " + cube + "--chain 0,1 " + other);
    EXPECT_EQ(outcome.status, 2) << other;
    EXPECT_THAT(outcome.err, HasSubstr("--chain and " + name + " exclude each other")) << other;
  }
}

}  // namespace
}  // namespace allport::test
