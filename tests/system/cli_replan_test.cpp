// SPDX-License-Identifier: Apache-2.0
// These tests check runs that are planned anew around links and nodes that are missing, on the part
// of the fabric that is left.
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

class CliReplan : public Cli {
 protected:
  // What is said of arguments that are refused, before anything is written.
  std::string fault_of(const std::string& arguments, const std::string& input = "") {
    const Outcome outcome = allport(arguments + " --json kept.json", input);
    EXPECT_EQ(outcome.status, 2) << arguments << "\n" << outcome.out;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_FALSE(exists("kept.json")) << arguments;
    return outcome.err;
  }
};

const std::string corner = "--topology mesh:4x4 --missing-links 0-1,0-4 --replan ";

// ---- None is missing, and what is drawn may cut ----

TEST_F(CliReplan, ZeroDrawnOnesAreNoneAndAreTold) {
  for (
      const std::string work :
      {"--topology hypercube:4 --algorithm wsort", "--topology torus:4x4 --algorithm dcf",
       "--topology torus:4x4 --pattern uniform --rate 0.1 --cycles 300",
       "--topology hypercube:4 --routing adaptive --vcs 2 --algorithm separate",
       "--topology torus:4x4 --routing dimension-ordered --pattern tornado --rate 0.1 --cycles 300",
       "--topology mesh:4x4 --algorithm dual-path"}) {
    const Json whole = json("run --json - " + work);
    for (const std::string none :
         {"--missing-links random:0", "--missing-nodes random:0", "--missing-links random-cut:0:7",
          "--missing-links random:0 --missing-nodes random:0 --replan"}) {
      const Json left = json("run --json - " + none + " " + work);
      EXPECT_EQ(left["digest"], whole["digest"]) << none << " " << work;
      EXPECT_EQ(left["config"]["routing"], whole["config"]["routing"]) << none << " " << work;
      EXPECT_NE(left["config"], whole["config"]) << none << " " << work;
    }
  }
  const Json config = json(
      "run --topology ring:4 --algorithm ring --missing-links random:0 --missing-nodes "
      "random:0 --json -")["config"];
  EXPECT_EQ(config["missing_links"], Json::array());
  EXPECT_EQ(config["missing_nodes"], Json::array());
}

TEST_F(CliReplan, WithoutAnythingMissingItChangesNothing) {
  const std::string run = "run --topology torus:4x4 --algorithm swing-allreduce --json - ";
  const Json whole = json(run);
  const Json replanned = json(run + "--replan");
  EXPECT_EQ(replanned["digest"], whole["digest"]);
  EXPECT_EQ(replanned["config"]["replan"], true);
  EXPECT_EQ(replanned["reached"]["destinations"], 16) << "a sweep begins with the whole fabric";
  EXPECT_FALSE(whole.contains("reached"));
}

TEST_F(CliReplan, DrawsMayCutOrKeepAllTogether) {
  const std::string run = "run --topology ring:8 --algorithm separate --json - ";
  EXPECT_THAT(fault_of("run --topology ring:8 --algorithm separate --missing-links random-cut:2:3"),
              HasSubstr("cut off; --replan runs on the part that is left"));
  EXPECT_THAT(fault_of("run --topology ring:8 --algorithm separate --missing-nodes random-cut:2:4"),
              HasSubstr("--missing-nodes: random-cut:2:4: node 7 is cut off; "));
  const Json cut = json(run + "--missing-links random-cut:2:3 --replan");
  EXPECT_FALSE(cut["config"]["cut_off"].empty());
  EXPECT_EQ(cut["config"]["cut_off"].size() + cut["config"]["graph"]["routers"].get<std::size_t>(),
            8U);
  EXPECT_EQ(cut["reached"]["delivered"], cut["reached"]["destinations"]);
  EXPECT_EQ(cut, [&] {
    Json again = json(run + "--missing-links random-cut:2:3 --replan --seed 1");
    for (const char* key : {"wall_seconds", "static_wall_seconds"}) {
      if (cut.contains(key)) again[key] = cut[key];
    }
    return again;
  }());
  EXPECT_THAT(fault_of("run --topology ring:8 --algorithm separate --missing-links random-cut:9"),
              HasSubstr("--missing-links random-cut:9: ring:8 has 8 links"));
}

// ---- The part that is left ----

TEST_F(CliReplan, IsOnThePartOfTheSourceOrTheLargest) {
  const Json left = json("run --json - --algorithm separate " + corner);
  EXPECT_EQ(left["config"]["cut_off"], Json::array({"0"}));
  EXPECT_EQ(left["config"]["source"], Json::array({1}));
  EXPECT_EQ(left["reached"]["destinations"], 14);
  const std::string halves =
      "--topology mesh:4 --missing-links 1-2 --replan --algorithm separate --json - ";
  EXPECT_EQ(json("run " + halves)["config"]["cut_off"], Json::array({"2", "3"}));
  EXPECT_EQ(json("run " + halves + "--source 3")["config"]["cut_off"], Json::array({"0", "1"}));
  EXPECT_EQ(json("run " + halves + "--source 3")["latency"]["by_destination"].size(), 1U);
  // One way is not enough.
  EXPECT_EQ(json("run --topology mesh:4 --missing-links '2>3' --replan --algorithm separate "
                 "--json -")["config"]["cut_off"],
            Json::array({"3"}));
}

TEST_F(CliReplan, IsOnAPartOfAGraphThatIsInSeveral) {
  write("parts.csv", "u,v\na,b\nb,c\nd,e\n");
  const std::string run = "run --topology graph:parts.csv ";
  for (const std::string work :
       {"--algorithm separate", "--pattern uniform --rate 0.1 --cycles 100"}) {
    EXPECT_THAT(fault_of(run + work), HasSubstr("--replan runs on what is connected")) << work;
    EXPECT_EQ(json(run + work + " --replan --json -")["config"]["cut_off"], Json::array({"d", "e"}))
        << work;
  }
  EXPECT_EQ(
      json(run + "--algorithm ring-allreduce --source e --replan --json -")["config"]["cut_off"],
      Json::array({"a", "b", "c"}));
  EXPECT_THAT(allport("check --topology graph:parts.csv --algorithm separate --replan").out,
              HasSubstr("d and e"));
  write("run.toml",
        "[fabric]\ntopology = \"graph:parts.csv\"\nreplan = true\n"
        "[traffic]\nalgorithm = \"separate\"\nsource = \"d\"\n");
  EXPECT_EQ(json("run run.toml --json -")["config"]["cut_off"], Json::array({"a", "b", "c"}));
}

TEST_F(CliReplan, SaysWhoIsCutOffAndWhoWasReached) {
  const Outcome run = allport("run --algorithm dims-allreduce " + corner);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\ncut off     node 0 is cut off, and no messages go there\n"));
  EXPECT_THAT(run.out, HasSubstr("\nreached     delivered to 15 of 15 that can be reached\n"));
  const Json config = json("run --algorithm dims-allreduce --json - " + corner)["config"];
  EXPECT_EQ(config["missing_links"], Json::parse("[[0,1],[0,4],[1,0],[4,0]]"));
  EXPECT_THAT(allport("explain --algorithm dims-allreduce " + corner).out,
              HasSubstr("node 0 is cut off"));
}

TEST_F(CliReplan, RefusesASourceThatIsNotThere) {
  const std::string run = "run --algorithm separate --topology mesh:4x4 --replan ";
  for (const auto& [options, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"--source 0 --missing-links 0-1,0-4",
            "--missing-links: the source, node 0 of mesh:4x4, is cut off from all others"},
           {"--source 5 --missing-nodes 5",
            "--missing-nodes: the source, node 5 of mesh:4x4, is missing"},
           {"--source 0 --missing-nodes 1,4",
            "--missing-nodes: the source, node 0 of mesh:4x4, is cut off from all others"},
           {"--source 0,15 --missing-links 11-15,14-15",
            "--missing-links: the sources, nodes 0 and 15 of mesh:4x4, are cut off from each "
            "other"},
           {"--missing-nodes 5 --destinations 5",
            "--destinations: '5' is not a node of mesh:4x4 without node 5, for it is missing"},
           {"--missing-links 0-1,0-4 --destinations 0",
            "--destinations: '0' is not a node of mesh:4x4 without node 0, for it is missing"}}) {
    EXPECT_THAT(fault_of(run + options), HasSubstr(sentence)) << options;
  }
}

// ---- What nodes are called ----

// The values that JSON has under keys of nodes, wherever they stand.
void collect_nodes(const Json& json, std::vector<int>& nodes) {
  static const std::vector<std::string> keys{
      "u",     "v",      "node",        "source",        "destination",   "destinations",
      "nodes", "relays", "contributor", "growing_nodes", "missing_links", "hotspot",
      "place", "group",  "crossing",    "from_node",     "reached_nodes", "via"};
  const std::function<void(const Json&)> take = [&](const Json& value) {
    if (value.is_number()) nodes.push_back(value.get<int>());
    if (value.is_array()) {
      for (const Json& one : value) take(one);
    }
  };
  if (json.is_array()) {
    for (const Json& one : json) collect_nodes(one, nodes);
  }
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    const bool is_count = key == "destinations" && value.is_number();
    if (!is_count && std::find(keys.begin(), keys.end(), key) != keys.end()) take(value);
    if (key == "by_destination") {
      for (const auto& item : value.items()) nodes.push_back(std::stoi(item.key()));
    }
    collect_nodes(value, nodes);
  }
}

// Node 0 of 3 x 3 is missing: what is left has the numbers 1 to 8 of the whole fabric, and the
// count from 0 on, which the machine has, is told nowhere.
class CliReplanNames : public CliReplan, public testing::WithParamInterface<std::string> {};

TEST_P(CliReplanNames, NodesHaveTheNumbersOfTheWholeFabricInJson) {
  write("flows.csv", "1,8,0.2,8\n8,1,0.2,8\n3,8,0.1,4\n");
  write("places.txt", "8\n7\n6\n5\n4\n3\n2\n1\n");
  for (const std::string missing : {"--missing-nodes 0 ", "--missing-links 0-1,0-3 --replan "}) {
    const std::string line = GetParam() + " --topology mesh:3x3 " + missing + "--json out.json";
    const Outcome run = allport(line);
    EXPECT_THAT(run.status, testing::AnyOf(0, 1, 3)) << line << "\n" << run.err;
    Json json = Json::parse(content("out.json"));
    // Both ends of the links are told, that which is not there included.
    if (json.is_object() && json.contains("config")) json["config"].erase("missing_links");
    std::vector<int> nodes;
    collect_nodes(json, nodes);
    ASSERT_FALSE(nodes.empty()) << line;
    EXPECT_EQ(*std::min_element(nodes.begin(), nodes.end()), 1) << line << json.dump(1);
    EXPECT_EQ(*std::max_element(nodes.begin(), nodes.end()), 8) << line << json.dump(1);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Runs, CliReplanNames,
    testing::Values(
        "run --algorithm separate --explain all",
        "run --algorithm separate --model worm --explain all",
        "run --algorithm ring-allreduce --place 8,7,6,5,4,3,2,1 --explain all",
        "run --algorithm ring-allreduce --place places.txt",
        "run --algorithm separate --group 1,2,8", "explain --algorithm direct-alltoall",
        "run --pattern uniform --rate 0.9 --cycles 300 --explain all",
        "run --pattern hotspot --rate 0.3 --hotspot 8 --cycles 300 --explain all",
        "run --flows flows.csv --cycles 300 --explain all",
        "run --pattern uniform --outstanding 2 --cycles 200 --explain all",
        "run --algorithm separate --lose-credit 1.0.0@+1,1.0.0@+1,1.0.0@+1,1.0.0@+1 --explain all",
        "run --algorithm direct-alltoall --flit-error-rate 0.1"));

TEST_F(CliReplan, TextAndTablesHaveTheNumbersOfTheWholeFabric) {
  const std::string cut = "--topology mesh:3x3 --missing-links 0-1,0-3,4-5 --replan ";
  const Outcome run = allport("run --algorithm separate --messages m.csv --channel-load c.csv " +
                              cut + "--report page.html");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("\nmissing     3 links: 0-1, 0-3, 4-5\n"));
  EXPECT_THAT(run.out, HasSubstr("node 1 sends to "));
  EXPECT_THAT(content("m.csv"), HasSubstr("\n0,1,2,0,"));
  EXPECT_THAT(content("m.csv"), testing::Not(HasSubstr("\n0,0,")));
  EXPECT_THAT(content("c.csv"), HasSubstr(",external,8,"));
  EXPECT_THAT(content("c.csv"), testing::Not(HasSubstr(",external,0,")));
  EXPECT_THAT(content("page.html"), HasSubstr("data-node=\"1\""));
  EXPECT_THAT(content("page.html"), testing::Not(HasSubstr("data-channel=\"0.")));
}

// A file that is read has the numbers that a file which is written has.
TEST_F(CliReplan, FilesHaveTheNumbersOfTheWholeFabric) {
  const std::string rim = "--topology mesh:3x3 --missing-nodes 4 ";
  const std::string plan = allport("schedule --algorithm separate " + rim).out;
  EXPECT_THAT(plan, HasSubstr("\"v\":8,"));
  EXPECT_THAT(plan, testing::Not(HasSubstr("\"v\":4,")));
  write("plan.jsonl", plan);
  EXPECT_EQ(json("run --schedule plan.jsonl --json - " + rim)["digest"],
            json("run --algorithm separate --json - " + rim)["digest"]);
  write("plan.jsonl", "{\"u\":0,\"v\":4,\"step\":1,\"order\":0}\n");
  EXPECT_THAT(fault_of("run --schedule plan.jsonl " + rim),
              HasSubstr("plan.jsonl:1: v: there is no node 4 in mesh:3x3 without node 4\n"));
  write("places.txt", "0,1,2,3,4,5,6,7\n");
  EXPECT_THAT(fault_of("run --algorithm ring-allreduce --place places.txt " + rim),
              HasSubstr("places.txt:1: there is no node 4 in mesh:3x3 without node 4"));
  write("flows.csv", "0,4,0.4,8\n");
  EXPECT_THAT(fault_of("run --flows flows.csv --cycles 200 " + rim),
              HasSubstr("there is no node 4 in mesh:3x3 without node 4"));
}

TEST_F(CliReplan, MissingLinksAreNamedInText) {
  const std::string run = "run --algorithm separate --topology torus:4x4 ";
  EXPECT_THAT(allport(run + "--missing-links '0>1,5-6'").out,
              HasSubstr("\nmissing     2 links: 0>1, 5-6\n"));
  const std::string drawn = allport(run + "--missing-links random:9:2").out;
  EXPECT_THAT(drawn, testing::ContainsRegex("\nmissing     9 links: ([0-9]+-[0-9]+, ){8}\\.\\."));
  EXPECT_THAT(allport(run + "--missing-links random:0").out, testing::Not(HasSubstr("\nmissing ")));
  EXPECT_THAT(allport("explain --algorithm separate --topology torus:4x4 --missing-links 0-1").out,
              HasSubstr("\nmissing     1 link: 0-1\n"));
}

// ---- Every collective ----

TEST_F(CliReplan, CollectivesOfAShapeLeaveOutWhoIsGone) {
  const std::string cube = "--topology hypercube:6 --missing-nodes 1,32,63 --replan --json - ";
  for (const auto& [algorithm, destinations] :
       std::vector<std::pair<std::string, int>>{{"ucube", 60},
                                                {"sbt", 60},
                                                {"esbt", 60},
                                                {"exchange-scatter", 60},
                                                {"sbt-reduce", 1},
                                                {"exchange-gather", 1},
                                                {"exchange-allgather", 61},
                                                {"exchange-alltoall", 61},
                                                {"exchange-allreduce", 61},
                                                {"exchange-barrier", 61},
                                                {"rabenseifner", 61},
                                                {"rotated-allreduce", 61},
                                                {"direct-neighbor", 61}}) {
    for (const char* model : {"systemc", "worm"}) {
      const Json found = json("run " + cube + "--algorithm " + algorithm + " --model " + model);
      EXPECT_EQ(found["reached"]["destinations"], destinations) << algorithm << " on " << model;
      EXPECT_EQ(found["reached"]["delivered"], destinations) << algorithm << " on " << model;
      for (const char* proof : {"exactly_once", "causality", "collective", "port_rule"}) {
        EXPECT_EQ(found["static"][proof]["ok"], true) << algorithm << ": " << proof;
      }
    }
  }
}

TEST_F(CliReplan, BothModelsMoveTheSame) {
  for (const std::string algorithm : {"wsort-allreduce", "exchange-allgather", "sbt-barrier"}) {
    const std::string run =
        "run --topology hypercube:5 --missing-nodes random:3:4 "
        "--missing-links random-cut:6:2 --replan --json - --algorithm " +
        algorithm;
    const Json flits = json(run + " --model systemc");
    const Json worms = json(run + " --model worm");
    for (const char* key : {"digest", "cycles", "messages", "flit_hops", "latency", "reached"}) {
      EXPECT_EQ(flits[key], worms[key]) << algorithm << ": " << key;
    }
  }
}

TEST_F(CliReplan, WormsToListsAreRefusedWithWhatCan) {
  EXPECT_THAT(
      fault_of("run --topology mesh:4x4 --algorithm dual-path --missing-links 0-1 --replan"),
      HasSubstr("algorithm dual-path sends worms to lists of nodes, which tables do not "
                "route, so it cannot be planned around what is missing; there are: "
                "separate, umesh, "));
  EXPECT_THAT(
      fault_of("run --topology hypercube:4 --algorithm hamiltonian --missing-nodes 3 --replan"),
      HasSubstr("there are: ucube, maxport, "));
}

TEST_F(CliReplan, TreesAndJoinsGoAroundOnASpanningTree) {
  for (const std::string algorithm : {"tree", "join-allreduce", "join-barrier"}) {
    const Json found = json("run --json - --algorithm " + algorithm + " " + corner);
    EXPECT_EQ(found["reached"]["delivered"], algorithm == "tree" ? 14 : 15) << algorithm;
  }
}

TEST_F(CliReplan, IsOfAllCommandsThatPlan) {
  EXPECT_THAT(allport("compare --collective allreduce --topology hypercube:4 --missing-nodes 3,5 "
                      "--replan")
                  .out,
              HasSubstr("\nrabenseifner"));
  EXPECT_THAT(allport("compare --collective allreduce " + corner).out,
              HasSubstr("\nnode 0 is cut off\n"));
  EXPECT_THAT(allport("schedule --algorithm dims-bcast " + corner).out, HasSubstr("\"u\":1"));
  write("plan.jsonl", allport("schedule --algorithm dims-bcast " + corner).out);
  EXPECT_EQ(json("run --json - --schedule plan.jsonl " + corner)["digest"],
            json("run --json - --algorithm dims-bcast " + corner)["digest"]);
  EXPECT_EQ(allport("check plan.jsonl " + corner).status, 0);
  EXPECT_THAT(allport("show fabric --topology mesh:4x4 --missing-nodes 1,4 --replan").out,
              HasSubstr("mesh:4x4 without nodes 0, 1 and 4: 13 nodes"));
  write("run.toml",
        "[fabric]\ntopology = 'mesh:4x4'\nmissing_links = '0-1,0-4'\nreplan = true\n"
        "[traffic]\nalgorithm = 'dims-bcast'\nsource = 5\n");
  EXPECT_EQ(json("run run.toml --json -")["digest"],
            json("run --json - --algorithm dims-bcast --source 5 " + corner)["digest"]);
  EXPECT_EQ(allport("run run.toml --source 0").status, 2);
  const Outcome driven = allport("network " + corner, "send 0 7 16\nadvance 100\n");
  EXPECT_EQ(driven.status, 0) << driven.err;
}

TEST_F(CliReplan, SweepsGoFromTheWholeFabricOn) {
  const Outcome swept = allport(
      "sweep --topology torus:4x4 --algorithm dims-allreduce --replan --seed 1..3 "
      "--missing-links 'random:0;random:4;random-cut:14' --output points");
  EXPECT_EQ(swept.status, 0) << swept.err;
  const std::string table = content("points/results.csv");
  EXPECT_THAT(table, HasSubstr("random:0"));
  EXPECT_THAT(table, HasSubstr("random-cut:14"));
}

// ---- Patterns, traces, hotspots, routers in RTL ----

TEST_F(CliReplan, PatternsAndTracesAreAmongThoseThatAreLeft) {
  const Json pattern = json("run --pattern uniform --rate 0.1 --cycles 500 --json - " + corner);
  EXPECT_EQ(pattern["config"]["cut_off"], Json::array({"0"}));
  EXPECT_EQ(pattern["config"]["graph"]["routers"], 15);
  std::string trace;
  for (int rank = 0; rank < 16; ++rank) {
    const std::string name = std::to_string(rank);
    trace += name + " init\n" + name + " barrier\n" + name + " finalize\n";
  }
  write("calls.txt", trace);
  EXPECT_THAT(allport("replay calls.txt " + corner).err, HasSubstr("16"));
  EXPECT_EQ(allport("replay calls.txt " + corner).status, 2);
  EXPECT_THAT(fault_of("run --pattern hotspot --rate 0.1 --cycles 500 --hotspot 0 " + corner),
              HasSubstr("--hotspot: '0' is not a node of mesh:4x4 without node 0"));
  EXPECT_THAT(fault_of("cosim --algorithm separate --rtl-nodes 0 " + corner),
              HasSubstr("'0' is not a node of mesh:4x4 without node 0"));
  EXPECT_THAT(fault_of("run --algorithm separate --routing table:updown:0 " + corner),
              HasSubstr("updown:0"));
}

// ---- Bad input ----

TEST_F(CliReplan, BadInputIsOneSentence) {
  write("torn.links", "0-1\n2-3\n4-");
  write("half.links", "0-1\n2-3\n5");
  write("torn.nodes", "3\n0b");
  for (const auto& [options, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"--missing-links torn.links",
            "--missing-links: torn.links:3: '4-' must be two nodes, as in 0-1 or '0>1'"},
           {"--missing-links half.links", "--missing-links: half.links:3: '5' must be two nodes"},
           {"--missing-nodes torn.nodes", "--missing-nodes: torn.nodes:2: "},
           {"--missing-nodes 0,1,2,3,4,5,6,7",
            "--missing-nodes: they leave 0 nodes of hypercube:3 with a processor"},
           {"--missing-nodes random-cut:8", "'8' is not a whole number in 0..7"},
           {"--missing-nodes random-cut:7", "they leave 1 node of hypercube:3"},
           {"--missing-links random-cut:x", "'x' is not a whole number"},
           {"--missing-links random-cut:", "is not a whole number"}}) {
    for (const char* more : {"", " --replan"}) {
      const std::string said =
          fault_of("run --topology hypercube:3 --algorithm separate " + options + more);
      EXPECT_THAT(said, HasSubstr(sentence)) << options << more;
      EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << options << more;
    }
  }
}

}  // namespace
}  // namespace allport::test
