// SPDX-License-Identifier: Apache-2.0
// These tests check alltoalls whose pairs have lengths of their own, from the command line.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/cli_program.h"
#include "tests/support/draw.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Json = nlohmann::json;
using Table = std::vector<std::vector<int>>;

std::string csv(const Table& table) {
  std::string text;
  for (const std::vector<int>& row : table) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += (i == 0 ? "" : ",") + std::to_string(row[i]);
    }
    text += "\n";
  }
  return text;
}

Table random_table(Draw& draw, std::size_t ranks) {
  Table table(ranks, std::vector<int>(ranks));
  for (std::vector<int>& row : table) {
    for (int& cell : row) cell = draw.below(2) * draw.below(100);
  }
  table[0][1] = 100;
  return table;
}

// The table of nodes, where rank r is on node `nodes[r]`.
Table on_nodes(const Table& of_ranks, const std::vector<std::size_t>& nodes) {
  Table table = of_ranks;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = 0; j < nodes.size(); ++j) table[nodes[i]][nodes[j]] = of_ranks[i][j];
  }
  return table;
}

// The algorithms of an alltoall, and a fabric for each.
const std::vector<std::pair<std::string, std::string>>& all_to_alls() {
  static const std::vector<std::pair<std::string, std::string>> list{
      {"ring-alltoall", "ring:5"},          {"exchange-alltoall", "hypercube:3"},
      {"direct-alltoall", "mesh:3x2"},      {"xor-alltoall", "hypercube:3"},
      {"rotated-alltoall", "hypercube:3"},  {"dims-alltoall", "torus:3x2"},
      {"synthesized-alltoall", "torus:3x2"}};
  return list;
}

std::size_t nodes_of(const std::string& topology) {
  static const std::map<std::string, std::size_t> counts{
      {"ring:5", 5}, {"hypercube:3", 8}, {"mesh:3x2", 6}, {"torus:3x2", 6}};
  return counts.at(topology);
}

class CliCounts : public Cli {
 protected:
  std::string complaint(const std::string& arguments) const {
    const Outcome run = allport(arguments);
    EXPECT_EQ(run.status, 2) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    return run.err;
  }
};

TEST_F(CliCounts, AreAskedForByNameOfTheCollective) {
  const Outcome run = allport("run --topology ring:4 --algorithm alltoallv");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(
      run.err,
      HasSubstr(
          "alltoallv is what every algorithm of alltoall does with --counts: unknown algorithm 'alltoall': did you mean one of ring-alltoall, "));
}

TEST_F(CliCounts, ThatAreAllAlikeAreTheirLength) {
  for (const auto& [algorithm, topology] : all_to_alls()) {
    const std::string run = "run --topology " + topology + " --algorithm " + algorithm +
                            " --ts 7 --tr 2 --explain slowest:1 --json - ";
    const std::size_t nodes = nodes_of(topology);
    write("c.csv", csv(Table(nodes, std::vector<int>(nodes, 42))));
    const Json uniform = json(run + "--bytes 42");
    const Json counted = json(run + "--counts c.csv");
    for (const char* key : {"digest", "cycles", "messages", "flit_hops", "latency", "bound"}) {
      EXPECT_EQ(counted[key], uniform[key]) << algorithm << " " << key;
    }
    EXPECT_EQ(counted["config"]["flits"], 11);
    EXPECT_EQ(counted["config"]["bytes"], 42);
    EXPECT_EQ(counted["config"]["counts"]["ranks"], nodes);
    EXPECT_EQ(counted["config"]["counts"]["bytes"], 42 * nodes * (nodes - 1));
    EXPECT_TRUE(counted["bandwidth"].is_null()) << "there is no one length";
  }
}

TEST_F(CliCounts, AreTheSameOnFlitsAndWormsAndProved) {
  Draw draw(36);
  for (const auto& [algorithm, topology] : all_to_alls()) {
    write("c.csv", csv(random_table(draw, nodes_of(topology))));
    const std::string what =
        " --topology " + topology + " --algorithm " + algorithm + " --ts 3 --counts c.csv";
    const Json flits = json("run" + what + " --json -");
    EXPECT_TRUE(flits["latency"]["max"].is_number()) << algorithm;
    EXPECT_EQ(flits["config"]["bytes"], 100);
    EXPECT_GE(flits["latency"]["max"], flits["bound"]["cycles"]) << algorithm;
    EXPECT_EQ(json("run" + what + " --model worm --json -")["digest"], flits["digest"]);
    EXPECT_EQ(json("run" + what + " --model worm --payload symbolic --json -")["digest"],
              flits["digest"]);
    const Outcome checked = allport("check" + what + " --require collective --json -");
    EXPECT_EQ(checked.status, 0) << algorithm << checked.err;
    EXPECT_EQ(Json::parse(checked.out)["collective"]["ok"], true);
  }
}

// A message carries the sum of its blocks: in the exchange on two dimensions node 0 sends to node 1
// the blocks for nodes 1 and 3.
TEST_F(CliCounts, AddUpInMessagesOfSeveralBlocks) {
  write("c.csv", "0,1,8,20\n0,0,0,0\n0,0,0,0\n0,3,0,0\n");
  const Json run = json(
      "run --topology hypercube:2 --algorithm exchange-alltoall --counts c.csv --explain all --json -");
  std::map<std::pair<int, int>, int> flits;
  for (const Json& one : run["explanation"]["messages"]) {
    flits[{one["source"], one["destination"]}] = one["flits"];
  }
  const std::map<std::pair<int, int>, int> expected{
      {{0, 1}, 1 + 5}, {{0, 2}, 2}, {{1, 3}, 5}, {{3, 1}, 1}};
  EXPECT_EQ(flits, expected);
}

TEST_F(CliCounts, AreOfRanksWhereverTheySit) {
  Draw draw(5);
  const Table table = random_table(draw, 8);
  write("ranks.csv", csv(table));
  std::vector<std::size_t> nodes{5, 2, 7, 0, 1, 6, 3, 4};
  std::string place;
  for (const std::size_t node : nodes) place += std::to_string(node) + "\n";
  write("place", place);
  write("nodes.csv", csv(on_nodes(table, nodes)));
  const std::string run = "run --topology ring:8 --algorithm direct-alltoall --ts 2 --json - ";
  const Json placed = json(run + "--place place --counts ranks.csv");
  EXPECT_TRUE(placed["latency"]["max"].is_number());
  // The plan is made for ranks, and the bytes of each pair are the same.
  const auto pairs_of = [&](const std::string& options) {
    const Outcome lines =
        allport("schedule --topology ring:8 --algorithm direct-alltoall " + options);
    EXPECT_EQ(lines.status, 0) << lines.err;
    std::vector<std::pair<int, int>> pairs;
    std::istringstream in(lines.out);
    for (std::string line; std::getline(in, line);) {
      const Json one = Json::parse(line);
      pairs.emplace_back(one["u"], one["v"]);
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  };
  EXPECT_EQ(pairs_of("--place place --counts ranks.csv"), pairs_of("--counts nodes.csv"));
  EXPECT_EQ(placed["config"]["counts"]["bytes"],
            json(run + "--counts nodes.csv")["config"]["counts"]["bytes"]);
}

// What is printed is what was planned, and a program's GPUs are ranks that may be placed.
TEST_F(CliCounts, GoWithSchedulesAndPrograms) {
  Draw draw(9);
  const Table table = random_table(draw, 8);
  write("c.csv", csv(table));
  const std::string machine = "--topology hypercube:3 ";
  for (const std::string algorithm : {"exchange-alltoall", "direct-alltoall"}) {
    const std::string plan = machine + "--algorithm " + algorithm + " ";
    shell("allport schedule " + plan + "--counts c.csv > counted.jsonl");
    shell("allport schedule " + plan + " > all.jsonl");
    shell("allport schedule " + plan + "--format msccl > all.xml");
    const Json run = json("run " + plan + "--counts c.csv --ts 4 --json -");
    for (const std::string file : {"counted.jsonl", "all.jsonl", "all.xml"}) {
      const std::string of_file =
          machine + "--collective alltoall --counts c.csv --schedule " + file;
      // The lines of a file keep their order, which the digest has, where others are left out.
      const Json of_lines = json("run --ts 4 --json - " + of_file);
      for (const char* key : {"cycles", "messages", "flit_hops", "latency"}) {
        EXPECT_EQ(of_lines[key], run[key]) << file << " " << key;
      }
      EXPECT_EQ(allport("check --require collective " + of_file).status, 0) << file;
      if (file == "all.jsonl") continue;
      EXPECT_EQ(of_lines["digest"], run["digest"]) << file;
    }
  }
  const std::vector<std::size_t> nodes{5, 2, 7, 0, 1, 6, 3, 4};
  write("place", "5\n2\n7\n0\n1\n6\n3\n4\n");
  write("nodes.csv", csv(on_nodes(table, nodes)));
  const std::string placed = machine + "--place place --schedule all.xml --counts c.csv --json - ";
  const Json of_ranks = json("run " + placed);
  EXPECT_TRUE(of_ranks["latency"]["max"].is_number());
  // Whoever reads the lines that it says finds the bytes of the nodes.
  std::string lines;
  for (const Json& line : of_ranks["config"]["schedule"]) lines += line.dump() + "\n";
  write("placed.jsonl", lines);
  EXPECT_EQ(
      json(
          "run --topology hypercube:3 --schedule placed.jsonl --collective alltoall --counts nodes.csv --json -")
          ["digest"],
      of_ranks["digest"]);
}

TEST_F(CliCounts, AreInScenariosSweepsAndComparisons) {
  Draw draw(2);
  write("c.csv", csv(random_table(draw, 8)));
  write("d.csv", csv(random_table(draw, 8)));
  write("s.toml",
        "[fabric]\ntopology = \"hypercube:3\"\n[message]\nbytes = 64\n[traffic]\n"
        "algorithm = \"exchange-alltoall\"\n");
  EXPECT_EQ(json("run s.toml --counts c.csv --json -")["config"]["counts"]["ranks"], 8);
  write("t.toml",
        "[fabric]\ntopology = \"hypercube:3\"\n[message]\ncounts = \"c.csv\"\n[traffic]\n"
        "algorithm = \"exchange-alltoall\"\n");
  EXPECT_EQ(json("run t.toml --json -")["digest"],
            json("run s.toml --counts c.csv --json -")["digest"]);
  EXPECT_FALSE(json("run t.toml --bytes 8 --json -")["config"].contains("counts"));

  EXPECT_EQ(allport("sweep t.toml --counts c.csv,d.csv --output points").status, 0);
  std::istringstream points(content("points/results.jsonl"));
  std::vector<Json> found;
  for (std::string line; std::getline(points, line);) found.push_back(Json::parse(line));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NE(found[0]["name"], found[1]["name"]);
  EXPECT_EQ(found[0]["result"]["digest"], json("run t.toml --json -")["digest"]);
  EXPECT_THAT(complaint("sweep t.toml --counts - --output other"),
              HasSubstr("--counts: - is stdin, which can be read only once"));

  const Outcome compared =
      allport("compare --topology hypercube:3 --collective alltoall --counts c.csv --json c.json");
  EXPECT_EQ(compared.status, 0) << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("exchange-alltoall"));
  EXPECT_GT(Json::parse(content("c.json")).size(), 3U);
}

TEST_F(CliCounts, AreExplainedAndReadFromStdin) {
  Draw draw(3);
  write("c.csv", csv(random_table(draw, 6)));
  const std::string what = " --topology torus:3x2 --algorithm dims-alltoall --counts ";
  const Json run = json("run" + what + "c.csv --json -");
  EXPECT_EQ(json("explain" + what + "c.csv --json -")["digest"], run["digest"]);
  for (const std::string command : {"run", "check"}) {
    EXPECT_EQ(shell("allport " + command + what + "- <c.csv").status,
              allport(command + what + "c.csv").status);
  }
  const Outcome told = allport("run" + what + "c.csv --report p.html");
  EXPECT_EQ(told.status, 0);
  EXPECT_THAT(told.out, HasSubstr("message     25 flits at most (100 bytes), "));
  EXPECT_THAT(told.out, HasSubstr(" bytes in all: c.csv, ts 0, tr 0\n"));
  EXPECT_THAT(content("p.html"), HasSubstr("in all: c.csv"));
}

TEST_F(CliCounts, MustFitToWhatIsSent) {
  write("c.csv", "0,1,2,3\n4,0,6,7\n8,9,0,1\n2,3,4,0\n");
  const std::string run = "run --topology ring:4 --counts c.csv ";
  EXPECT_EQ(complaint(run + "--algorithm ring"),
            "allport: --counts c.csv: the bytes of each pair are for alltoall, not for bcast\n");
  EXPECT_EQ(
      complaint(run + "--algorithm ring-allreduce"),
      "allport: --counts c.csv: the bytes of each pair are for alltoall, not for allreduce\n");
  EXPECT_EQ(complaint("compare --topology ring:4 --counts c.csv"),
            "allport: --counts c.csv: the bytes of each pair are for alltoall, not for bcast\n");
  EXPECT_EQ(complaint("run --topology ring:5 --counts c.csv --algorithm ring-alltoall"),
            "allport: --counts c.csv: the table is of 4 ranks, but 5 nodes take part\n");
  EXPECT_EQ(
      complaint("run --topology ring:8 --group 0,1,2 --counts c.csv --algorithm ring-alltoall"),
      "allport: --counts c.csv: the table is of 4 ranks, but 3 nodes take part\n");
  EXPECT_EQ(
      allport("run --topology ring:8 --group 0,1,2,7 --counts c.csv --algorithm ring-alltoall")
          .status,
      0);
  const std::string all = run + "--algorithm ring-alltoall ";
  EXPECT_THAT(complaint(all + "--bytes 8"), HasSubstr("--bytes and --counts exclude each other"));
  EXPECT_THAT(complaint(all + "--flits 8"), HasSubstr("--flits and --counts exclude each other"));
  EXPECT_THAT(
      complaint("run --topology ring:4 --pattern uniform --rate 0.1 --cycles 9 --counts c.csv"),
      HasSubstr("--pattern and --counts exclude each other"));
  EXPECT_THAT(
      complaint("compare --topology ring:4 --collective alltoall --counts c.csv --sizes 1..8"),
      HasSubstr("--sizes and --counts exclude each other"));
  EXPECT_THAT(
      complaint(
          "schedule --topology ring:4 --algorithm ring-alltoall --counts c.csv --format msccl"),
      StartsWith("allport: --format msccl: the chunks of a program have no length"));
  EXPECT_THAT(complaint(run + "--schedule - --collective alltoall"),
              HasSubstr("the schedule holds no unicasts"));
  EXPECT_EQ(
      complaint("run --topology ring:4 --counts - --schedule - --collective alltoall"),
      "allport: --counts and --schedule are both stdin, which can be read only once; give one of them as a file\n");
  write("timed.jsonl", "{\"u\":0,\"v\":1,\"step\":1,\"order\":0,\"flits\":3}\n");
  EXPECT_EQ(
      complaint(run + "--schedule timed.jsonl"),
      "allport: timed.jsonl: its messages have flits, at or class, so --counts c.csv, which is for the blocks of an alltoall, does not go with it\n");
  write("plain.jsonl", "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n");
  EXPECT_EQ(complaint(run + "--schedule plain.jsonl"),
            "allport: --counts c.csv: the bytes of each pair are for alltoall, not for bcast\n");
  write("none.csv", "0,0\n0,0\n");
  EXPECT_EQ(complaint("run --topology ring:2 --algorithm ring-alltoall --counts none.csv"),
            "allport: none.csv: no rank has a byte for another one, so nothing is to be sent\n");
  EXPECT_THAT(complaint("run --topology ring:2 --algorithm ring-alltoall --counts there.csv"),
              HasSubstr("the counts there.csv cannot be read"));
  EXPECT_THAT(complaint(all + "--json c.csv"), HasSubstr("the counts"));
}

}  // namespace
}  // namespace allport::test
