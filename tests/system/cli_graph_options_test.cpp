// SPDX-License-Identifier: Apache-2.0
// These tests check what values and files options take on graphs and on what is left of a fabric.
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/cli_program.h"
#include "tests/support/csv_cells.h"
#include "tests/support/vcd_reader.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class CliGraphOptions : public Cli {
 protected:
  CliGraphOptions() {
    write("star.dot", "graph { hub [processor=false]; a--hub b--hub c--hub d--hub }");
    write("line.dot", "graph { a--b--c--d }");
    write("numbers.csv", "07,7\n7,8\n8,07\n");
  }
};

TEST_F(CliGraphOptions, GridsTakeNodesByTheirNames) {
  const std::string sweep = "sweep --topology graph:star.dot ";
  EXPECT_EQ(allport(sweep + "--source 'a;b' --algorithm separate --output sources").status, 0);
  EXPECT_THAT(content("sources/results.csv"), HasSubstr("\nb,"));
  EXPECT_EQ(
      allport(sweep + "--destinations 'a,b;c' --source d --algorithm separate --output to").status,
      0);
  const std::string hotspot = "--pattern hotspot --rate 0.1 --cycles 100 --hotspot ";
  EXPECT_EQ(allport(sweep + hotspot + "a,b --output hot").status, 0);
  EXPECT_THAT(allport(sweep + "--source z --algorithm separate --output z").err,
              HasSubstr("--source: 'z' is not a node of graph:star.dot"));
  EXPECT_THAT(allport("sweep --topology ring:4 --source a --algorithm separate --output z").err,
              HasSubstr("'a' is not a node"));
}

// A comma separates values where there is no semicolon; one list alone has a semicolon behind it.
TEST_F(CliGraphOptions, GridsTakeListsOfHotspotsPlacesAndGroups) {
  write("named.dot", R"(graph { hub [processor=false]; a--hub b--hub "c, x"--hub d--hub })");
  const auto values = [&](const std::string& options) {
    const Outcome outcome = allport("sweep --output lists " + options);
    EXPECT_EQ(outcome.status, 0) << options << outcome.err;
    std::string points;
    std::istringstream lines(content("lists/results.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const nlohmann::json point = nlohmann::json::parse(line).at("point");
      EXPECT_EQ(nlohmann::json::parse(line).at("exit"), 0) << line;
      points += point.begin().key() + " " + point.begin().value().get<std::string>() + "|";
    }
    EXPECT_EQ(shell("rm -r lists").status, 0);
    return points;
  };
  const std::string load = " --pattern hotspot --rate 0.1 --cycles 100 --hotspot ";
  EXPECT_EQ(values("--topology graph:named.dot" + load + "'a,b;c, x'"),
            "hotspot a,b|hotspot c, x|");
  EXPECT_EQ(values("--topology graph:named.dot" + load + "a,b"), "hotspot a|hotspot b|");
  EXPECT_EQ(values("--topology graph:named.dot --seed 1,2" + load + "'c, x;'"), "seed 1|seed 2|");
  const std::string ring = "--topology ring:4 --algorithm ring-allgather ";
  EXPECT_EQ(values(ring + "--place '3,2,1,0;identity'"), "place 3,2,1,0|place identity|");
  EXPECT_EQ(values("--topology hypercube:2 --algorithm ring-allgather --place gray,identity"),
            "place gray|place identity|");
  EXPECT_EQ(values(ring + "--group '1,2,3;0,3'"), "group 1,2,3|group 0,3|");
  write("grid.toml",
        "[fabric]\ntopology='ring:4'\n[traffic]\npattern='hotspot'\nrate=0.1\ncycles=100\n"
        "hotspot=[[1,2],[3],0]\n");
  EXPECT_EQ(values("grid.toml"), "hotspot 1,2|hotspot 3|hotspot 0|");
  EXPECT_EQ(allport("sweep --topology ring:4" + load + "'1;;2' --output lists").err,
            "allport: --hotspot: a value of the list is empty\n");
}

TEST_F(CliGraphOptions, ComparisonsTakeNodesByTheirNames) {
  write("named.dot", R"(graph { hub [processor=false]; a--hub b--hub "c, x"--hub d--hub })");
  const std::string compare = "compare --algorithms separate --bytes 64 --topology ";
  const auto of = [&](const std::string& options) {
    const nlohmann::json rows = json(compare + options + " --json -");
    return rows.at(0).at("max").get<int>();
  };
  EXPECT_EQ(of("graph:named.dot --source 'c, x'"), of("graph:named.dot --source 2"));
  EXPECT_EQ(of("graph:named.dot --source 'c, x' --destinations 'a,d'"),
            of("graph:named.dot --source 2 --destinations 0,3"));
  EXPECT_LT(of("graph:named.dot --source 'c, x' --destinations 'a,d'"),
            of("graph:named.dot --source 'c, x'"));
  EXPECT_EQ(of("'graph:named.dot;graph:star.dot' --source d"), of("graph:star.dot --source d"));
  EXPECT_EQ(allport(compare + "graph:named.dot --source hub").err,
            "allport: source hub: it is a switch of graph:named.dot, which has no processor\n");
  EXPECT_EQ(allport(compare + "'graph:named.dot;ring:4' --source a").err,
            "allport: --source: 'a' is not a node of ring:4: give its number, 0..3\n");
}

TEST_F(CliGraphOptions, GridsOfSeveralFabricsJudgeNamesByThePoint) {
  EXPECT_EQ(allport("sweep --topology graph:star.dot,graph:line.dot --source 'a;hub' --algorithm "
                    "separate --output both")
                .status,
            3);
  EXPECT_THAT(content("both/results.csv"), HasSubstr("graph:line.dot,a,"));
}

TEST_F(CliGraphOptions, GridsTellNamesApartThatAreTheSameNumber) {
  EXPECT_EQ(allport("sweep --topology graph:numbers.csv --source '07;7' --algorithm separate "
                    "--output numbers")
                .status,
            0);
  EXPECT_THAT(content("numbers/results.csv"), HasSubstr("\n07,"));
}

TEST_F(CliGraphOptions, FilesOfAWholeFabricServeWhatIsLeft) {
  write("l.csv", "0,1,5\n4,5,3\n");
  write("odd.csv", "0,1,5\n0,8,3\n");
  write("links", "# the first\n0-1\n  # and another\n4-5\n");
  const std::string run = "run --topology mesh:3x3 --algorithm separate --source 8 ";
  EXPECT_THAT(allport(run + "--missing-nodes 0 --link-attributes l.csv").out,
              HasSubstr("links of 0..3 cycles of delay"));
  EXPECT_THAT(allport(run + "--missing-nodes 0 --link-attributes odd.csv").err,
              HasSubstr("odd.csv:2: nodes 0 and 8 of mesh:3x3 are not neighbours"));
  EXPECT_EQ(allport(run + "--missing-nodes 0 --missing-links links").status, 0);
  EXPECT_THAT(allport(run + "--missing-nodes 0 --missing-links 0-1").err,
              HasSubstr("'0-1' has no link, for node 0 is missing"));
  EXPECT_EQ(allport(run + "--routing table:updown --missing-links links").status, 0);
  EXPECT_EQ(allport("show routes --topology mesh:3x3 --routing table:updown:8 --csv t.csv").status,
            0);
  EXPECT_EQ(allport(run + "--missing-nodes 0 --routing table:t.csv").status, 0);
}

TEST_F(CliGraphOptions, PortsAreTheSmallerOfTheirNumberAndThoseOfANode) {
  EXPECT_THAT(allport("run --topology graph:star.dot --ports 2 --algorithm separate").out,
              HasSubstr("all-port (1)"));
  EXPECT_THAT(allport("show fabric --topology graph:line.dot").err, Not(HasSubstr("must be")));
  std::string hub = "graph { ";
  for (int i = 0; i < 40; ++i) hub += "hub--n" + std::to_string(i) + "; ";
  write("hub.dot", hub + "}");
  EXPECT_THAT(allport("run --topology graph:hub.dot --algorithm separate").out,
              HasSubstr("1..24 internal ports"));
}

// The ends of a line have one port each.
TEST_F(CliGraphOptions, PortsOfTasksAreThoseOfTheirNode) {
  const auto digest_with = [&](const std::string& nic) {
    write("nic.goal", "num_ranks 4\nrank 0 {\nsend 64b to 3 tag 1 nic " + nic +
                          "\nsend 64b to 1 tag 2 nic 0\n}\nrank 1 {\nrecv 64b from 0 tag 2\n}\n"
                          "rank 3 {\nrecv 64b from 0 tag 1\n}\n");
    const std::string out = allport("replay nic.goal --topology graph:line.dot").out;
    const std::size_t begin = out.find("digest");
    return out.substr(begin, out.find('\n', begin) - begin);
  };
  EXPECT_THAT(digest_with("0"), HasSubstr("digest  "));
  EXPECT_EQ(digest_with("1"), digest_with("0"));
}

TEST_F(CliGraphOptions, PartsAreNamedWhereNoRoutingIsChosen) {
  write("two.dot", "graph { a--b; c--d }");
  const Outcome outcome = allport("run --topology graph:two.dot --algorithm separate");
  EXPECT_THAT(outcome.err, Not(HasSubstr("shortest")));
  EXPECT_THAT(outcome.err, HasSubstr("graph:two.dot: "));
  EXPECT_THAT(outcome.err, HasSubstr("cut off; --replan runs on what is connected"));
}

// Switches have numbers, which these options take.
TEST_F(CliGraphOptions, SentencesTellTheNumbersOfSwitches) {
  const std::string wave = "run --topology graph:star.dot --algorithm separate --wave w.vcd";
  EXPECT_EQ(allport(wave + " --wave-nodes 4").status, 0);
  EXPECT_EQ(allport(wave + " --wave-nodes 5").err,
            "allport: --wave-nodes: '5' is not a node of graph:star.dot: its nodes are a, b, .. of "
            "star.dot, or 0..3 by number, and 4 is a switch\n");
  write("two.dot", "graph { s [processor=false]; t [processor=false]; a--s--t--b }");
  EXPECT_THAT(allport("run --topology graph:two.dot --algorithm separate --missing-nodes 4").err,
              HasSubstr(", or 0..1 by number, and 2..3 are switches\n"));
}

TEST_F(CliGraphOptions, SentencesNameNoEmptyRange) {
  const std::string run = "run --topology graph:line.dot --schedule - ";
  EXPECT_THAT(allport(run, R"({"u":0,"step":1,"order":0,"kind":"tree","free":[0]})").err,
              HasSubstr("free is for grids and hypercubes: a graph has no dimensions"));
  EXPECT_THAT(allport(run, R"({"u":0,"v":1,"step":1,"order":0,"displacement":[1]})").err,
              HasSubstr("displacement is for grids and hypercubes: a graph has no dimensions"));
  EXPECT_THAT(allport("run --topology hypercube:1 --algorithm ring-allgather --ranks 3").err,
              Not(HasSubstr("2..2")));
  EXPECT_THAT(allport("run --topology graph:line.dot --routing table:updown: --algorithm tree").err,
              HasSubstr("table:updown: has nothing behind its last colon; give the ROOT there"));
}

// A graph that is directed numbers its inputs and outputs apart: b has one output and two inputs, c
// two outputs and one input. A switch has no internal ports, and a node has its own number of them.
TEST_F(CliGraphOptions, ObserversShowTheChannelsThatAreThere) {
  write("one-way.dot",
        "digraph { hub [processor=false]; a->b; a->c; b->hub; c->hub; hub->a; c->b; hub->c }");
  const std::string run = "run --topology graph:one-way.dot --vcs 3 --algorithm direct-alltoall ";
  ASSERT_EQ(allport(run + "--channel-load c.csv --timeline t.csv --wave w.vcd").status, 0);

  std::map<std::string, std::string> channels;
  int flits = 0;
  std::istringstream table(content("c.csv"));
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    const std::vector<std::string> cells = cells_of(line);
    channels[cells[3]] += cells[4] + "." + cells[5] + " ";
    if (cells[3] == "external") flits += std::stoi(cells[6]);
  }
  EXPECT_EQ(channels["external"], "0.0 0.1 1.0 2.0 2.1 3.0 3.1 ");
  EXPECT_EQ(channels["injection"], "0.0 0.1 1.0 1.1 2.0 2.1 ");
  EXPECT_EQ(channels["ejection"], channels["injection"]);
  EXPECT_THAT(allport(run).out, HasSubstr(", " + std::to_string(flits) + " flit hops"));

  EXPECT_THAT(content("t.csv"), HasSubstr("\"channel c -> b (port 1, VC 0)\",message,c>b#"));

  const VcdReader wave = VcdReader::from_text(content("w.vcd"));
  std::set<std::string> ports;
  for (const std::string& name : wave.names()) {
    if (name.rfind("fabric.router_1.", 0) != 0 && name.rfind("fabric.router_3.", 0) != 0) continue;
    const std::string port = name.substr(std::string("fabric.router_").size());
    if (port.find('_') < port.rfind('.')) ports.insert(port.substr(0, port.find('.', 2)));
  }
  EXPECT_THAT(ports, ElementsAre("1.ejection_0", "1.ejection_1", "1.injection_0", "1.injection_1",
                                 "1.input_0", "1.input_1", "1.output_0", "3.input_0", "3.input_1",
                                 "3.output_0", "3.output_1"));
  EXPECT_GT(wave.changes("fabric.router_1.input_1.message").size(), 1U);
}

// GTKWave ends a label at the first brace that closes. Cells of tables are those of RFC 4180.
TEST_F(CliGraphOptions, AnyNameStandsInTheFilesOfAnObserver) {
  write("odd.dot", R"(graph { "a}b" -- "c,\"d" -- "{e\f" })");
  ASSERT_EQ(allport("run --topology graph:odd.dot --algorithm direct-alltoall --timeline t.csv "
                    "--wave w.vcd")
                .status,
            0);
  const std::string save = content("w.gtkw");
  EXPECT_THAT(save, HasSubstr(R"(+{router_0 (a)b) source} )"));
  EXPECT_THAT(save, HasSubstr(R"(+{output_0 a)b -> c,"d (port 0)} )"));
  EXPECT_THAT(save, HasSubstr(R"(+{output_1 c,"d -> (e/f (port 1)} )"));

  EXPECT_THAT(content("t.csv"),
              HasSubstr(R"csv(,"channel a}b -> c,""d (port 0)",message,"a}b>c,""d#0",,)csv"));
}

}  // namespace
}  // namespace allport::test
