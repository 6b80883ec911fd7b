// SPDX-License-Identifier: Apache-2.0
// These tests check links with a delay and a width of their own, on the command line.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/cli_program.h"
#include "tests/support/draw.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

class CliLinkAttributes : public Cli {
 protected:
  CliLinkAttributes() {
    write("slow.csv", "0,1,5\n");
    write("long.csv", "0,1,500\n");
    write("narrow.csv", "u,v,width\n0,1,1\n");
    write("both.csv", "0,1,5,1\n4,5,2,2\n");
  }

  nlohmann::json latency(const std::string& words) {
    return json("run --algorithm separate --buffer-depth 16 --json - " + words)["latency"]["max"];
  }
};

TEST_F(CliLinkAttributes, OfAllLinksChangeNothing) {
  write("usual.csv", "0,1,0,4\n1,2,,8\n");
  write("usual_of_dimensions.csv", "0,1,2,2\n0,4,3\n");
  for (
      const std::string words :
      {"--algorithm dcf --link-attributes usual.csv",
       "--algorithm dcf --link-delay 2,3 --link-width 2,4 --link-attributes usual_of_dimensions.csv"}) {
    const std::string run = "run --topology torus:4x4 --json - " + words;
    const nlohmann::json given = json(run);
    const nlohmann::json plain = json(run.substr(0, run.find(" --link-attributes")));
    for (const char* key : {"digest", "bound", "latency", "contention", "static"}) {
      EXPECT_EQ(given[key], plain[key]) << words << " " << key;
    }
  }
}

TEST_F(CliLinkAttributes, AreThoseOfOneLinkBothWays) {
  const std::string fabric = "--topology torus:4x4 --link-attributes ";

  EXPECT_EQ(latency(fabric + "slow.csv --destinations 1"), 1 + 5 + 1 + 15);
  EXPECT_EQ(latency(fabric + "slow.csv --source 1 --destinations 0"), 1 + 5 + 1 + 15);
  EXPECT_EQ(latency(fabric + "slow.csv --destinations 3"), 1 + 1 + 15);
  EXPECT_EQ(latency(fabric + "slow.csv --source 4 --destinations 5"), 1 + 1 + 15);
  EXPECT_EQ(latency(fabric + "narrow.csv --destinations 1"), 4 + 1 + 15 * 4);
  EXPECT_EQ(latency(fabric + "narrow.csv --destinations 2"), 4 + 1 + 1 + 15 * 4);
  EXPECT_EQ(latency(fabric + "narrow.csv --destinations 4"), 1 + 1 + 15);
}

TEST_F(CliLinkAttributes, OfParallelLinksAreTheirsByThePort) {
  write("plus.csv", "0,1,5,,0\n");
  write("minus.csv", "u,v,from_port,delay\n0,1,1,5\n");
  const std::string fabric = "--topology torus:2x3 --destinations 1 --link-attributes ";

  EXPECT_EQ(latency(fabric + "slow.csv"), 1 + 5 + 1 + 15);
  EXPECT_EQ(latency(fabric + "plus.csv"), 1 + 5 + 1 + 15);
  EXPECT_EQ(latency(fabric + "minus.csv"), 1 + 1 + 15);
  EXPECT_EQ(latency(fabric + "minus.csv --ties negative"), 1 + 5 + 1 + 15);
}

// mesh:4x3 as a list of edges, with the ports of the mesh.
std::string mesh_as_graph(Draw& draw, bool has_widths, std::string& attributes) {
  std::string edges = "u,v,from_port,to_port,delay,width\n";
  attributes.clear();
  for (int node = 0; node < 12; ++node) {
    for (const int step : {1, 4}) {
      const bool is_there = step == 1 ? node % 4 < 3 : node < 8;
      if (!is_there) continue;
      const std::string ends = std::to_string(node) + "," + std::to_string(node + step) + ",";
      std::string own = ",";
      if (draw.below(2) == 0) {
        own = std::to_string(draw.below(6)) + "," +
              (has_widths ? std::to_string(1 + draw.below(4)) : "");
        attributes += ends + own + "\n";
      }
      edges += ends + (step == 1 ? "0,1," : "2,3,") + own + "\n";
    }
  }
  return edges;
}

TEST_F(CliLinkAttributes, MakeTheGraphThatHasThem) {
  shell("allport show routes --topology mesh:4x3 --routing table:dimension --csv rows.csv");
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Draw draw(seed);
    const bool has_widths = seed % 2 == 1;
    std::string attributes;
    write("mesh.csv", mesh_as_graph(draw, has_widths, attributes));
    write("links.csv", attributes);
    const std::string what =
        std::string("run --json - --pattern uniform --rate 0.1 --cycles 600 ") +
        (draw.below(2) == 0 ? "--ports 2 " : "") + (draw.below(2) == 0 ? "--link-delay 2 " : "");
    const std::vector<std::string> models{"systemc", has_widths ? "auto" : "worm"};
    for (const std::string& model : models) {
      const std::string run = what + "--model " + model + " --topology ";
      const nlohmann::json regular =
          json(run + "mesh:4x3 --routing table:dimension --link-attributes links.csv");
      EXPECT_EQ(json(run + "graph:mesh.csv --routing table:rows.csv")["digest"], regular["digest"])
          << run << attributes;
      EXPECT_EQ(json(run + "mesh:4x3 --link-attributes links.csv")["digest"], regular["digest"])
          << run << attributes;
    }
  }
}

TEST_F(CliLinkAttributes, TakeThePlaceOfThoseOfAGraph) {
  write("g.csv", "u,v,delay\na,b,3\nb,c,1\nc,a,1\n");
  write("own.csv", "b,a,6\n");

  EXPECT_EQ(latency("--topology graph:g.csv --destinations 1"), 1 + 3 + 1 + 15);
  EXPECT_EQ(latency("--topology graph:g.csv --destinations 1 --link-attributes own.csv"),
            1 + 6 + 1 + 15);
}

TEST_F(CliLinkAttributes, StandInReportAndConfiguration) {
  const std::string run = "run --topology torus:4x4 --algorithm dcf --link-attributes both.csv ";

  const nlohmann::json config = json(run + "--json -")["config"];
  EXPECT_EQ(config["link_attributes"],
            nlohmann::json::parse(R"([{"u":"0","v":"1","delay":5,"width":1},
                                      {"u":"4","v":"5","delay":2,"width":2}])"));
  EXPECT_EQ(config["link_delay"], 0);
  EXPECT_EQ(json(run + "--link-delay 1,2 --json -")["config"]["link_delay"],
            nlohmann::json({1, 2}));
  EXPECT_FALSE(config.contains("link_width"));
  EXPECT_THAT(allport(run).out, HasSubstr(", links of 0..5 cycles of delay and 1..4 phits a flit"));
  EXPECT_THAT(allport("fit --topology torus:4x4 --sizes 1,2,4 --link-attributes both.csv").out,
              HasSubstr("links of 0..5 cycles of delay and 1..4 phits a flit\n"));
  EXPECT_THAT(allport("show fabric --topology ring:4 --link-attributes slow.csv").out,
              HasSubstr("+x to 1, delay 5"));
}

TEST_F(CliLinkAttributes, AreRefusedInOneSentence) {
  write("far.csv", "u,v,delay\n0,1,3\n0,5,3\n");
  write("twice.csv", "0,1,3\n1,0,4\n");
  write("wide.csv", "0,1,3,65\n");
  const std::string run = "run --topology torus:4x4 --algorithm dcf --link-attributes ";
  for (
      const auto& [given, sentence] : std::vector<std::pair<std::string, std::string>>{
          {"far.csv",
           "--link-attributes: far.csv:3: nodes 0 and 5 of torus:4x4 are not neighbours"},
          {"twice.csv", "--link-attributes: twice.csv:2: the link 1 - 0 is in line 1 already"},
          {"wide.csv",
           "--link-attributes: wide.csv:1: width '65': must be a whole number in 1..64"},
          {"nowhere.csv",
           "--link-attributes: the file nowhere.csv cannot be read: No such file or directory"},
          {"narrow.csv --model rtl",
           "--model rtl: in RTL all channels of a dimension are as wide as --link-width says, and a flit crosses channel 0 -> 1 (+x) in 4 cycles"}}) {
    const Outcome refused = allport(run + given);
    EXPECT_EQ(refused.status, 2) << given;
    EXPECT_EQ(refused.out, "") << given;
    EXPECT_THAT(refused.err, HasSubstr(sentence)) << given;
  }
}

TEST_F(CliLinkAttributes, AreForWormsSoAutoTakesThem) {
  const std::string run = "run --topology torus:4x4 --algorithm separate --json - ";

  for (const std::string file : {"slow.csv", "narrow.csv"}) {
    const nlohmann::json flits = json(run + "--link-attributes " + file);
    const nlohmann::json chosen = json(run + "--model auto --link-attributes " + file);
    EXPECT_EQ(chosen["model"], "worm") << file;
    EXPECT_EQ(chosen["digest"], flits["digest"]) << file;
  }
  write("wide.csv", "0,1,,4\n1,2,,4\n2,3,,4\n3,0,,4\n");
  EXPECT_EQ(json("run --topology ring:4 --algorithm separate --json - --model worm --link-width 2 "
                 "--link-attributes wide.csv")["digest"],
            json("run --topology ring:4 --algorithm separate --json -")["digest"]);
}

TEST_F(CliLinkAttributes, AreNeverBelowTheBound) {
  for (const std::string file : {"slow.csv", "both.csv"}) {
    const nlohmann::json compared = json(
        "compare --topology torus:4x4 --collective allreduce --bytes 400 --json - --link-attributes " +
        file);
    ASSERT_GT(compared.size(), 1U);
    for (const nlohmann::json& one : compared) {
      if (file == "both.csv") {
        EXPECT_TRUE(one["theory"].is_null()) << one;
      }
      EXPECT_LE(one["bound"], one["max"]) << one;
    }
  }
}

// Node 0 has three channels of a flit a cycle and one of a quarter.
TEST_F(CliLinkAttributes, CountInTheBoundsOfAFabric) {
  const nlohmann::json shown =
      json("show bounds --topology torus:4x4 --flits 16 --link-attributes narrow.csv --json -");

  EXPECT_EQ(shown["bounds"]["allgather"]["cycles"], 1 + 74);
}

// Said as an option, in a file of links and in a file of a graph, whose routers at the rim have
// ports without a link.
TEST_F(CliLinkAttributes, OfAllLinksHaveTheBoundsOfTheOption) {
  std::string edges;
  std::string slow;
  for (int node = 0; node < 9; ++node) {
    for (const int next : {node % 3 < 2 ? node + 1 : 9, node + 3}) {
      if (next > 8) continue;
      const std::string edge = std::to_string(node) + "," + std::to_string(next);
      edges += edge + "\n";
      slow += edge + ",3,2\n";
    }
  }
  write("m33.csv", edges);
  write("m33slow.csv", slow);
  const auto bounds = [this](const std::string& fabric) {
    nlohmann::json all = json("show bounds --json - --topology " + fabric)["bounds"];
    for (const char* grid : {"neighbor", "neighbor_box", "neighbor_nw"}) all.erase(grid);
    return all;
  };
  const nlohmann::json mesh = bounds("mesh:3x3 --link-delay 3 --link-width 2");
  EXPECT_EQ(bounds("graph:m33.csv --link-delay 3 --link-width 2"), mesh);
  EXPECT_EQ(bounds("graph:m33.csv --link-attributes m33slow.csv"), mesh);
  EXPECT_EQ(bounds("mesh:3x3 --link-attributes m33slow.csv"), mesh);
  EXPECT_EQ(bounds("graph:m33slow.csv"), mesh);
}

// A join waits for the contribution that comes over the slow link, in the theory as in the run.
TEST_F(CliLinkAttributes, CountInTheTheory) {
  for (const std::string algorithm : {"join-reduce", "ucube", "separate"}) {
    const std::string compare =
        "compare --topology hypercube:3 --buffer-depth 32 --ts 40 --json - --algorithms " +
        algorithm;
    const nlohmann::json plain = json(compare)[0];
    const nlohmann::json slow = json(compare + " --link-attributes long.csv")[0];
    EXPECT_EQ(slow["theory"], slow["max"]) << algorithm;
    EXPECT_GE(slow["theory"], 500) << algorithm;
    EXPECT_LT(plain["theory"], 500) << algorithm;
  }
}

TEST_F(CliLinkAttributes, ExplainTheirCycles) {
  const nlohmann::json run = json(
      "run --topology torus:4x4 --algorithm separate --destinations 5 --link-attributes narrow.csv --explain all --json -");

  const nlohmann::json causes = run["explanation"]["by_cause"];
  EXPECT_EQ(causes["width"], 3 + 15 * 3);
  EXPECT_EQ(run["explanation"]["cycles"], run["latency"]["max"]);
}

TEST_F(CliLinkAttributes, AreAnAxisOfASweepAndAKeyOfAScenario) {
  allport(
      "sweep --topology torus:4x4 --algorithm separate --link-attributes slow.csv,both.csv "
      "--output points");
  EXPECT_THAT(content("points/results.csv"), HasSubstr("\nslow.csv,"));
  EXPECT_THAT(content("points/results.csv"), HasSubstr("\nboth.csv,"));
  write("s.toml",
        "[fabric]\ntopology = \"torus:4x4\"\n[router]\nlink_attributes = \"slow.csv\"\n[traffic]\n"
        "algorithm = \"dcf\"\n");
  EXPECT_EQ(json("run s.toml --json -")["config"]["link_attributes"][0]["delay"], 5);
}

}  // namespace
}  // namespace allport::test
