// SPDX-License-Identifier: Apache-2.0
// The measurements of `allport fit` are what the formulas of docs/timing.md say.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class CliFit : public Cli {
 protected:
  /// The models of a fit by name.
  std::map<std::string, nlohmann::json> models(const std::string& arguments) const {
    std::map<std::string, nlohmann::json> list;
    const nlohmann::json fit = json("fit --json - " + arguments);
    for (const nlohmann::json& one : fit["models"]) {
      list[one["model"]] = one;
    }
    return list;
  }
  static double cycles(const nlohmann::json& model, const char* parameter) {
    return model["parameters"][parameter].begin()->get<double>();
  }
};

// ts + h(1 + d) + L + tr.
TEST_F(CliFit, RecoversTheFormulaExactlyAtFullRate) {
  for (const int delay : {0, 2}) {
    auto found = models(
        "--topology hypercube:4 --destinations 7 --ts 30 --tr 11 --sizes 1,5,64 --buffer-depth 6 --link-delay " +
        std::to_string(delay));
    EXPECT_EQ(cycles(found["hockney"], "a"), 30 + 3 * (1 + delay) + 11);
    EXPECT_EQ(cycles(found["hockney"], "b"), 1);
    EXPECT_EQ(cycles(found["cut-through"], "a"), 30 + 11);
    EXPECT_EQ(cycles(found["cut-through"], "c"), 1 + delay);
    EXPECT_EQ(cycles(found["cut-through"], "b"), 1);
    EXPECT_EQ(cycles(found["loggp"], "L"), 3 * (1 + delay) + 1);
    EXPECT_EQ(cycles(found["loggp"], "o"), 20.5);
    EXPECT_EQ(cycles(found["loggp"], "g"), 30);
    EXPECT_EQ(cycles(found["loggp"], "G"), 1);
    EXPECT_EQ(cycles(found["plogp"], "os(64)"), 30);
    EXPECT_EQ(cycles(found["plogp"], "or(64)"), 11);
    EXPECT_EQ(cycles(found["plogp"], "g(64)"), 64);
    for (const char* exact : {"hockney", "loggp", "cut-through"}) {
      EXPECT_EQ(found[exact]["largest_residual"], 0) << exact;
      EXPECT_EQ(found[exact]["r_squared"], 1) << exact;
    }
  }
}

// ts + h + 2L - 1 + tr.
TEST_F(CliFit, ABufferOfOneFlitDoublesTheTimePerFlit) {
  auto found = models("--topology torus:4x4 --buffer-depth 1 --ts 3 --sizes 1,2,10,33");

  EXPECT_EQ(cycles(found["hockney"], "b"), 2);
  EXPECT_EQ(cycles(found["hockney"], "a"), 3 + 4 - 1);
  EXPECT_EQ(cycles(found["plogp"], "g(33)"), 66);
  EXPECT_EQ(found["cut-through"]["largest_residual"], 0);
}

// ts + (h + 2)L - 1 + tr; cut-through as wormhole.
TEST_F(CliFit, StoreAndForwardMultipliesByTheHops) {
  const std::string fit =
      "--topology hypercube:4 --buffer-depth 64 --ts 9 --tr 4 --sizes 1,4,16,64 --switching ";

  auto stored = models(fit + "store-and-forward");
  EXPECT_EQ(cycles(stored["hockney"], "b"), 4 + 2);
  EXPECT_EQ(cycles(stored["hockney"], "a"), 9 - 1 + 4);
  EXPECT_EQ(stored["hockney"]["largest_residual"], 0);
  EXPECT_GT(stored["cut-through"]["largest_residual"], 1) << "the hops multiply, they do not add";
  auto cut = models(fit + "cut-through");
  EXPECT_EQ(cycles(cut["cut-through"], "a"), 9 + 4);
  EXPECT_EQ(cycles(cut["cut-through"], "c"), 1);
  EXPECT_EQ(cut["cut-through"]["largest_residual"], 0);

  EXPECT_EQ(models("--model worm " + fit + "store-and-forward"), stored);
}

// Messages cost a + b L at either end, so the slopes add up: ts + x L + h + L + tr + y L.
TEST_F(CliFit, FindsWhatEachFlitCostsANode) {
  const std::string fit = "--topology hypercube:4 --destinations 7 --ts 30 --tr 11 --sizes 1,5,64 ";
  for (const int x : {0, 2}) {
    for (const int y : {0, 5}) {
      auto found = models(fit + "--ts-per-flit " + std::to_string(x) + " --tr-per-flit " +
                          std::to_string(y));
      EXPECT_EQ(cycles(found["hockney"], "a"), 30 + 3 + 11);
      EXPECT_EQ(cycles(found["hockney"], "b"), 1 + x + y);
      EXPECT_EQ(cycles(found["cut-through"], "a"), 30 + 11);
      EXPECT_EQ(cycles(found["cut-through"], "c"), 1);
      EXPECT_EQ(cycles(found["cut-through"], "b"), 1 + x + y);
      EXPECT_EQ(cycles(found["affine-os"], "a"), x);
      EXPECT_EQ(cycles(found["affine-os"], "b"), 30);
      EXPECT_EQ(cycles(found["affine-or"], "a"), y);
      EXPECT_EQ(cycles(found["affine-or"], "b"), 11);
      EXPECT_EQ(cycles(found["loggp"], "L"), 3 + 1);
      EXPECT_EQ(cycles(found["loggp"], "o"), (30 + x + 11 + y) / 2.0);
      EXPECT_EQ(cycles(found["loggp"], "g"), 30 + x);
      EXPECT_EQ(cycles(found["loggp"], "G"), 1 + x + y);
      EXPECT_EQ(cycles(found["plogp"], "os(64)"), 30 + 64 * x);
      EXPECT_EQ(cycles(found["plogp"], "or(64)"), 11 + 64 * y);
      EXPECT_EQ(cycles(found["plogp"], "g(64)"), std::max(64, 30 + 64 * x));
      for (const char* exact : {"hockney", "loggp", "cut-through"}) {
        EXPECT_EQ(found[exact]["largest_residual"], 0) << exact;
      }
    }
  }
}

// The next start-up begins in the cycle of the tail, L - 1 cycles after the head.
TEST_F(CliFit, ASendThatBlocksWidensTheGap) {
  const std::string fit = "--topology hypercube:4 --ts 30 --sizes 1,5,64 ";
  auto nwrite = models(fit);
  auto blocking = models(fit + "--send blocking");

  EXPECT_EQ(nwrite["hockney"], blocking["hockney"]);
  EXPECT_EQ(cycles(nwrite["plogp"], "g(64)"), 64);
  EXPECT_EQ(cycles(blocking["plogp"], "g(1)"), 30);
  EXPECT_EQ(cycles(blocking["plogp"], "g(64)"), 30 + 63);
}

TEST_F(CliFit, ModelsOfTheFabricAgree) {
  const std::string fit =
      "fit --topology ring:7 --ts 9 --tr 4 --sizes 1,7,40 --ts-per-flit 2 --tr-per-flit 3 --send blocking --json - --model ";

  nlohmann::json flits = json(fit + "systemc");
  nlohmann::json worms = json(fit + "worm");
  EXPECT_EQ(flits["samples"], worms["samples"]);
  EXPECT_EQ(flits["models"], worms["models"]);
  EXPECT_EQ(flits["models"].size(), 7U);
}

TEST_F(CliFit, HasMicrosecondsWhereAPresetHasAClock) {
  const std::string fit = "fit --topology hypercube:3 --preset t3e --sizes 1,64";

  EXPECT_THAT(allport(fit).out, HasSubstr("machine     Cray T3E [Jeon01], 2.9 ns a cycle\n"));
  const auto found = models(fit.substr(4));
  EXPECT_NEAR(found.at("hockney")["parameters"]["b"]["microseconds"].get<double>(), 0.0029, 1e-12);
  EXPECT_NEAR(found.at("hockney")["parameters"]["a"]["microseconds"].get<double>(), 348 * 0.0029,
              1e-12);
}

TEST_F(CliFit, WritesTablesAndAPicture) {
  const Outcome outcome =
      allport("fit --topology hypercube:1 --sizes 4,8 --csv fit.csv --json fit.json");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("cut-through  not determined: all nodes are one hop apart\n"));
  EXPECT_THAT(content("fit.csv"),
              StartsWith("model,hops,flits,measured,predicted,residual\nhockney,1,4,5,5,0\n"));
  EXPECT_EQ(nlohmann::json::parse(content("fit.json"))["pair"]["destination"], 1);
  if (shell("command -v gnuplot").status != 0) return;
  EXPECT_EQ(allport("fit --topology hypercube:2 --plot fit.svg").status, 0);
  EXPECT_THAT(content("fit.svg"), HasSubstr("</svg>"));
  EXPECT_THAT(content("fit.gnuplot"), HasSubstr("title 'hockney'"));
}

TEST_F(CliFit, MistakesAreOneSentence) {
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"--sizes 4", "--sizes: a fit needs at least two different sizes"},
      {"--sizes 4,4", "--sizes: a fit needs at least two different sizes"},
      {"--sizes 0,4", "--sizes"},
      {"--destinations 1,2", "--destinations: fit measures one pair of nodes; name one node"},
      {"--destinations random:1", "--destinations: fit measures one pair of nodes"},
      {"--destinations 0", "destination 0 is the source itself"},
      {"--destinations 99", "destination 99 is not a node of hypercube:3"},
      {"--source 0,1", "--source names 2 nodes"},
      {"--plot fit.png", "--plot fit.png: must end in .svg"},
      {"--json x --csv x", "--csv x: --json is written into that file"},
      {"--jitter 3", "unknown option '--jitter'"},
      {"--receive occupies", "unknown option '--receive' of `fit`"},
  };
  for (const auto& [options, sentence] : mistakes) {
    const Outcome outcome = allport("fit --topology hypercube:3 " + options);
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_EQ(outcome.out, "") << options;
    EXPECT_THAT(outcome.err, StartsWith("allport: " + sentence)) << options;
  }
}

}  // namespace
}  // namespace allport::test
