// SPDX-License-Identifier: Apache-2.0
// These tests check what `allport show` prints.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using CliShow = Cli;

// A line of a schedule; `more`: further keys.
std::string line(int u, int v, int step, int order, const std::string& more = "") {
  return "{\"u\":" + std::to_string(u) + ",\"v\":" + std::to_string(v) +
         ",\"step\":" + std::to_string(step) + ",\"order\":" + std::to_string(order) + more + "}\n";
}

TEST_F(CliShow, ARouteHopByHop) {
  EXPECT_EQ(
      allport("show route 5 14 --topology hypercube:4").out,
      "route       5 (0101) to 14 (1110): 3 hops on hypercube:4, descending routing; one of 6 shortest\n"
      "hop 1       channel 5 -> 13 (dimension 3): 5 (0101) to 13 (1101)\n"
      "hop 2       channel 13 -> 15 (dimension 1): 13 (1101) to 15 (1111)\n"
      "hop 3       channel 15 -> 14 (dimension 0): 15 (1111) to 14 (1110)\n");
  EXPECT_EQ(
      allport("show route 23 30 --topology hypercube:5 --routing ascending").out,
      "route       23 (10111) to 30 (11110): 2 hops on hypercube:5, ascending routing; one of 2 shortest\n"
      "hop 1       channel 23 -> 22 (dimension 0): 23 (10111) to 22 (10110)\n"
      "hop 2       channel 22 -> 30 (dimension 3): 22 (10110) to 30 (11110)\n");
  const nlohmann::json torus = json("show route 3 5 --topology torus:4x4 --json -");
  EXPECT_EQ(torus["hops"], 3);
  EXPECT_EQ(torus["shortest_ways"], 6) << "three orders, and two ways around dimension 0";
  EXPECT_EQ(torus["route"][0]["class"], "p");
}

// [Hou98, figure 2]: l-channels lead to lower, h-channels to higher addresses; p before the
// wraparound.
TEST_F(CliShow, TheClassesOfATorusByTheirSigns) {
  const auto classes = [&](const std::string& words) {
    std::string text;
    const nlohmann::json shown = json("show route " + words + " --json -");
    for (const nlohmann::json& hop : shown["route"]) {
      text += hop["class"].get<std::string>();
    }
    return text;
  };
  EXPECT_EQ(classes("1 3 --topology ring:8"), "hh");
  EXPECT_EQ(classes("3 1 --topology ring:8"), "ll");
  EXPECT_EQ(classes("6 1 --topology ring:8"), "pph");
  EXPECT_EQ(classes("1 6 --topology ring:8"), "ppl");
  EXPECT_EQ(classes("5 2 --topology torus:4x4"), "hl");
}

TEST_F(CliShow, TheVirtualChannelsOfARoute) {
  EXPECT_THAT(allport("show route 6 1 --topology ring:8 --vcs 4").out,
              HasSubstr("hop 2       channel 7 -> 0 (+x): 7 (7) to 0 (0), class p, VCs 2..3\n"
                        "hop 3       channel 0 -> 1 (+x): 0 (0) to 1 (1), class h, VCs 0..1\n"));
  EXPECT_THAT(allport("show route 6 1 --topology ring:8").out, HasSubstr("class p, VC 1\n"));
  EXPECT_THAT(allport("show route 0 3 --topology hypercube:2 --vcs 3").out,
              HasSubstr("to 2 (10), VCs 0..2\n"));
  const nlohmann::json escape =
      json("show route 0 3 --topology hypercube:2 --routing adaptive --vcs 3 --json -");
  EXPECT_THAT(escape["route"][0]["vcs"], ElementsAre(0, 1, 2));
  EXPECT_THAT(allport("show route 0 1 --topology ring:8 --vcs 3").err,
              HasSubstr("halves them between the classes"));
}

TEST_F(CliShow, TheRoutesOfAScheduleFile) {
  write("plan.jsonl", line(0, 2, 1, 0, ",\"displacement\":[-2]") + line(2, 1, 2, 0));
  const std::string words = "--topology ring:4";
  EXPECT_EQ(allport("show route plan.jsonl " + words).out,
            "message     unicast 0 -> 2 (step 1): 2 hops\n"
            "hop 1       channel 0 -> 3 (-x): 0 (0) to 3 (3), class p, VC 1\n"
            "hop 2       channel 3 -> 2 (-x): 3 (3) to 2 (2), class l, VC 0\n"
            "message     unicast 2 -> 1 (step 2): 1 hop\n"
            "hop 1       channel 2 -> 1 (-x): 2 (2) to 1 (1), class l, VC 0\n");
  const nlohmann::json routes = json("show route --schedule plan.jsonl " + words + " --json -");
  EXPECT_EQ(routes["messages"][0]["route"].size(), 2U);
  EXPECT_EQ(json("show route --algorithm ring " + words + " --json -")["messages"].size(), 3U);
}

TEST_F(CliShow, TheTreeOfAScheduleFileOfAnyKind) {
  const std::string words = " --topology hypercube:4 --destinations 1,3,5,7,14";
  const std::string tree = allport("show tree --algorithm wsort" + words).out;
  shell("allport schedule --algorithm wsort" + words + " > plan.jsonl");
  EXPECT_EQ(allport("show tree plan.jsonl --topology hypercube:4").out, tree);
  EXPECT_EQ(allport("show tree --schedule plan.jsonl --topology hypercube:4").out, tree);
  EXPECT_EQ(allport("show tree - --topology hypercube:4", content("plan.jsonl")).out, tree);
  // The steps of an execution plan follow from the order of its operations.
  const auto edges = [&](const std::string& what) {
    std::map<int, nlohmann::json> reached;
    const nlohmann::json shown = json("show tree " + what + " --topology hypercube:4 --json -");
    for (const nlohmann::json& edge : shown["edges"]) {
      reached[edge["v"]] = {edge["u"], edge["reached"]};
    }
    return reached;
  };
  for (const char* format : {"msccl", "mscclpp"}) {
    shell(std::string("allport schedule --topology hypercube:4 --algorithm wsort --format ") +
          format + " > plan");
    EXPECT_EQ(edges("plan"), edges("--algorithm wsort")) << format;
  }
}

// [Jeon01, figure 2]; the sets are what is reached through their leaders in the replication tree.
TEST_F(CliShow, TheReachableSetsOfANode) {
  const std::string text = allport("show sets --topology hypercube:4").out;
  EXPECT_THAT(text, HasSubstr("R_4^4(0000) = 0000, the source itself\n"
                              "R_3^4(0000) = 1xxx, 8 nodes, led by 8 (1000)\n"
                              "  R_2^3(1000) = 11xx, 4 nodes, led by 12 (1100)\n"));
  EXPECT_THAT(text, HasSubstr("\nR_0^4(0000) = 0001, 1 node, led by 1 (0001)\n"));
  for (const char* words : {"--source 5", "--source 9 --routing ascending"}) {
    const std::string all = std::string(" --topology hypercube:4 ") + words + " --json -";
    const nlohmann::json tree = json("show tree --algorithm tree" + all);
    const nlohmann::json shown = json("show sets" + all);
    std::map<int, nlohmann::json> reached;
    for (const nlohmann::json& edge : tree["edges"]) reached[edge["v"]] = edge["reached"];
    std::size_t of_source = 0;
    for (const nlohmann::json& set : shown["sets"]) {
      if (set["of"] == shown["source"]) of_source += set["nodes"].size();
      if (set["leader"] == set["of"]) continue;
      EXPECT_EQ(set["nodes"], reached[set["leader"]]) << words << ": " << set["name"];
    }
    EXPECT_EQ(of_source, 16U) << words;
  }
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
           {"show", "show what? Give route U V, routes, fabric, chain, gray, tree, sets or bounds"},
           {"show rout --topology ring:4", "route"},
           {"show routes 1 --topology ring:4", "it takes no further word"},
           {"show routes", "--topology is missing"},
           {"show fabric", "--topology is missing"},
           {"show route 1 --topology ring:4", "give two nodes"},
           {"show route 1 9 --topology ring:4", "node 9 is not a node of ring:4"},
           {"show gray 3 --topology hypercube:3", "it takes no further word, and there is '3'"},
           {"show gray --topology ring:4", "Gray codes are for hypercubes"},
           {"show chain --topology ring:4", "chains are for hypercubes"},
           {"show tree --topology hypercube:3", "give --algorithm or a schedule file"},
           {"show tree missing.jsonl --topology hypercube:3", "cannot be"},
           {"show tree x --schedule x --topology hypercube:3", "give FILE or --schedule, not both"},
           {"show tree x --algorithm sbt --topology hypercube:3", "exclude each other"},
           {"show route 1 2 --algorithm sbt --topology hypercube:3", "or else a schedule file"},
           {"show route --algorithm tree --topology hypercube:3", "sends one tree worm"},
           {"show route --algorithm sbt --topology hypercube:13", "up to 4096 destinations"},
           {"show sets --topology ring:4", "reachable sets are for hypercubes"},
           {"show sets --topology hypercube:13", "up to 4096 nodes"},
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

TEST_F(CliShow, WhatIsNoTreeIsSaid) {
  const std::string twice = line(0, 1, 1, 0) + line(0, 1, 2, 1);
  const std::string back = line(0, 1, 1, 0) + line(1, 0, 2, 0);
  const std::string apart = line(0, 1, 1, 0) + line(2, 3, 1, 0);
  const std::string timed = line(0, 1, 1, 0, ",\"flits\":9");
  const std::string outside = line(0, 9, 1, 0);
  const std::string pieces =
      line(0, 1, 1, 0, ",\"blocks\":[0]") + line(0, 1, 2, 1, ",\"blocks\":[1]");
  const std::string worm = "{\"u\":0,\"step\":1,\"order\":0,\"kind\":\"tree\"}\n";
  for (const auto& [text, sentence] : std::vector<std::pair<std::string, std::string>>{
           {twice, "node 1 receives twice"},
           {back, "node 0 has the message from the beginning"},
           {apart, "nothing leads from node 0, the source, to node 2"},
           {timed, "have flits, at or class"},
           {outside, "9"},
           {pieces, "sends pieces"},
           {worm, "sends worms of other kinds"}}) {
    const Outcome outcome = allport("show tree - --source 0 --topology hypercube:3", text);
    EXPECT_EQ(outcome.status, 2) << text;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << text;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << text;
  }
  shell("allport schedule --topology ring:4 --algorithm ring-allreduce --format msccl > sum.xml");
  EXPECT_THAT(allport("show tree sum.xml --topology ring:4").err, HasSubstr("is for allreduce"));
}

TEST_F(CliShow, WhatAllRoutesLoadTheChannelsWith) {
  const nlohmann::json ring = json("show routes --topology ring:4 --json -");
  EXPECT_EQ(ring["pairs"], 12);
  EXPECT_EQ(ring["hops"]["pairs"], (std::vector<int>{0, 8, 4}));
  EXPECT_EQ(ring["hops"]["mean"], 16.0 / 12);
  // A message half the ring away goes +: 3 pairs over each + channel, 1 over each - channel.
  EXPECT_EQ(ring["uniform"]["load"], 1.0);
  EXPECT_EQ(ring["uniform"]["busiest"][0]["pairs"], 3);
  EXPECT_EQ(ring["permutation"]["load"], 2) << "both that go two hops over it";
  EXPECT_EQ(ring["layers"], 2);
  EXPECT_EQ(json("show routes --topology ring:4 --vcs 1 --routing table:updown --json -")["layers"],
            1);
  EXPECT_THAT(allport("show routes --topology hypercube:3 --routing adaptive").err,
              HasSubstr("under adaptive routing a message has no route of its own"));
}

TEST_F(CliShow, ATableAsAFileThatIsReadAgain) {
  EXPECT_EQ(
      allport("show routes --topology torus:3x3 --routing table:dimension --csv table.csv").status,
      0);
  const std::string run =
      "run --topology torus:3x3 --algorithm bucket-allreduce --json - --routing ";
  EXPECT_EQ(json(run + "table:table.csv")["digest"], json(run + "dimension-ordered")["digest"]);
  EXPECT_THAT(
      allport("show routes --topology torus:3x3 --csv -").err,
      HasSubstr("routing dimension-ordered has no table; table:dimension is the same as one"));
  EXPECT_THAT(allport("show routes --topology torus:3x3 --routing table:nowhere.csv").err,
              HasSubstr("table: the file nowhere.csv cannot be read"));
}

TEST_F(CliShow, TheRoutersOfAGraph) {
  write("star.dot", "graph { hub [processor=false]; a -- hub; b -- hub [delay=3, width=2] }");
  EXPECT_EQ(allport("show fabric --topology graph:star.dot").out,
            "fabric      graph:star.dot: 2 nodes, 1 switch, 4 channels\n"
            "node 0 a      port 0 to hub, delay 0\n"
            "node 1 b      port 0 to hub, delay 3, 2 phits\n"
            "switch 2 hub  port 0 to a, delay 0; port 1 to b, delay 3, 2 phits\n");
  const nlohmann::json shown = json("show fabric --topology graph:star.dot --json -");
  EXPECT_EQ(shown["routers"][2]["name"], "hub");
  EXPECT_TRUE(shown["routers"][2]["node"].is_null());
  EXPECT_EQ(shown["routers"][2]["router"], 2);
  EXPECT_EQ(shown["routers"][1]["ports"][0]["delay"], 3);
  EXPECT_THAT(allport("show fabric --dot - --topology graph:star.dot").out,
              HasSubstr("\"a\" -- \"hub\""));
  EXPECT_THAT(allport("show fabric --topology graph:star.dot --dot - --json -").err,
              HasSubstr("--dot -: --json is written into that file"));
  EXPECT_THAT(allport("show routes --topology graph:star.dot --csv - --json -").err,
              HasSubstr("--csv -: --json is written into that file"));
  EXPECT_EQ(allport("show route a b --topology graph:star.dot").out,
            allport("show route 0 1 --topology graph:star.dot").out);
  EXPECT_THAT(allport("show route 0 1 --topology graph:star.dot").out,
              HasSubstr("hop 2       channel hub -> b (port 1): hub to b\n"));
  EXPECT_THAT(allport("show bounds --topology graph:star.dot").out,
              HasSubstr("nodes           2, and 1 switch\n"));
}

TEST_F(CliShow, NoSeedWhereNothingIsDrawn) {
  for (const std::string command :
       {"show fabric", "show routes", "show bounds", "show route 0 1", "fit", "network"}) {
    for (const std::string missing : {"", " --missing-nodes 8", " --missing-nodes random:1:3"}) {
      const Outcome outcome = allport(command + " --topology mesh:3x3 --seed 5" + missing);
      EXPECT_EQ(outcome.status, 2) << command << missing;
      EXPECT_THAT(outcome.err, HasSubstr("--seed: `" + command.substr(0, command.find(" 0")) +
                                         "` draws nothing by it unless"));
    }
  }
}

// What is drawn for a run by its seed is what every command looks at with that seed.
TEST_F(CliShow, WhatIsMissingByTheSeedOfTheRun) {
  for (const std::string seed : {"1", "5"}) {
    const std::string nodes = " --topology mesh:3x3 --missing-nodes random:2 --seed " + seed;
    const auto missing = [&](const std::string& command, const std::string& fabric) {
      const Outcome outcome = allport(command + fabric);
      EXPECT_EQ(outcome.status, 0) << command << outcome.err;
      const std::size_t begin = outcome.out.find(" without ");
      return outcome.out.substr(begin, outcome.out.find_first_of(":,\n", begin) - begin);
    };
    const std::string of_run = missing("run --algorithm separate", nodes);
    for (const char* what : {"fabric", "routes"}) {
      EXPECT_EQ(missing(std::string("show ") + what, nodes), of_run) << what;
    }
    const std::string route =
        "show routes --topology mesh:3x3 --routing table:updown --missing-links random:2";
    const Outcome drawn = allport(route + " --seed " + seed);
    EXPECT_EQ(drawn.status, 0) << drawn.err;
    EXPECT_EQ(drawn.out, allport(route + ":" + seed).out);
    const std::string fit = "fit --topology mesh:3x3 --sizes 1,2 --missing-nodes random:2";
    EXPECT_EQ(allport(fit + " --seed " + seed).out, allport(fit + ":" + seed).out);
  }
}

}  // namespace
}  // namespace allport::test
