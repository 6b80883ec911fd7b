// SPDX-License-Identifier: Apache-2.0
// These tests check how commands take graphs, and routing by tables.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/cli_program.h"
#include "tests/support/csv_cells.h"
#include "tests/support/draw.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

class CliGraphs : public Cli {
 protected:
  CliGraphs() {
    write("ring.dot",
          "graph { node [processor=false]; s; t; u; v; node [processor=true]; "
          "s--t--u--v--s; a--s b--t c--u d--v }");
    write("tri.dot", "digraph { a->b; b->c; c->a }");
    write("wide.csv", "u,v\n0,1\n1,2\n2,0\n");
  }
};

TEST_F(CliGraphs, RunOnFlitsAndOnWormsAlike) {
  const std::string run =
      "run --topology graph:ring.dot --pattern uniform --rate 0.1 --cycles 2000 --json - --model ";
  EXPECT_EQ(json(run + "systemc")["digest"], json(run + "worm")["digest"]);
  EXPECT_EQ(json(run + "worm")["config"]["routing"], "table:updown");
}

TEST_F(CliGraphs, CarryOutTreesAndJoins) {
  const std::string tree = "run --topology graph:ring.dot --algorithm tree --json - --model ";
  EXPECT_EQ(json(tree + "systemc")["digest"], json(tree + "worm")["digest"]);
  EXPECT_EQ(json(tree + "worm --missing-links s-t")["latency"]["max"], 16 + 5);
  EXPECT_THAT(allport("show tree --topology graph:ring.dot --algorithm tree").out,
              testing::StartsWith("a\n"));
  EXPECT_THAT(allport("explain --topology graph:ring.dot --algorithm tree --model systemc").out,
              HasSubstr("tree"));
  const nlohmann::json join =
      json("run --topology graph:wide.csv --algorithm join-allreduce --source 1 --json -");
  EXPECT_EQ(join["latency"]["max"], 2 + 2 + 16);
  EXPECT_THAT(allport("run --topology graph:wide.csv --algorithm join-allreduce --source 1").out,
              HasSubstr("\ntheory      max 20 cycles"));
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
      HasSubstr("cut off; --replan runs on what is connected"));
  EXPECT_EQ(allport("run --topology mesh:3x3 --routing table:updown --pattern uniform --rate 0.1 "
                    "--cycles 500 --missing-links 0-1")
                .status,
            0);
  const std::string pattern =
      "run --topology mesh:3x3 --pattern uniform --rate 0.1 --cycles 500 --missing-links 0-1 ";
  EXPECT_THAT(allport(pattern + "--routing dimension-ordered").err,
              HasSubstr("exclude each other"));
  EXPECT_THAT(allport(pattern).out,
              HasSubstr("\nrouting     table:updown, because links are missing and "
                        "dimension-ordered routes do not go around them\n"));
  const std::string by_default = pattern + "--json - ";
  EXPECT_EQ(json(by_default)["digest"], json(by_default + "--routing table:updown")["digest"]);
  EXPECT_EQ(json(by_default)["config"], json(by_default + "--routing table:updown")["config"]);
  EXPECT_THAT(allport("run --topology mesh:3x3 --algorithm separate --missing-links a-b").err,
              HasSubstr("'a-b' must be two nodes, as in 0-1 or '0>1'"));
}

// A flit of four bytes takes four cycles over the link of one: two pairs each way let a node send
// a flit to each of the two others in eight cycles.
TEST_F(CliGraphs, ShowRoutesCountsNarrowLinks) {
  write("two.csv", "u,v,delay,width\na,b,0,1\nb,c,0,4\n");
  const std::string text = allport("show routes --topology graph:two.csv").out;
  EXPECT_THAT(
      text,
      HasSubstr(
          "1.000 cross on channel a -> b (port 0), 4 cycles a flit; the channels carry up to 0.250"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "of a permutation cross channel a -> b (port 0), 4 cycles a flit: it carries 0.250"));
  EXPECT_THAT(text, HasSubstr("channel b -> c (port 1) (2 pairs)\n"));
  const std::string wide = allport("show routes --topology graph:two.csv --flit-bytes 1").out;
  EXPECT_THAT(wide, HasSubstr("the channels carry up to 1.000"));
  const auto at = [&](const char* rate) {
    return json(
        std::string(
            "run --topology graph:two.csv --pattern uniform --cycles 20000 --json - --rate ") +
        rate)["traffic"]["saturated"];
  };
  EXPECT_EQ(at("0.2"), false);
  EXPECT_EQ(at("0.3"), true);
}

TEST_F(CliGraphs, SeveralAtOnceAreForCompare) {
  write("two.csv", "a,b\n");
  const Outcome outcome = allport("run --topology 'graph:two.csv;ring:3' --algorithm separate");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err,
              HasSubstr("several fabrics, with semicolons, are for `allport compare`"));
}

TEST_F(CliGraphs, AreRefusedWhereAShapeIsNeeded) {
  const auto fault = [&](const std::string& words) {
    const Outcome outcome = allport("run --topology graph:ring.dot " + words);
    EXPECT_EQ(outcome.status, 2) << words;
    return outcome.err;
  };
  EXPECT_THAT(fault("--algorithm separate --group box:2x2"),
              HasSubstr("has no dimensions; a group is a list of nodes"));
  EXPECT_THAT(fault("--algorithm separate --preset ncube2"),
              HasSubstr("add --routing table:updown"));
  EXPECT_THAT(fault("--algorithm tree --routing table:shortest --vcs 8"),
              HasSubstr("of the tables, table:updown has trees and joins"));
  EXPECT_THAT(fault("--algorithm separate --ties negative"), HasSubstr("has ways of its own"));
  EXPECT_THAT(fault("--algorithm separate --routing table:"), HasSubstr("routing"));
  EXPECT_THAT(fault("--algorithm separate --routing table"), HasSubstr("routing"));
}

TEST_F(CliGraphs, CombineJoinsInSwitches) {
  write("pods.dot",
        "graph { top [processor=false] left [processor=false] right [processor=false] "
        "a--left b--left c--right d--right left--top right--top }");
  for (const char* model : {"systemc", "worm"}) {
    const Outcome outcome =
        allport(std::string("run --topology graph:pods.dot --algorithm join-allreduce --source a "
                            "--routing table:updown:top --combine-delay 1 --buffer-depth 8 "
                            "--model ") +
                model);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("latency     max 28 cycles"));
    EXPECT_THAT(outcome.out, HasSubstr("theory      max 28 cycles"));
    EXPECT_THAT(outcome.out, HasSubstr("contention  none"));
  }
  const Outcome beside = allport(
      "run --topology graph:pods.dot --algorithm join-reduce --routing table:updown:top "
      "--pattern uniform --rate 0.1 --cycles 100");
  EXPECT_EQ(beside.status, 2);
  const Outcome refused = allport(
      "run --topology graph:pods.dot --algorithm join-reduce --routing table:shortest --vcs 8");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("of the tables, table:updown has trees and joins"));
}

TEST_F(CliGraphs, HaveNoTreesNorPortsOfNodesInRtl) {
  const std::string end = "; the models systemc and worm take trees and joins by a table\n";
  write("own.dot", "graph { a--b b--c c--a a [ports=1] }");
  write("tree.jsonl", "{\"u\":0,\"v\":null,\"step\":1,\"order\":0,\"kind\":\"tree\"}\n");
  write("join.toml",
        "[fabric]\ntopology = 'mesh:3x3'\nrouting = 'table:updown'\n[traffic]\n"
        "algorithm = 'join-reduce'\n");
  for (const auto& [command, model] :
       std::vector<std::pair<std::string, std::string>>{{"run --model rtl ", "--model rtl"},
                                                        {"explain --model rtl ", "--model rtl"},
                                                        {"cosim ", "cosim"}}) {
    const std::string refused =
        "allport: " + model +
        ": routers in RTL that follow a table take unicasts and deposits, and this run has ";
    const std::string cube = command + "--topology hypercube:3 --routing table:updown ";
    for (const std::string& arguments :
         {command + "--topology graph:ring.dot --algorithm tree", cube + "--algorithm tree",
          cube + "--algorithm join-allreduce", cube + "--schedule tree.jsonl",
          command + "join.toml"}) {
      const Outcome outcome = allport(arguments);
      EXPECT_EQ(outcome.status, 2) << arguments;
      EXPECT_EQ(outcome.err, refused + "trees or joins" + end) << arguments;
    }
    EXPECT_EQ(allport(cube + "--algorithm separate --join-vcs 2").err,
              refused + "--join-vcs 2" + end);
    EXPECT_THAT(allport(command + "--topology graph:own.dot --algorithm separate").err,
                HasSubstr(model + ": routers in RTL have one number of internal ports"));
  }
}

// By night of 10,000 nodes, whose table has 10^8 entries by layer and as many by injection.
TEST_F(CliGraphs, OfThousandsOfNodesArePlannedAndRunInFourGigabytes) {
  const RandomCases cases(500);
  const auto nodes = static_cast<int>(cases.end - cases.first);
  Draw draw(cases.first);
  std::set<std::pair<int, int>> links;
  for (int u = 0; u + 1 < nodes; ++u) links.emplace(u, u + 1);
  links.emplace(0, nodes - 1);
  for (int u = 0; u < nodes; ++u) {
    const int v = draw.below(nodes);
    if (u != v) links.emplace(std::min(u, v), std::max(u, v));
  }
  std::string edges;
  for (const auto& [u, v] : links) edges += std::to_string(u) + "," + std::to_string(v) + "\n";
  write("many.csv", edges);
  const Outcome run = shell(memory_limit(4194304) +
                            "exec \"$program\" run --topology graph:many.csv --pattern uniform "
                            "--rate 0.004 --flits 8 --cycles 200 --model worm --json -");
  ASSERT_EQ(run.status, 0) << run.err;
  const nlohmann::json results = nlohmann::json::parse(run.out);
  EXPECT_EQ(results["config"]["graph"]["routers"], nodes);
  EXPECT_EQ(results["config"]["routing"], "table:updown");
  EXPECT_GT(results["messages"], nodes / 20);
}

TEST_F(CliGraphs, AreReadOrRefusedBeforeAnythingIsRun) {
  EXPECT_THAT(allport("run --topology graph:nowhere.dot --algorithm separate").err,
              HasSubstr("graph: the file nowhere.dot cannot be read: No such file or directory"));
  write("loop.csv", "0,1\n1,1\n");
  EXPECT_THAT(allport("run --topology graph:loop.csv --algorithm separate").err,
              HasSubstr("loop.csv:2: edge 1 - 1 is a loop"));
}

// Node 0 sends both of its messages by one port, one after the other; the others have two.
TEST_F(CliGraphs, HaveNodesWithInternalPortsOfTheirOwn) {
  const std::string run =
      "run --topology graph:wide.csv --algorithm separate --no-static --json - ";
  const auto latency = [&](const std::string& words) {
    const nlohmann::json on_flits = json(run + words);
    const nlohmann::json on_worms = json(run + "--model worm " + words);
    EXPECT_EQ(on_worms["digest"], on_flits["digest"]) << words;
    return on_flits["latency"]["max"];
  };
  EXPECT_EQ(latency("--source 0"), 1 + 16);
  EXPECT_EQ(latency("--source 0 --ports 1"), 1 + 16 + 16);

  write("wide.nodes.csv", "node,ports\n0,1\n1,all\n2,\n");
  EXPECT_EQ(latency("--source 0"), 1 + 16 + 16);
  EXPECT_EQ(latency("--source 1"), 1 + 16);
  EXPECT_EQ(latency("--source 2"), 1 + 16);
  EXPECT_EQ(latency("--source 1 --ports 1"), 1 + 16);
  EXPECT_EQ(latency("--source 2 --ports 1"), 1 + 16 + 16);
  EXPECT_EQ(json(run)["config"]["ports"], 2) << "those of a node that has none of its own";
  EXPECT_EQ(json(run + "--ports 1")["config"]["ports"], 1);
  EXPECT_THAT(allport("run --topology graph:wide.csv --algorithm separate").out,
              HasSubstr(", 1..2 internal ports, "));
  EXPECT_EQ(json("show fabric --topology graph:wide.csv --json -")["routers"][0]["internal_ports"],
            1);
}

// By one port the two blocks of node 0 need twice as long.
TEST_F(CliGraphs, CountTheInternalPortsOfANodeInBoundsAndProofs) {
  const std::string bounds = "show bounds --topology graph:wide.csv --flits 16 --json -";
  EXPECT_EQ(json(bounds)["bounds"]["alltoall"]["cycles"], 1 + 16);
  write("wide.nodes.csv", "node,ports\n0,1\n1,\n2,\n");
  EXPECT_EQ(json(bounds)["bounds"]["alltoall"]["cycles"], 1 + 2 * 16);
  const std::string alltoall = "--topology graph:wide.csv --algorithm direct-alltoall --json -";
  const nlohmann::json run = json("run " + alltoall);
  EXPECT_LE(run["bound"]["cycles"], run["latency"]["max"]);
  EXPECT_EQ(run["contention"]["events"], 0);
  write("two.jsonl",
        "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n"
        "{\"u\":0,\"v\":2,\"step\":1,\"order\":1}\n");
  EXPECT_THAT(allport("check two.jsonl --topology graph:wide.csv").out,
              HasSubstr("node 0 sends on injection port 0 twice in step 1"));
}

// What is checked and what stops call nodes by the names that the file has.
TEST_F(CliGraphs, CheckAndDeadlockNameNodes) {
  write("star.dot",
        "graph { sw [processor=false]; alpha -- sw; beta -- sw; gamma -- sw; delta -- sw }");
  std::string lines;
  for (const char* one : {"0,\"v\":0,\"order\":0", "1,\"v\":0,\"order\":1", "0,\"v\":1,\"order\":1",
                          "1,\"v\":1,\"order\":0"}) {
    lines += std::string("{\"u\":") + one + ",\"step\":1,\"kind\":\"join\"}\n";
  }
  write("crossed.jsonl", lines);
  const std::string on = " --topology graph:star.dot";
  const std::string checked = allport("check crossed.jsonl" + on).out;
  EXPECT_THAT(checked, HasSubstr("node alpha sends on injection port 0 twice in step 1: to alpha "
                                 "and to beta"));
  EXPECT_THAT(checked, HasSubstr("join alpha -> alpha (step 1) and join alpha -> beta (step 1) may "
                                 "meet on channel"));
  EXPECT_THAT(checked, HasSubstr("join to alpha (tag 0): node gamma does not contribute"));
  EXPECT_THAT(checked, testing::Not(HasSubstr("node 0")));
  EXPECT_THAT(allport("run --schedule crossed.jsonl --flits 4" + on).out,
              HasSubstr("held by join to beta (tag 0)"));
  write("twice.jsonl",
        "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n{\"u\":2,\"v\":1,\"step\":1,\"order\":0}\n");
  const std::string twice = allport("check twice.jsonl" + on).out;
  EXPECT_THAT(twice, HasSubstr("node beta"));
  EXPECT_THAT(twice, testing::Not(HasSubstr("node 1")));
}

TEST_F(CliGraphs, RefuseInternalPortsThatANodeCannotHave) {
  const auto refused = [&](const std::string& nodes) {
    write("wide.nodes.csv", nodes);
    const Outcome outcome = allport("run --topology graph:wide.csv --algorithm separate");
    EXPECT_EQ(outcome.status, 2) << nodes;
    return outcome.err;
  };
  EXPECT_THAT(refused("node,ports\n0,3\n1,\n2,\n"),
              HasSubstr("wide.nodes.csv:2: node 0 has ports 3, its internal ports; they must be "
                        "1..2, as many as its external ones at most"));
  EXPECT_THAT(refused("node,ports,processor\n0,,\n1,,\n2,1,false\n"),
              HasSubstr("wide.nodes.csv:4: node 2 has ports 1, which are internal ports, and a "
                        "switch has none"));
  EXPECT_THAT(refused("node,ports\n0,0\n1,\n2,\n"),
              HasSubstr("wide.nodes.csv:2: ports '0': must be a whole number in 1..63"));
  EXPECT_THAT(refused("node,ports\n0,some\n1,\n2,\n"),
              HasSubstr("wide.nodes.csv:2: ports 'some': must be all or 1..63"));
  write("three.dot", "graph { a -- b; b -- c [ports=9]; c -- a; b [ports=3] }");
  EXPECT_THAT(allport("run --topology graph:three.dot --algorithm separate").err,
              HasSubstr("three.dot:1: node b has ports 3"));
}

TEST_F(CliGraphs, AreReadFromStdinUnderAnyName) {
  const std::string ring = "graph { 0--1 1--2 2--0 }";
  for (const char* const name : {"-", "/dev/stdin"}) {
    const Outcome outcome = allport(std::string("show fabric --topology graph:") + name, ring);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(": 3 nodes, 6 channels"));
  }
  EXPECT_EQ(allport("run --topology graph:- --algorithm ring-allgather", "0,1\n1,2\n2,0\n").status,
            0);
  EXPECT_THAT(allport("run --topology graph:- --algorithm separate", "0,1\n1\n").err,
              HasSubstr("stdin:2: 1 cell, but a line is u,v,delay,width"));
  const std::string table = allport("show routes --topology graph:wide.csv --csv -").out;
  const std::string run = "run --topology graph:wide.csv --algorithm separate --routing table:- ";
  EXPECT_EQ(allport(run, table).status, 0);
  EXPECT_THAT(allport(run, "0,inject\n").err, HasSubstr("stdin:1: 2 cells, but a line is node,"));
  EXPECT_EQ(allport("run --topology mesh:3x3 --routing table:updown --pattern uniform --rate 0.1 "
                    "--cycles 500 --missing-links -",
                    "0-1\n")
                .status,
            0);
  EXPECT_THAT(allport("run --topology graph:- --routing table:- --algorithm separate", ring).err,
              HasSubstr("--topology and --routing are both stdin"));
  EXPECT_THAT(allport("check - --topology graph:/dev/stdin", ring).err,
              HasSubstr("both stdin, which can be read only once"));
}

TEST_F(CliGraphs, AreNotReadWhereCommandsAre) {
  for (const char* const option : {"--topology graph:-", "--topology graph:/dev/stdin",
                                   "--topology mesh:3x3 --routing table:-",
                                   "--topology mesh:3x3 --missing-links /dev/stdin"}) {
    const Outcome outcome = allport(std::string("network ") + option, "graph { a--b }");
    EXPECT_EQ(outcome.status, 2) << option;
    EXPECT_THAT(outcome.err,
                HasSubstr("it is stdin, from which the commands are read; give a file"));
  }
}

TEST_F(CliGraphs, AreNotOverwritten) {
  EXPECT_THAT(allport("run --topology graph:ring.dot --algorithm separate --json ring.dot").err,
              HasSubstr("ring.dot: that file is the graph, which this command reads"));
  write("wide.nodes.csv", "node\n0\n1\n2\n");
  EXPECT_THAT(
      allport("show routes --topology graph:wide.csv --json wide.nodes.csv").err,
      HasSubstr("wide.nodes.csv: that file is the file of nodes, which this command reads"));
}

TEST_F(CliGraphs, HaveTablesThatAreReadAgain) {
  write("odd.dot", "graph { \"ä, b\"--\"(0, 0)\"--\"#x\"--\" y\"--\"ä, b\" }");
  EXPECT_EQ(allport("show routes --topology graph:odd.dot --csv odd.table").status, 0);
  const std::string run = "run --topology graph:odd.dot --algorithm direct-alltoall --json - ";
  EXPECT_EQ(json(run + "--routing table:odd.table")["digest"], json(run)["digest"]);
}

TEST_F(CliGraphs, MayHaveAnyPortsWithoutAnOption) {
  write("far.csv", "u,v,from_port\n0,1,62\n1,2,\n");
  EXPECT_THAT(allport("run --topology graph:far.csv --algorithm separate").out,
              HasSubstr("3 nodes, table:updown routing, 1 internal port,"));
  write("near.csv", "u,v,from_port\n0,1,31\n1,2,\n");
  EXPECT_THAT(allport("run --topology graph:near.csv --algorithm separate").out,
              HasSubstr("all-port (32)"));
}

TEST_F(CliGraphs, AreDescribedSoThatTheyCanBeMadeAgain) {
  write(
      "own.dot",
      "digraph { s [processor=false, level=2]; a [x=1, y=-2.5, group=g]; a->s [delay=3, width=2]; "
      "s->a; s->b; b->s }");
  const nlohmann::json shown = json("show fabric --topology graph:own.dot --json -");
  EXPECT_EQ(shown["directed"], true);
  EXPECT_EQ(shown["routers"][0]["name"], "a");
  EXPECT_EQ(shown["routers"][0]["place"], 1);
  EXPECT_EQ(shown["routers"][0]["y"], -2.5);
  EXPECT_EQ(shown["routers"][0]["group"], "g");
  EXPECT_EQ(shown["routers"][2]["level"], 2);
  EXPECT_EQ(shown["routers"][0]["ports"][0]["own"], (nlohmann::json{{"delay", 3}, {"width", 2}}));
  EXPECT_FALSE(shown["routers"][1]["ports"][0].contains("own"));
  EXPECT_EQ(json("show fabric --topology graph:ring.dot --json -")["directed"], false);
}

TEST_F(CliGraphs, OfOneDirectionAreRoutedByShortestWays) {
  EXPECT_EQ(json("run --topology graph:tri.dot --pattern uniform --rate 0.1 --cycles 500 --json -")
                ["config"]["routing"],
            "table:shortest");
  EXPECT_EQ(allport("show bounds --topology graph:tri.dot").status, 0);
  EXPECT_THAT(allport("run --topology graph:tri.dot --routing table:updown --pattern uniform "
                      "--rate 0.1 --cycles 500")
                  .err,
              HasSubstr("though a way leads there, which table:shortest takes"));
}

TEST_F(CliGraphs, RunProgramsByTheirRoutes) {
  for (const char* program : {"load-balance", "message", "maze"}) {
    const Outcome outcome =
        allport(std::string("program ") + program + " --topology graph:ring.dot --forward network");
    EXPECT_EQ(outcome.status, 0) << program << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("table:updown routing")) << program;
  }
}

TEST_F(CliGraphs, NameTheirNodesInOptionsAndInWords) {
  const std::string run = "run --topology graph:ring.dot ";
  const auto digest = [&](const std::string& words) {
    return json(run + words + " --json -")["digest"];
  };
  EXPECT_EQ(digest("--algorithm separate --source b --destinations a,d"),
            digest("--algorithm separate --source 1 --destinations 0,3"));
  EXPECT_EQ(digest("--source b --destinations a,d --algorithm separate --group a,b,d"),
            digest("--source 1 --destinations 0,3 --algorithm separate --group 0,1,3"));
  EXPECT_THAT(allport(run + "--algorithm separate --source s").err,
              HasSubstr("source s: it is a switch of graph:ring.dot, which has no processor"));
  EXPECT_THAT(allport(run + "--algorithm separate --source x").err,
              HasSubstr("--source: 'x' is not a node of graph:ring.dot: its nodes are a, b, .. of "
                        "ring.dot, or 0..3 by number"));
  const std::string contention = allport(run + "--algorithm direct-alltoall").out;
  EXPECT_THAT(contention, testing::ContainsRegex("cycle [0-9]+: [a-d] -> [a-d] waits "));
  EXPECT_THAT(contention,
              testing::ContainsRegex("as rank [0-9] on node [a-d] and rank [0-9] on node [a-d]"));
  const std::string explained =
      allport("explain" + run.substr(3) + "--algorithm direct-alltoall").out;
  EXPECT_THAT(explained, testing::ContainsRegex("node [a-d] +[0-9]"));
  EXPECT_THAT(explained, testing::ContainsRegex("  [a-d]>[a-d]#[0-9], 16 flits"));
  EXPECT_THAT(explained, testing::Not(HasSubstr("by direction")));
  EXPECT_THAT(
      allport("explain" + run.substr(3) + "--algorithm direct-alltoall --explain 'message:a>c#1'")
          .out,
      HasSubstr("the message that was asked for"));
  EXPECT_EQ(allport(run + "--algorithm separate --wave w.vcd --wave-nodes s,b").status, 0);
  EXPECT_EQ(allport(run + "--algorithm separate --wave v.vcd --wave-nodes 4,1").status, 0);
  EXPECT_EQ(content("w.vcd"), content("v.vcd"));
}

TEST_F(CliGraphs, WithNumbersAsNamesTakeNamesOnly) {
  write("numbers.csv", "1,10\n10,20\n20,1\n");
  const std::string run = "run --topology graph:numbers.csv --algorithm separate --source ";
  EXPECT_EQ(allport(run + "10").status, 0);
  EXPECT_THAT(allport(run + "0").err,
              HasSubstr("'0' is not a node of graph:numbers.csv: its nodes are 1, 10, .. of "
                        "numbers.csv\n"));
}

TEST_F(CliGraphs, OfferAlgorithmsThatRunThere) {
  const std::string run = "run --topology graph:ring.dot --algorithm ";
  for (const char* algorithm : {"dcf", "synthesized-bcast", "multi-path"}) {
    const std::string fault = allport(run + algorithm).err;
    EXPECT_THAT(fault, HasSubstr("for it there are: ")) << algorithm;
    EXPECT_THAT(fault.substr(fault.find("there are")), testing::Not(HasSubstr("synthesized")));
    EXPECT_THAT(fault, HasSubstr(", utorus,")) << algorithm;
  }
  EXPECT_THAT(allport(run + "separate --groups dim:0").err,
              HasSubstr("graph:ring.dot has no dimensions; a group is a list of nodes"));
}

TEST_F(CliGraphs, SayWhichTablesGoAroundMissingLinks) {
  const std::string tables = "--routing table:updown or table:shortest";
  EXPECT_THAT(
      allport("run --topology mesh:3x3 --pattern uniform --rate 0.1 --cycles 500 "
              "--missing-links 0-1 --routing dimension-ordered")
          .err,
      HasSubstr("exclude each other unless routes go around missing links: give " + tables));
  for (const char* what : {"route 0 1", "routes"}) {
    const std::string show =
        std::string("show ") + what + " --topology mesh:3x3 --missing-links 0-1 --routing ";
    EXPECT_THAT(allport(show + "dimension-ordered").err, HasSubstr("give " + tables)) << what;
    EXPECT_EQ(allport(show + "table:updown").status, 0) << what;
  }
  const std::string program = "program message --topology hypercube:3 --missing-links 0-1";
  EXPECT_THAT(allport(program).out, HasSubstr("\nrouting     table:updown, because links"));
  EXPECT_THAT(allport(program + " --routing descending").err,
              HasSubstr("the ranks and --missing-links exclude each other"));
  EXPECT_EQ(allport(program + " --routing table:updown").status, 0);
  EXPECT_THAT(
      allport("run --topology graph:tri.dot --algorithm separate --missing-links random:1").err,
      HasSubstr("graph:tri.dot falls apart without any one of its 3 links"));
}

TEST_F(CliGraphs, TakeAsManyClassesAsTheirLayersLeaveRoomFor) {
  EXPECT_THAT(allport("run --topology torus:8x8 --routing table:shortest --classes 8 --pattern "
                      "uniform --rate 0.1 --cycles 500")
                  .err,
              HasSubstr("classes 8: routing table:shortest takes 3 virtual channels for each of "
                        "them, 24 in all, and a channel has at most 16"));
}

TEST_F(CliGraphs, RefuseDepositsOverSwitchesWhereverLinesAreJudged) {
  write("star.dot", "graph { hub [processor=false]; a -- hub; b -- hub; c -- hub; d -- hub }");
  write("deposit.jsonl", R"({"u":0,"v":3,"step":1,"order":0,"kind":"deposit"})");
  const std::string sentence =
      ": a deposit leaves a copy at every router of its way, and routers of graph:star.dot have no "
      "processor\n";
  for (const std::string model : {"systemc", "worm"}) {
    EXPECT_THAT(
        allport("run --topology graph:star.dot --schedule deposit.jsonl --model " + model).err,
        HasSubstr(sentence));
  }
  const Outcome judged = allport("check --topology graph:star.dot deposit.jsonl --destinations d");
  EXPECT_EQ(judged.status, 1);
  EXPECT_THAT(judged.out, HasSubstr("\nroutes_valid  fails  nodes and ways exist: 1 violation\n"));
  EXPECT_THAT(judged.out, HasSubstr(sentence));
}

// The way from 0 to 2 goes 0, 1, 0, 1, 2: the channel 0 -> 1 carries each flit twice.
TEST_F(CliGraphs, HaveTheSameCyclesOnWormsWhereAWayCrossesAChannelTwice) {
  write("about.csv",
        "0,inject,1,0,0\n0,inject,2,0,0\n1,0,2,1,1\n0,1,2,0,2\n1,2,2,0,2\n1,inject,0,1,0\n"
        "1,inject,2,0,0\n2,inject,1,1,0\n2,inject,0,1,0\n1,0,0,1,0\n");
  write("one.jsonl", R"({"u":0,"v":2,"step":1,"order":0})");
  for (const std::string what : {" --schedule one.jsonl --destinations 2",
                                 " --pattern uniform --rate 0.3 --cycles 1000 --seed 1"}) {
    const std::string run = "run --topology mesh:3 --routing table:about.csv --json -" + what;
    const auto flits = json(run);
    const auto worms = json(run + " --model worm");
    EXPECT_EQ(worms["digest"], flits["digest"]) << what;
  }
  const std::string alone =
      "--topology mesh:3 --routing table:about.csv --destinations 2 --schedule one.jsonl";
  EXPECT_THAT(allport("run " + alone).out, HasSubstr("\nlatency     max 34 cycles"));
  EXPECT_EQ(allport("check " + alone).status, 0) << "a message does not meet itself";
  write("deposit.jsonl", R"({"u":0,"v":2,"step":1,"order":0,"kind":"deposit"})");
  EXPECT_THAT(allport("check --topology mesh:3 --routing table:about.csv deposit.jsonl").out,
              HasSubstr("\ncontention    holds"));
}

// A flit of four bytes takes two cycles over the link: H = 2, W = 15 * 2.
TEST_F(CliGraphs, DriveANetworkOverNarrowLinks) {
  write("two.csv", "u,v,width\n0,1,2\n");
  for (const std::string model : {"worm", "systemc"}) {
    const Outcome outcome =
        allport("network --topology graph:two.csv --model " + model, "send 0 1 64\nadvance 100\n");
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("\"head\":3,\"tail\":33"));
  }
}

// The rows of `--channel-load` and the scopes of `--wave`, as `KIND NODE.PORT` each.
class CliGraphChannels : public CliGraphs {
 protected:
  std::set<std::string> rows(const std::string& run) const {
    EXPECT_EQ(allport(run + " --channel-load load.csv").status, 0);
    std::istringstream lines(content("load.csv"));
    std::set<std::string> all;
    for (std::string line; std::getline(lines, line);) {
      const std::vector<std::string> cells = cells_of(line);
      if (cells[0] != "0") continue;
      const bool is_new = all.insert(cells[3] + " " + cells[4] + "." + cells[5]).second;
      EXPECT_TRUE(is_new) << line;
    }
    return all;
  }
  // Without inputs, which are the ends of outputs; those are counted apart.
  std::set<std::string> scopes(const std::string& run) {
    EXPECT_EQ(allport(run + " --wave w.vcd").status, 0);
    std::istringstream lines(content("w.vcd"));
    std::set<std::string> all;
    std::string router;
    inputs = 0;
    for (std::string line; std::getline(lines, line);) {
      const std::string begin = "$scope module ";
      if (line.rfind(begin, 0) != 0) continue;
      std::string name = line.substr(begin.size(), line.find(' ', begin.size()) - begin.size());
      if (name.rfind("router_", 0) == 0) router = name.substr(7);
      const std::size_t at = name.find('_');
      const std::string kind = name.substr(0, at);
      if (kind == "input") ++inputs;
      if (kind != "output" && kind != "injection" && kind != "ejection") continue;
      all.insert((kind == "output" ? "external" : kind) + " " + router + "." + name.substr(at + 1));
    }
    return all;
  }
  static std::size_t external(const std::set<std::string>& channels) {
    return static_cast<std::size_t>(
        std::count_if(channels.begin(), channels.end(),
                      [](const auto& one) { return one[0] == 'e' && one[1] == 'x'; }));
  }

  std::size_t inputs = 0;  // scopes of external inputs
};

// A switch has no internal ports, and a node as many as its file, or its external ports, say.
TEST_F(CliGraphChannels, AreThoseOfNodesAndSwitches) {
  write("star.csv", "u,v\na,s\nb,s\nc,s\na,b\nb,c\nc,a\n");
  write("star.nodes.csv", "node,processor,ports\na,,1\nb,,\nc,,\ns,false,\n");
  const std::string run = "run --topology graph:star.csv --algorithm direct-alltoall --vcs 4";
  std::set<std::string> expected;
  for (int node = 0; node < 4; ++node) {
    for (int port = 0; port < 3; ++port) {
      const std::string place = std::to_string(node) + "." + std::to_string(port);
      expected.insert("external " + place);
      if (node == 3 || (node == 0 && port > 0)) continue;
      expected.insert("injection " + place);
      expected.insert("ejection " + place);
    }
  }
  EXPECT_EQ(rows(run), expected);
  EXPECT_EQ(scopes(run), expected);
  EXPECT_EQ(inputs, 12U);
  EXPECT_THAT(allport("run --topology graph:star.csv --pattern uniform --rate 0.000001 --vcs 4 "
                      "--cycles 1000000000000 --channel-load z.csv --every 1")
                  .err,
              HasSubstr("1000000000000 cycles have " + std::to_string(expected.size()) +
                        "000000000000 rows"));
}

// Outputs and inputs are numbered apart: a has two outputs and one input, c one and two.
TEST_F(CliGraphChannels, AreThoseThatADirectedGraphHas) {
  write("one_way.dot", "digraph { a->b; a->c; b->c; c->a }");
  const std::string run = "run --topology graph:one_way.dot --algorithm direct-alltoall --vcs 4";
  const std::set<std::string> expected{
      "external 0.0",  "external 0.1",  "external 1.0",  "external 2.0",  "injection 0.0",
      "injection 0.1", "injection 1.0", "injection 2.0", "injection 2.1", "ejection 0.0",
      "ejection 0.1",  "ejection 1.0",  "ejection 2.0",  "ejection 2.1"};
  EXPECT_EQ(rows(run), expected);
  EXPECT_EQ(scopes(run), expected);
  EXPECT_EQ(inputs, external(expected));
  EXPECT_EQ(allport(run + " --timeline t.csv").status, 0);
  EXPECT_THAT(content("t.csv"), HasSubstr("a -> c"));
  const nlohmann::json results = json(run + " --channel-load load.csv --json -");
  std::istringstream lines(content("load.csv"));
  long flits = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells[3] == "external") flits += std::stol(cells[6]);
  }
  EXPECT_EQ(flits, results["flit_hops"].get<long>());
}

}  // namespace
}  // namespace allport::test
