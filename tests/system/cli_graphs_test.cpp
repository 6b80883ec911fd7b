// SPDX-License-Identifier: Apache-2.0
// These tests check how commands take graphs, and routing by tables.
#include <gmock/gmock.h>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

class CliGraphs : public Cli {
 protected:
  CliGraphs() {
    write("ring.dot",
          "graph { node [processor=false]; s; t; u; v; node [processor=true]; "
          "s--t--u--v--s; a--s b--t c--u d--v }");
    write("wide.csv", "u,v\n0,1\n1,2\n2,0\n");
  }
};

TEST_F(CliGraphs, RunOnFlitsAndOnWormsAlike) {
  const std::string run =
      "run --topology graph:ring.dot --pattern uniform --rate 0.1 --cycles 2000 --json - --model ";
  EXPECT_EQ(json(run + "systemc")["digest"], json(run + "worm")["digest"]);
  EXPECT_EQ(json(run + "worm")["config"]["routing"], "table:updown");
}

TEST_F(CliGraphs, GoAroundMissingLinksByName) {
  const nlohmann::json whole = json("show route 0 1 --topology graph:ring.dot --json -");
  EXPECT_EQ(whole["hops"], 3);
  const std::string run =
      "run --topology graph:ring.dot --algorithm ring-allgather --json - --missing-links ";
  EXPECT_EQ(json(run + "s-t")["messages"], 12);
  EXPECT_THAT(allport(run + "s-u").err,
              HasSubstr("nodes s and u of graph:ring.dot are not neighbours"));
  EXPECT_THAT(allport(run + "s-w").err,
              HasSubstr("'s-w' does not name two nodes; its nodes are s, t, .. of ring.dot"));
  EXPECT_THAT(
      allport("run --topology graph:wide.csv --algorithm separate --missing-links 0-1,1-2").err,
      HasSubstr("so they are cut off"));
  EXPECT_EQ(allport("run --topology mesh:3x3 --routing table:updown --pattern uniform --rate 0.1 "
                    "--cycles 500 --missing-links 0-1")
                .status,
            0);
  EXPECT_THAT(allport("run --topology mesh:3x3 --pattern uniform --rate 0.1 --cycles 500 "
                      "--missing-links 0-1")
                  .err,
              HasSubstr("exclude each other"));
  EXPECT_THAT(allport("run --topology mesh:3x3 --algorithm separate --missing-links a-b").err,
              HasSubstr("'a-b' must be two nodes, as in 0-1 or '0>1'"));
}

TEST_F(CliGraphs, AreRefusedWhereAShapeIsNeeded) {
  const auto fault = [&](const std::string& words) {
    const Outcome outcome = allport("run --topology graph:ring.dot " + words);
    EXPECT_EQ(outcome.status, 2) << words;
    return outcome.err;
  };
  EXPECT_THAT(fault("--algorithm separate --report page.html"),
              HasSubstr("graph:ring.dot has no coordinates"));
  EXPECT_FALSE(exists("page.html"));
  EXPECT_THAT(fault("--algorithm separate --group box:2x2"),
              HasSubstr("has no dimensions; a group is a list of nodes"));
  EXPECT_THAT(fault("--algorithm separate --preset ncube2"),
              HasSubstr("add --routing table:updown"));
  EXPECT_THAT(fault("--algorithm tree"), HasSubstr("algorithm tree is for"));
  EXPECT_THAT(fault("--algorithm separate --link-width 2 --model worm"),
              HasSubstr("as wide as a flit only"));
  EXPECT_THAT(fault("--algorithm separate --ties negative"), HasSubstr("has ways of its own"));
  EXPECT_THAT(fault("--algorithm separate --routing table:"), HasSubstr("routing"));
  EXPECT_THAT(fault("--algorithm separate --routing table"), HasSubstr("routing"));
}

TEST_F(CliGraphs, AreReadOrRefusedBeforeAnythingIsRun) {
  EXPECT_THAT(allport("run --topology graph:nowhere.dot --algorithm separate").err,
              HasSubstr("graph: the file nowhere.dot cannot be read: No such file or directory"));
  write("loop.csv", "0,1\n1,1\n");
  EXPECT_THAT(allport("run --topology graph:loop.csv --algorithm separate").err,
              HasSubstr("loop.csv:2: edge 1 - 1 is a loop"));
  write("wide.nodes.csv", "node,ports\n0,1\n1,\n2,\n");
  EXPECT_THAT(
      allport("run --topology graph:wide.csv --algorithm separate").err,
      HasSubstr("node 0 has ports 1; the nodes of a fabric have one number of internal ports"));
}

}  // namespace
}  // namespace allport::test
