// SPDX-License-Identifier: Apache-2.0
// These tests check fabrics of which nodes are missing: what is left is a graph, on which all runs
// that runs on graphs.
#include <gmock/gmock.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class CliMissingNodes : public Cli {
 protected:
  CliMissingNodes() {
    // The mesh of 3 x 3 without its middle.
    write("rim.csv",
          "u,v,from_port,to_port\n0,1,0,1\n1,2,0,1\n0,3,2,3\n2,5,2,3\n3,6,2,3\n5,8,2,3\n"
          "6,7,0,1\n7,8,0,1\n");
    write("tree.dot",
          "graph { node [processor=false]; s; t; r; node [processor=true]; "
          "s--r t--r s--t a--s b--s c--t d--t }");
  }

  // What is said of arguments that are refused.
  std::string fault_of(const std::string& arguments) {
    const Outcome outcome = allport(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.out;
    EXPECT_EQ(outcome.out, "") << arguments;
    return outcome.err;
  }
};

const std::string rim = "--topology mesh:3x3 --missing-nodes 4 ";

TEST_F(CliMissingNodes, LeaveTheGraphOfTheOthers) {
  for (const std::string work :
       {"--pattern uniform --rate 0.2 --cycles 900", "--algorithm direct-alltoall",
        "--algorithm tree --source 5", "--algorithm ring-allreduce --ts 9",
        "--algorithm synthesized-allgather", "--algorithm join-allreduce --source 7"}) {
    for (const std::string model : {"systemc", "worm"}) {
      Json left = json("run --json - --model " + model + " " + rim + work);
      Json by_place = Json::object();  // as the graph of the file numbers them
      for (const auto& [node, latency] : left["latency"]["by_destination"].items()) {
        const int number = std::stoi(node);
        by_place[std::to_string(number > 4 ? number - 1 : number)] = latency;
      }
      left["latency"]["by_destination"] = by_place;
      const Json drawn =
          json("run --json - --model " + model + " --topology graph:rim.csv " + work);
      for (const char* key : {"digest", "cycles", "messages", "flit_hops", "latency"}) {
        EXPECT_EQ(left[key], drawn[key]) << work << " on " << model << ": " << key;
      }
    }
  }
}

TEST_F(CliMissingNodes, AreToldByTheirNames) {
  const std::string run = "run --algorithm separate " + rim;
  const Json config = Json::parse(allport(run + "--json -").out)["config"];
  EXPECT_EQ(config["topology"], "mesh:3x3");
  EXPECT_EQ(config["missing_nodes"], Json::array({"4"}));
  EXPECT_EQ(config["routing"], "table:updown");
  EXPECT_EQ(config["graph"]["routers"], 8);
  EXPECT_EQ(config["graph"]["channels"], 16);
  EXPECT_THAT(allport(run + "--source 8").out, HasSubstr("separate from 8 to 7 destinations"));
  EXPECT_THAT(allport(run).out, HasSubstr("mesh:3x3 without node 4: 8 nodes, table:updown "));
  const std::string shown = allport("show fabric --topology mesh:3x3 --missing-nodes 3,2,0,1").out;
  EXPECT_THAT(shown, HasSubstr("mesh:3x3 without 4 nodes: 5 nodes"));
  EXPECT_THAT(allport("show fabric " + rim).out,
              HasSubstr("\nnode 5 (router_4 in waves)  port 2 to 8; port 3 to 2"));
  EXPECT_THAT(allport("show fabric --topology mesh:3x3 --missing-nodes 8,0").out,
              HasSubstr("mesh:3x3 without nodes 0 and 8: 7 nodes"));
  EXPECT_THAT(allport("show fabric " + rim + "--dot -").out,
              HasSubstr("\"5\" [shape=box, pos=\"2,1!\"]"));
  EXPECT_THAT(allport("show route 3 5 " + rim).out, HasSubstr("3"));
  EXPECT_EQ(Json::parse(allport("show route 3 5 --json - " + rim).out)["hops"], 4);
}

TEST_F(CliMissingNodes, OptionsNameTheNodesAsTheWholeFabricDoes) {
  const auto digest = [&](const std::string& words) {
    return json("run --algorithm separate --json - " + words)["digest"];
  };
  EXPECT_EQ(digest(rim + "--source 8 --destinations 0,5"),
            digest("--topology graph:rim.csv --source 8 --destinations 0,5"));
  EXPECT_EQ(digest("--source 8 " + rim), digest(rim + "--source 8"));
  EXPECT_THAT(
      fault_of("run --algorithm separate --source 4 " + rim),
      HasSubstr("--source: '4' is not a node of mesh:3x3 without node 4, for it is missing: "
                "its nodes are 0, 1, ..\n"));
  EXPECT_THAT(fault_of("run --algorithm separate --source 9 " + rim),
              HasSubstr("'9' is not a node of mesh:3x3 without node 4: its nodes are 0, 1, ..\n"));
}

TEST_F(CliMissingNodes, AreDrawnBySeed) {
  const auto missing = [&](const std::string& words) {
    return json("run --topology torus:4x4 --algorithm separate --json - " +
                words)["config"]["missing_nodes"];
  };
  const Json drawn = missing("--missing-nodes random:3");
  EXPECT_EQ(drawn.size(), 3U);
  EXPECT_EQ(drawn, missing("--seed 1 --missing-nodes random:3"));
  EXPECT_EQ(drawn, missing("--missing-nodes random:3:1 --seed 5"));
  std::set<Json> all;
  for (const char* seed : {"1", "2", "3", "4"}) {
    all.insert(missing(std::string("--missing-nodes random:3 --seed ") + seed));
  }
  EXPECT_GT(all.size(), 1U);
  // A path loses its ends only.
  EXPECT_EQ(json("run --topology mesh:5 --algorithm separate --json - "
                 "--missing-nodes random:3")["config"]["graph"]["routers"],
            2);
  EXPECT_THAT(fault_of("run --topology mesh:5 --algorithm separate --missing-nodes random:4"),
              HasSubstr("--missing-nodes: random:4: mesh:5 falls apart, or has fewer than 2 nodes, "
                        "without more than 3 of its 5 nodes in this order"));
}

TEST_F(CliMissingNodes, HaveBinaryNumbersOnHypercubes) {
  const std::string run = "run --topology hypercube:3 --missing-nodes 0b111 --algorithm separate ";
  EXPECT_EQ(json(run + "--json - --source 0b101 --destinations 0b110")["digest"],
            json(run + "--json - --source 5 --destinations 6")["digest"]);
  EXPECT_THAT(fault_of(run + "--source 0b111"), HasSubstr("'0b111' is not a node of"));
  EXPECT_THAT(fault_of("run " + rim + "--algorithm separate --source 0b9"),
              HasSubstr("'0b9' is not a node of"));
}

TEST_F(CliMissingNodes, AreReadFromAFileOrStdin) {
  write("gone", "2\n\n0, 1\n");
  const std::string show = "show fabric --topology mesh:3x3 --missing-nodes ";
  const std::string listed = allport(show + "2,0,1").out;
  EXPECT_THAT(listed, HasSubstr("without nodes 0, 1 and 2"));
  EXPECT_EQ(allport(show + "gone").out, listed);
  EXPECT_EQ(allport(show + "-", "2 0 1\n").out, listed);
  write("gone", "4\n9\n");
  EXPECT_THAT(fault_of(show + "gone"), HasSubstr("--missing-nodes: gone:2: node 9"));
  write("gone", "4\n4\n");
  EXPECT_THAT(fault_of(show + "gone"), HasSubstr("gone:2: node 4 is named twice"));
  write("gone", "4\nx\n");
  EXPECT_THAT(fault_of(show + "gone"),
              HasSubstr("gone:2: 'x' is not a node of mesh:3x3: give its number, 0..8"));
  write("gone", "\n");
  EXPECT_THAT(fault_of(show + "gone"), HasSubstr("the file gone names no node"));
  EXPECT_THAT(fault_of(show + "nowhere"),
              HasSubstr("the file nowhere cannot be read: No such file or directory; give nodes of "
                        "mesh:3x3, random:N[:SEED], random-cut:N[:SEED], or a file of nodes"));
  write("names", "# a leaf and its switch\nr\n d \n");
  EXPECT_THAT(allport("show fabric --topology graph:tree.dot --missing-nodes names").out,
              HasSubstr("graph:tree.dot without nodes d and r: 3 nodes, 2 switches"));
  EXPECT_THAT(fault_of("network " + rim.substr(0, 20) + "--missing-nodes -"),
              HasSubstr("it is stdin, from which the commands are read"));
}

TEST_F(CliMissingNodes, AreSwitchesToo) {
  const std::string run = "run --topology graph:tree.dot --algorithm direct-alltoall --json - ";
  EXPECT_EQ(json(run + "--missing-nodes r")["config"]["missing_nodes"], Json::array({"r"}));
  EXPECT_EQ(json(run + "--missing-nodes r")["digest"], json(run)["digest"]);
  EXPECT_EQ(json(run + "--missing-nodes d")["messages"], 6);
  EXPECT_THAT(fault_of(run + "--missing-nodes t"),
              HasSubstr("--missing-nodes: node c of graph:tree.dot has no link to a node that is "
                        "left; name it as well, or run on what is connected (--replan)\n"));
}

TEST_F(CliMissingNodes, AreRefusedWhereTooLittleIsLeft) {
  const std::string run = "run --algorithm separate --topology ";
  for (
      const auto& [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
          {"mesh:2x2 --missing-nodes 1,2",
           "--missing-nodes: node 0 of mesh:2x2 has no link to a node that is left; name it as well, or run on what is connected (--replan)"},
          {"mesh:2x2 --missing-nodes 0,1,2",
           "--missing-nodes: they leave 1 node of mesh:2x2 with a processor, and a run needs 2 or more"},
          {"mesh:2x2 --missing-nodes 1,1", "--missing-nodes: node 1 is named twice"},
          {"mesh:2x2 --missing-nodes 4", "--missing-nodes: node 4"},
          {"mesh:2x2 --missing-nodes random:4",
           "--missing-nodes: '4' is not a whole number in 0..3"},
          {"mesh:64x128 --missing-nodes random:2",
           "random:2: nodes are drawn of fabrics of at most 4096 routers, and mesh:64x128 has 8192"},
          {"ring:8 --missing-nodes 0,4", "cut off; --replan runs on what is connected"},
          {"mesh:3x3 --missing-nodes 4 --missing-links 1-4",
           "'1-4' has no link, for node 4 is missing"}}) {
    EXPECT_THAT(fault_of(run + arguments), HasSubstr(sentence)) << arguments;
  }
  EXPECT_THAT(fault_of("run --algorithm separate --missing-nodes 1"),
              HasSubstr("--missing-nodes: --topology is missing: give hypercube:N"));
}

TEST_F(CliMissingNodes, AreRefusedWhereTheShapeIsNeeded) {
  for (
      const auto& [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
          {"--routing dimension-ordered --algorithm separate",
           "routing dimension-ordered: mesh:3x3 without node 4 has no dimensions; it takes "
           "table:updown, table:shortest or a file"},
          {"--routing table:dimension --algorithm separate",
           "routing table:dimension: mesh:3x3 without node 4 has no dimensions"},
          {"--pattern transpose --rate 0.1 --cycles 99", "transpose"},
          {"--algorithm separate --group box:2x1",
           "--group box:2x1: mesh:3x3 without node 4 has no dimensions; a group is a list of nodes"},
          {"--algorithm ring-allgather --place snake",
           "--place snake: mesh:3x3 without node 4 has no shape to go along; give --place identity"},
          {"--algorithm separate --link-delay 0,1", "mesh:3x3 without node 4"}}) {
    EXPECT_THAT(fault_of("run " + rim + arguments), HasSubstr(sentence)) << arguments;
  }
}

TEST_F(CliMissingNodes, AreOfAllCommandsThatHaveAFabric) {
  EXPECT_EQ(json("run --json - " + rim +
                 "--pattern uniform --outstanding 2 --cycles 200 ")["config"]["missing_nodes"],
            Json::array({"4"}));
  write("flows.csv", "0,7,0.4,8\n3,1,0.1,2\n");
  EXPECT_EQ(allport("run " + rim + "--flows flows.csv --cycles 200").status, 0);
  write("flows.csv", "0,4,0.4,8\n");
  EXPECT_THAT(fault_of("run " + rim + "--flows flows.csv --cycles 200"),
              HasSubstr("there is no node 4 in mesh:3x3 without node 4"));
  write(
      "tasks.jsonl",
      "{\"node\":0,\"send\":true,\"to\":7,\"flits\":8}\n{\"node\":7,\"receive\":true,\"from\":0}\n");
  EXPECT_EQ(allport("run " + rim + "--tasks tasks.jsonl").status, 0);
  const std::string plan = allport("schedule " + rim + "--algorithm separate").out;
  write("plan.jsonl", plan);
  EXPECT_EQ(json("run --json - " + rim + "--schedule plan.jsonl")["digest"],
            json("run --json - " + rim + "--algorithm separate")["digest"]);
  EXPECT_THAT(allport("check plan.jsonl --topology mesh:3x3 --missing-nodes 4").out,
              HasSubstr("on mesh:3x3 without node 4"));
  EXPECT_THAT(allport("compare --collective allreduce " + rim).out, HasSubstr("ring-allreduce"));
  const std::string several =
      allport("compare --collective bcast --topology 'mesh:3x3;torus:3x3' --missing-nodes 4").out;
  EXPECT_THAT(several, HasSubstr("torus:3x3 without node 4"));
  EXPECT_THAT(allport("explain " + rim + "--algorithm separate --model systemc").out,
              HasSubstr("mesh:3x3 without node 4"));
  EXPECT_THAT(allport("show routes " + rim).out, HasSubstr("56 pairs on mesh:3x3 without node 4"));
  EXPECT_EQ(allport("program message --forward network " + rim).status, 0);
  const Outcome driven = allport("network " + rim, "send 0 7 16\nadvance 100\n");
  EXPECT_EQ(driven.status, 0) << driven.err;
  EXPECT_THAT(driven.out, HasSubstr("7"));
  EXPECT_EQ(allport("run " + rim + "--algorithm separate --report page.html").status, 0);
  EXPECT_THAT(content("page.html"), HasSubstr("mesh:3x3 without node 4"));
}

TEST_F(CliMissingNodes, MayMissLinksToo) {
  const std::string run = "run --json - --algorithm separate ";
  EXPECT_EQ(json(run + rim + "--missing-links 5-8")["config"]["missing_links"].size(), 2U);
  EXPECT_THAT(fault_of(run + rim + "--missing-links 4-5"),
              HasSubstr("'4-5' has no link, for node 4 is missing\n"));
  EXPECT_EQ(allport("run " + rim +
                    "--pattern uniform --rate 0.1 --cycles 500 "
                    "--missing-links random:1")
                .status,
            0);
}

TEST_F(CliMissingNodes, AreListsInSweepsAndScenarios) {
  EXPECT_EQ(allport("sweep --topology mesh:3x3 --algorithm separate --missing-nodes '4;0,8' "
                    "--output points")
                .status,
            0);
  EXPECT_THAT(content("points/results.csv"), HasSubstr("\n4,"));
  write("run.toml",
        "[fabric]\nmissing_nodes = [0, 8]\ntopology = 'mesh:3x3'\n[traffic]\n"
        "algorithm = 'separate'\nsource = 5\n");
  EXPECT_EQ(json("run run.toml --json -")["config"]["missing_nodes"], Json::array({"0", "8"}));
  EXPECT_EQ(json("run run.toml --missing-nodes 4 --json -")["config"]["missing_nodes"],
            Json::array({"4"}));
  EXPECT_EQ(json("run run.toml --topology hypercube:4 --json -")["config"]["missing_nodes"],
            Json::array({"0", "8"}));
}

TEST_F(CliMissingNodes, ListsInScenariosAndGridsAreTakenOrRefused) {
  const auto scenario = [&](const std::string& missing) {
    write("run.toml",
          "[fabric]\ntopology = 'mesh:3x3'\n" + missing + "\n[traffic]\nalgorithm = 'separate'\n");
  };
  scenario("missing_links = ['0-1', '4>5']");
  EXPECT_EQ(json("run run.toml --json -")["config"]["missing_links"],
            Json::parse("[[0,1],[1,0],[4,5]]"));
  scenario("missing_links = ['0-1']\nmissing_nodes = [8]");
  const Json both = json("run run.toml --json -")["config"];
  EXPECT_EQ(both["missing_links"], Json::parse("[[0,1],[1,0]]"));
  EXPECT_EQ(both["missing_nodes"], Json::array({"8"}));
  scenario("missing_links = ['random:2']");
  EXPECT_EQ(json("run run.toml --json -")["config"]["missing_links"].size(), 4U);
  for (const auto& [missing, why] : std::vector<std::pair<std::string, std::string>>{
           {"missing_links = [[0, 1], [4, 5]]",
            "missing_links takes one list of links in a scenario, as in [\"0-1\", \"4>5\"]"},
           {"missing_links = [0, 1]", "'0' must be two nodes, as in 0-1 or '0>1'"},
           {"missing_links = []", "missing_links is an empty list: leave it out"},
           {"missing_nodes = []", "missing_nodes is an empty list: leave it out"},
           {"missing_nodes = [[1], [2]]", "missing_nodes takes one list in a scenario"},
           {"missing_links = ['random:2', '0-1']",
            "missing_links has 'random:2' in a list, which draws what is missing"},
           {"missing_nodes = ['random:1', 3]",
            "missing_nodes has 'random:1' in a list, which draws what is missing"}}) {
    scenario(missing);
    EXPECT_THAT(fault_of("run run.toml"), HasSubstr("run.toml:3:")) << missing;
    EXPECT_THAT(fault_of("run run.toml"), HasSubstr(why)) << missing;
  }
  scenario("missing_links = [['0-1', '4-5'], '1-2']");
  EXPECT_EQ(allport("sweep run.toml --output points").status, 0);
  EXPECT_THAT(content("points/results.csv"), HasSubstr("\n\"0-1,4-5\","));
  EXPECT_THAT(content("points/results.csv"), HasSubstr("\n1-2,"));
}

TEST_F(CliMissingNodes, KeepTheTablesOfTheOthers) {
  const std::string table = allport("show routes --csv - " + rim).out;
  EXPECT_THAT(table, HasSubstr("\n8,inject,0,"));
  EXPECT_THAT(table, Not(HasSubstr("\n4,")));
  write("routes.csv", table);
  const std::string run = "run --algorithm direct-alltoall --json - " + rim;
  EXPECT_EQ(json(run + "--routing table:routes.csv")["digest"], json(run)["digest"]);
  const std::string whole = allport(
                                "show routes --csv - --topology mesh:3x3 "
                                "--routing table:updown")
                                .out;
  write("routes.csv", whole);
  EXPECT_THAT(fault_of(run + "--routing table:routes.csv"), HasSubstr("routes.csv:"));
}

// Routes that nobody has chosen are not there for every run: then it is said which, and why not.
TEST_F(CliMissingNodes, WhatCannotGoAroundMissingLinksSaysWhy) {
  const std::string torus = "run --topology torus:4x4 --missing-links 1-2 ";
  const std::string updown = "table:updown, which goes around missing links, is refused: ";
  for (const auto& [arguments, why] : std::vector<std::pair<std::string, std::string>>{
           {"run --topology mesh:3x3 --algorithm separate --missing-links 0-1,0-3",
            "its route crosses the missing link 0>1; " + updown +
                "routing table:updown: a message"},
           {torus + "--ties random:3 --algorithm direct-alltoall",
            updown + "ties random:3: routing table:updown has ways of its own"},
           {torus + "--vc-use balanced --vcs 4 --algorithm dims-allreduce",
            updown + "--vc-use balanced: routing table:updown"},
           {torus + "--vc-use balanced --vcs 4 --pattern uniform --rate 0.1 --cycles 200",
            "links are missing; " + updown + "--vc-use balanced: routing table:updown"}}) {
    EXPECT_THAT(fault_of(arguments), HasSubstr(why)) << arguments;
  }
  // What is wrong with or without links says so.
  EXPECT_THAT(fault_of(torus + "--pattern uniform --rate 0.1 --cycles 200 --flits 0"),
              testing::Not(HasSubstr("table:updown")));
}

}  // namespace
}  // namespace allport::test
