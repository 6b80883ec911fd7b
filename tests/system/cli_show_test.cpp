// SPDX-License-Identifier: Apache-2.0
// These tests check what `allport show` prints.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using CliShow = Cli;

TEST_F(CliShow, ARouteHopByHop) {
  EXPECT_EQ(
      allport("show route 5 14 --topology hypercube:4").out,
      "route       5 (0101) to 14 (1110): 3 hops on hypercube:4, descending routing; one of 6 "
      "shortest\n"
      "hop 1       5 (0101) by dimension 3 to 13 (1101)\n"
      "hop 2       13 (1101) by dimension 1 to 15 (1111)\n"
      "hop 3       15 (1111) by dimension 0 to 14 (1110)\n");
  EXPECT_EQ(
      allport("show route 23 30 --topology hypercube:5 --routing ascending").out,
      "route       23 (10111) to 30 (11110): 2 hops on hypercube:5, ascending routing; one of "
      "2 shortest\n"
      "hop 1       23 (10111) by dimension 0 to 22 (10110)\n"
      "hop 2       22 (10110) by dimension 3 to 30 (11110)\n");
  const nlohmann::json torus = json("show route 3 5 --topology torus:4x4 --json -");
  EXPECT_EQ(torus["hops"], 3);
  EXPECT_EQ(torus["shortest_ways"], 6) << "three orders, and two ways around dimension 0";
  EXPECT_EQ(torus["route"][0]["class"], "p");
}

// [Robinson93, figure 5]'s kind of chain: relative to the source, by weight of subcubes.
TEST_F(CliShow, ChainsOfAHypercube) {
  const nlohmann::json chains =
      json("show chain --topology hypercube:4 --destinations 1,3,5,7,11,12,14,15 --json -");
  EXPECT_THAT(chains["ordered"], ElementsAre(0, 1, 3, 5, 7, 11, 12, 14, 15));
  EXPECT_THAT(chains["weighted"], ElementsAre(0, 1, 3, 5, 7, 14, 15, 12, 11));
  EXPECT_THAT(allport("show chain --topology hypercube:3 --source 5 --destinations 4,7").out,
              HasSubstr("ordered     101 100 111\n"));
}

TEST_F(CliShow, TheGrayCodeOfACube) {
  EXPECT_THAT(json("show gray --topology hypercube:3 --json -")["nodes"],
              ElementsAre(0, 1, 3, 2, 6, 7, 5, 4));
}

// The tree of docs/algorithms.md: the whole cube through the first child but for what follows.
TEST_F(CliShow, ATreeAndWhatIsReachedThroughEachNode) {
  const nlohmann::json tree = json("show tree --topology hypercube:3 --algorithm sbt --json -");
  ASSERT_EQ(tree["edges"].size(), 7U);
  EXPECT_EQ(tree["edges"][0]["u"], 0);
  std::size_t reached_from_root = 0;
  for (const nlohmann::json& edge : tree["edges"]) {
    if (edge["u"] == 0) reached_from_root += edge["reached"].size();
  }
  EXPECT_EQ(reached_from_root, 7U);
  EXPECT_THAT(allport("show tree --topology hypercube:2 --algorithm sbt").out,
              HasSubstr("through which 1 node gets it"));
}

TEST_F(CliShow, TheNumbersOfAShape) {
  const nlohmann::json cube = json("show bounds --topology hypercube:4 --flits 60 --json -");
  EXPECT_EQ(cube["links"], 32);
  EXPECT_EQ(cube["channels"], 64);
  EXPECT_EQ(cube["degree"], 4);
  EXPECT_EQ(cube["diameter"], 4);
  EXPECT_EQ(cube["steps"], 2) << "5^2 >= 16";
  EXPECT_EQ(json("show bounds --topology hypercube:4 --ports 1 --json -")["steps"], 4);
  EXPECT_EQ(cube["bisection"]["links"], 8);
  EXPECT_EQ(cube["bisection"]["channels"], 16);
  EXPECT_EQ(cube["bounds"]["allgather"]["cycles"], 1 + 15 * 60 / 4);
  const nlohmann::json mesh = json("show bounds --topology mesh:4x4 --json -");
  EXPECT_EQ(mesh["links"], 24);
  EXPECT_EQ(mesh["degree"], 4);
}

TEST_F(CliShow, WrongUseIsOneSentence) {
  for (const auto& [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"show", "show what? Give route U V, chain, gray, tree or bounds"},
           {"show routes --topology ring:4", "route"},
           {"show route 1 --topology ring:4", "give two nodes"},
           {"show route 1 9 --topology ring:4", "node 9 is not a node of ring:4"},
           {"show gray 3 --topology hypercube:3", "it takes no further word, and there is '3'"},
           {"show gray --topology ring:4", "Gray codes are for hypercubes"},
           {"show chain --topology ring:4", "chains are for hypercubes"},
           {"show tree --topology hypercube:3", "--algorithm is missing"},
           {"show tree --topology hypercube:3 --algorithm sbt-reduce", "is for reduce"},
           {"show tree --topology hypercube:3 --algorithm esbt", "sends pieces"},
           {"show tree --topology hypercube:13 --algorithm sbt", "up to 4096 destinations"},
           {"show bounds", "--topology is missing"}}) {
    const Outcome outcome = allport(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << arguments;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << arguments;
  }
}

}  // namespace
}  // namespace allport::test
