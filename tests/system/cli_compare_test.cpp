// SPDX-License-Identifier: Apache-2.0
// These tests check what `allport compare` and `allport bench` print.
#include <gmock/gmock.h>

#include <map>
#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using CliRuns = Cli;

TEST_F(CliRuns, CompareShowsTheoryBesideSimulation) {
  const nlohmann::json rows =
      json("compare --topology hypercube:4 --ts 50 --algorithms wsort,tree --json -");

  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["algorithm"], "wsort");
  EXPECT_EQ(rows[0]["theory"], rows[0]["max"]);
  EXPECT_EQ(rows[0]["events"], 0);
  EXPECT_EQ(rows[1]["algorithm"], "tree");
  EXPECT_EQ(rows[1]["max"], 50 + 4 + 16);
  EXPECT_EQ(rows[1]["steps"], 4);
}

// Each row is what `run` has of the algorithm; theory and bounds know ts and tr only.
TEST_F(CliRuns, CompareTakesNodeModels) {
  const std::string fabric = " --topology hypercube:3 --ts 50 --tr 9 --flits 8 --json - ";
  for (const char* model :
       {"--startup per-port", "--ts-per-flit 2", "--tr-per-flit 3", "--send blocking",
        "--receive occupies", "--duplex half", "--bandwidth shared"}) {
    const nlohmann::json rows = json("compare --algorithms wsort,sbt" + fabric + model);
    ASSERT_EQ(rows.size(), 2U) << model;
    for (const nlohmann::json& row : rows) {
      const nlohmann::json alone =
          json("run --algorithm " + row["algorithm"].get<std::string>() + fabric + model);
      EXPECT_EQ(row["max"], alone["latency"]["max"]) << model;
      EXPECT_EQ(row["theory"], nullptr) << model;
      EXPECT_EQ(row["bound"], nullptr) << model;
    }
  }
  const Outcome table = allport("compare --topology hypercube:3 --ts 50 --startup per-port");
  EXPECT_THAT(table.out, Not(HasSubstr("no message waits for a port")));
  const Outcome outcome =
      allport("compare --topology hypercube:3 --receive occupies --explain all");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, StartsWith("allport: --receive occupies: the causes of latencies"));
}

// Which algorithms are for fabrics of other sizes, and for which; those of other kinds are not
// told.
TEST_F(CliRuns, CompareSaysWhatTheSizeOfTheFabricLeavesOut) {
  const std::string uneven = allport("compare --topology torus:12x12 --ts 100").out;
  EXPECT_THAT(
      uneven,
      HasSubstr("left out dcf, zblock, edn, edn-reading, far-then-near: they are for 2^d x 2^d "
                "tori, and torus:12x12 is none of these\n"));
  EXPECT_THAT(uneven, Not(HasSubstr("ucube")));
  EXPECT_THAT(allport("compare --topology torus:8x8 --ts 100").out, Not(HasSubstr("left out")));
  const Outcome one = allport("run --topology torus:12x12 --algorithm dcf");
  EXPECT_THAT(one.err, HasSubstr("dcf is for 2^d x 2^d tori"));
}

// What `run --explain` says of each algorithm, below the table.
TEST_F(CliRuns, CompareSaysWhereTheCyclesOfEachAlgorithmAre) {
  const std::string on = " --topology hypercube:4 --destinations 3,5,9,12,14 ";
  const Outcome both = allport("compare" + on + "--algorithms ucube,sbt --explain all");
  ASSERT_EQ(both.status, 0) << both.err;
  for (const std::string name : {"ucube", "sbt"}) {
    const std::string alone = allport("explain" + on + "--algorithm " + name).out;
    const std::size_t at = alone.find("critical path");
    ASSERT_NE(at, std::string::npos) << alone;
    EXPECT_THAT(both.out, HasSubstr("\n" + name + "\n"));
    EXPECT_THAT(both.out, HasSubstr(alone.substr(at, alone.find("\n\n", at) - at)));
  }
}

// What most is lost to is a column where latencies are explained.
TEST_F(CliRuns, CompareNamesTheLargestLoss) {
  const std::string compare =
      "compare --topology torus:4x4 --flits 32 --algorithms bucket-allreduce,swing-allreduce ";
  EXPECT_THAT(allport(compare).out, Not(HasSubstr("largest loss")));
  const std::string table = allport(compare + "--explain slowest:1").out;
  EXPECT_THAT(table, HasSubstr("  of bound  largest loss "));
  EXPECT_THAT(table, HasSubstr("     0.381  ports without work 36 %  "));
  EXPECT_THAT(table,
              HasSubstr("\nlargest loss  what most of max goes to that the bound does without\n"));
}

// Worms explain neither trees nor joins, and the table says who does.
TEST_F(CliRuns, CompareSaysWhatWormsDoNotExplain) {
  const Outcome outcome = allport(
      "compare --topology hypercube:3 --collective allreduce --model worm --explain slowest:1");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(
      outcome.out,
      HasSubstr(
          "\nleft out join-allreduce: worms explain unicasts only; --model systemc explains it\n"));
  EXPECT_THAT(
      allport("compare --topology hypercube:3 --model worm --explain slowest:1").out,
      HasSubstr("left out tree: worms explain unicasts only; --model systemc explains it\n"));
}

// Each row is what `run` has of the algorithm on the fabric.
TEST_F(CliRuns, CompareTakesSeveralFabrics) {
  write("ends.dot",
        "graph { s [processor=false] a--s; b--s; c--s; d--s; e--s; s--t; t [processor=false] }");
  const std::string common = " --ranks 4 --bytes 64 --json - ";
  const nlohmann::json rows = json(
      "compare --topology 'torus:3x3; graph:ends.dot' --routing ';table:shortest' --collective alltoall --algorithms direct-alltoall,ring-alltoall" +
      common);
  ASSERT_EQ(rows.size(), 4U);
  for (const nlohmann::json& row : rows) {
    const std::string topology = row["topology"];
    const std::string routing = topology == "torus:3x3" ? "" : " --routing table:shortest";
    const nlohmann::json alone = json("run --topology " + topology + routing + " --algorithm " +
                                      row["algorithm"].get<std::string>() + common);
    EXPECT_EQ(row["max"], alone["latency"]["max"]) << row;
    EXPECT_EQ(row["bound"], alone["bound"]["cycles"]) << row;
    EXPECT_EQ(row["bound_binds"], alone["bound"]["binds"]) << row;
    EXPECT_LE(row["busiest_link"]["cycles"], row["max"]) << row;
  }
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_LE(rows[i - 1]["max"], rows[i]["max"]);
}

// Three blocks of 16 flits from each of the other nodes of the star, over one channel to node a.
TEST_F(CliRuns, CompareNamesTheBusiestLinkOfEachFabric) {
  write("star.dot", "graph { s [processor=false] a--s; b--s; c--s; d--s [delay=3] }");
  const Outcome outcome = allport(
      "compare --topology 'ring:4;graph:star.dot' --collective alltoall --algorithms direct-alltoall,synthesized-alltoall --flits 16");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, ContainsRegex("graph:star.dot +direct-alltoall .* 48 +a -> s .port 0."));
  EXPECT_THAT(outcome.out, ContainsRegex("ring:4 +synthesized-alltoall"));
  EXPECT_THAT(outcome.out, HasSubstr("on graph:star.dot: left out synthesized-alltoall: "));
}

// Rows that are done are not lost where another fabric has none.
TEST_F(CliRuns, CompareKeepsTheRowsOfOtherFabrics) {
  write("star.dot", "graph { s [processor=false] a--s; b--s; c--s; d--s }");
  const Outcome outcome = allport(
      "compare --topology 'ring:4;graph:star.dot' --collective alltoall --algorithms synthesized-alltoall --json rows.json");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.out, ContainsRegex("ring:4 +synthesized-alltoall"));
  EXPECT_THAT(outcome.err, StartsWith("allport: graph:star.dot: algorithm synthesized-alltoall"));
  EXPECT_EQ(nlohmann::json::parse(content("rows.json")).size(), 1U);
}

TEST_F(CliRuns, CompareOfSeveralFabricsRefusesWhatIsOfOne) {
  const std::string two = "compare --topology 'ring:4;ring:5' --collective allreduce ";
  for (const auto& [options, sentence] :
       {std::pair<const char*, const char*>{"--sizes 8,16", "--sizes is for one fabric"},
        {"--explain all", "--explain is for one fabric"},
        {"--ranks 5", "ring:4: --ranks 5: ring:4 has 4 nodes, so N must be 2..4"},
        {"--ranks 1", "'1' is not a whole number in 2..1048576"},
        {"--ranks 3 --group 0,1", "--ranks N and --group or --groups exclude each other"},
        {"--routing ';;'", "there are 3 routings for 2 fabrics"}}) {
    const Outcome outcome = allport(two + options);
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << options;
  }
  const Outcome nameless = allport("compare --topology 'ring:4;' --collective allreduce");
  EXPECT_EQ(nameless.status, 2);
  EXPECT_THAT(nameless.err, HasSubstr("a fabric has no name"));
}

TEST_F(CliRuns, CompareTakesAllThatApply) {
  const std::string all = allport("compare --topology hypercube:3").out;
  const std::string some = allport("compare --topology hypercube:3 --destinations 1,5").out;

  EXPECT_THAT(all, HasSubstr("tree"));
  EXPECT_THAT(all, Not(HasSubstr("dcf")));
  EXPECT_THAT(some, Not(HasSubstr("tree")));
  EXPECT_THAT(some, HasSubstr("wsort"));
}

TEST_F(CliRuns, CompareLeavesOutTheWormsThatTheOptionsDoNotAllow) {
  const std::string all = "compare --topology hypercube:3 --json -";
  const nlohmann::json systemc = json(all);
  EXPECT_EQ(json(all + " --model worm").size(), systemc.size());
  for (const std::string option : {" --pieces 4", " --model worm --explain all"}) {
    const nlohmann::json rows = json(all + option);
    ASSERT_EQ(rows.size() + 2, systemc.size()) << option;
    for (const nlohmann::json& row : rows) {
      EXPECT_NE(row["algorithm"], "tree") << option;
      EXPECT_NE(row["algorithm"], "hamiltonian") << option;
    }
  }
  EXPECT_EQ(json("compare --topology hypercube:3 --algorithms wsort --json - --model worm"),
            json("compare --topology hypercube:3 --algorithms wsort --json -"));
}

// The choice of the model changes no result.
TEST_F(CliRuns, CompareChoosesTheModel) {
  const auto without_model = [](nlohmann::json rows) {
    for (nlohmann::json& row : rows) row.erase("model");
    return rows;
  };
  for (const char* traffic :
       {"--topology hypercube:4 --ts 30 --destinations random:7 --trials 3",
        "--topology torus:5x4 --collective alltoall --flits 7 --jitter 9",
        "--topology ring:8 --collective allgather --ts 11 --tr 3 --link-delay 1",
        "--topology mesh:3x3 --collective gather --ports 1"}) {
    const std::string compare = std::string("compare --json - ") + traffic;
    const nlohmann::json rows = json(compare);
    EXPECT_EQ(rows[0]["model"], "worm") << traffic;
    EXPECT_EQ(without_model(rows), without_model(json(compare + " --model systemc"))) << traffic;
  }
  EXPECT_THAT(allport("compare --topology hypercube:3 --algorithms wsort").out,
              EndsWith("model worm\n"));
  EXPECT_THAT(allport("compare --topology hypercube:3 --algorithms wsort,tree").out,
              EndsWith("model worm\n"));
  EXPECT_THAT(allport("compare --topology hypercube:3 --algorithms wsort,hamiltonian").out,
              EndsWith("model worm\n"));
  EXPECT_THAT(
      allport("run --topology hypercube:3 --algorithm hamiltonian --model auto --explain all").out,
      HasSubstr("model       systemc, chosen by --model auto: model worm explains the latencies"));
}

// Of the algorithms that it takes by itself, those that refuse to be planned are told, not fatal.
TEST_F(CliRuns, CompareLeavesOutPlansThatAreTooLarge) {
  const Outcome all = allport("compare --topology torus:8x8x8 --collective allreduce --flits 64");
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("\nbucket-allreduce "));
  EXPECT_THAT(all.out, HasSubstr("left out synthesized-allreduce: torus:8x8x8 is too large"));
  const Outcome named = allport(
      "compare --topology torus:8x8x8 --collective allreduce --flits 64 --algorithms bucket-allreduce,synthesized-allreduce");
  EXPECT_EQ(named.status, 2);
  EXPECT_THAT(named.err, StartsWith("allport: torus:8x8x8 is too large"));
  EXPECT_THAT(allport("compare --topology ring:4 --source 9").err,
              HasSubstr("source 9 is not a node of ring:4"));
}

// One that takes no pieces does not keep the others from being compared.
TEST_F(CliRuns, CompareLeavesOutWhatTakesNoPieces) {
  const std::string named = "compare --topology torus:4x4 --algorithms dcf,dims-bcast,tree,utorus ";
  const std::string reason =
      "left out tree: --pieces: only multicasts by unicasts can be cut; the algorithm tree sends worms\n";
  for (const std::string pieces : {"best", "2"}) {
    const Outcome all = allport(named + "--pieces " + pieces);
    EXPECT_EQ(all.status, 0) << all.err;
    EXPECT_THAT(all.out, HasSubstr("\ndims-bcast "));
    EXPECT_THAT(all.out, HasSubstr(reason));
    const Outcome as_json = allport(named + "--json - --pieces " + pieces);
    EXPECT_THAT(as_json.err, HasSubstr(reason));
    EXPECT_THAT(as_json.out, Not(HasSubstr("\"tree\"")));
  }
  const Outcome none = allport("compare --topology torus:4x4 --algorithms tree --pieces best");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, StartsWith("allport: --pieces: only multicasts by unicasts can be cut"));
}

// On a ring with all ports, two parts go both ways round: about half the latency.
TEST_F(CliRuns, CompareShowsBothNumbersOfPartsWhereTheyMatter) {
  for (const std::string collective : {"reduce_scatter", "allreduce"}) {
    const std::string name = collective == "allreduce" ? "ring-allreduce" : "ring-reduce-scatter";
    const std::string fabric = "--topology ring:8 --bytes 4KiB";
    const std::string options = fabric + " --collective " + collective;
    const auto latency = [&](const std::string& parts) {
      return json("run --algorithm " + name + " --json - " + fabric + " --parts " +
                  parts)["latency"]["max"];
    };
    std::map<int, nlohmann::json> rows;
    for (const nlohmann::json& row : json("compare --json - " + options)) {
      if (row["algorithm"] == name) rows[row["parts"]] = row["max"];
    }
    ASSERT_EQ(rows.size(), 2U) << collective;
    EXPECT_EQ(rows[1], latency("1"));
    EXPECT_EQ(rows[2], latency("2"));
    EXPECT_LT(rows[2].get<double>(), 0.95 * rows[1].get<double>());
    const Outcome table = allport("compare " + options);
    EXPECT_THAT(table.out, HasSubstr("\n" + name + ", 1 part "));
    EXPECT_THAT(table.out, HasSubstr("\n" + name + ", 2 parts "));
    EXPECT_THAT(allport("compare --sizes 64,4KiB --topology ring:8 --algorithms " + name +
                        " --collective " + collective)
                    .out,
                HasSubstr(name + ", 2 parts"));
    // Nothing changes with one port, and what is asked for is what is compared.
    EXPECT_EQ(json("compare --json - --ports 1 --algorithms " + name + " " + options).size(), 1U);
    EXPECT_EQ(json("compare --json - --parts 2 --algorithms " + name + " " + options).size(), 1U);
  }
}

TEST_F(CliRuns, CompareTellsBandwidths) {
  const nlohmann::json row = json(
      "compare --topology ring:4 --collective allreduce --algorithms ring-allreduce --bytes 1200 --clock 2 --json -")
      [0];
  const double cycles = row["max"].get<double>();
  EXPECT_DOUBLE_EQ(row["bandwidth"]["algorithm"].get<double>(), 1200 / cycles);
  EXPECT_DOUBLE_EQ(row["bandwidth"]["bus"].get<double>(), 1.5 * 1200 / cycles);
  EXPECT_DOUBLE_EQ(row["bandwidth"]["gigabytes_per_second"]["bus"].get<double>(),
                   2 * 1.5 * 1200 / cycles);
  EXPECT_DOUBLE_EQ(row["microseconds"]["max"].get<double>(), cycles / 2000);
  EXPECT_THAT(allport("compare --topology ring:4 --collective allgather").out,
              HasSubstr("alg B/cy  bus B/cy"));
  EXPECT_THAT(allport("compare --topology ring:4 --collective allgather --clock 1").out,
              HasSubstr("alg GB/s  bus GB/s  max us  mean us"));
}

// On a torus of 16 nodes, few start-ups win for short vectors and full channels for long ones.
TEST_F(CliRuns, CompareOverSizesTellsWhereTheFastestChanges) {
  const std::string compare =
      "compare --topology torus:4x4 --collective allreduce --ts 200 --tr 200 --algorithms dims-allreduce,bucket-allreduce ";
  const nlohmann::json all = json(compare + "--sizes 64..1MiB --json -");
  ASSERT_EQ(all["sizes"].size(), 15U);
  EXPECT_EQ(all["sizes"][0]["fastest"], "dims-allreduce");
  EXPECT_EQ(all["sizes"][14]["bytes"], 1048576);
  EXPECT_EQ(all["sizes"][14]["fastest"], "bucket-allreduce");
  ASSERT_EQ(all["crossovers"].size(), 1U);
  const nlohmann::json& change = all["crossovers"][0];
  EXPECT_EQ(change["shorter"], "dims-allreduce");
  EXPECT_EQ(change["longer"], "bucket-allreduce");
  for (const bool is_above : {false, true}) {
    const std::string bytes = std::to_string(change[is_above ? "above" : "below"].get<int>());
    const nlohmann::json rows = json(compare + "--bytes " + bytes + " --json -");
    EXPECT_EQ(rows[0]["algorithm"], is_above ? "bucket-allreduce" : "dims-allreduce") << bytes;
    EXPECT_LT(rows[0]["max"], rows[1]["max"]);
  }
  const Outcome table = allport(compare + "--sizes 64,3KiB,1MiB --plot sizes.svg");
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("\n3 KiB  dims-allreduce "));
  EXPECT_THAT(table.out, HasSubstr("is the fastest, from"));
  const std::string picture = content("sizes.svg");
  for (const char* words : {"bucket-allreduce", "3 KiB", "lower bound of any schedule",
                            "model worm", "fastest: dims-allreduce up to "}) {
    EXPECT_THAT(picture, HasSubstr(words));
  }
}

TEST_F(CliRuns, CompareOverSizesRefusesWhatHasNoMeaning) {
  const std::string compare = "compare --topology ring:4 --collective allgather ";
  for (const auto& [options, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"--sizes 64KB", "64KB"},
           {"--sizes 1KiB..8", "the last length, 8 bytes, must not be less than the first, 1024"},
           {"--sizes 8,8", "the lengths must ascend"},
           {"--sizes 9GiB", "is not a length of 1..8000000000 bytes"},
           {"--sizes 8..64 --flits 3", "--sizes and --flits exclude each other"},
           {"--sizes 8..64 --explain all", "--sizes and --explain exclude each other"},
           {"--plot x.svg", "--plot needs --sizes"},
           {"--sizes 8..64 --clock 0", "--clock: '0' is not a number"}}) {
    const Outcome outcome = allport(compare + options);
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << options;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << options;
  }
}

TEST_F(CliRuns, CompareAgreesWithRun) {
  const std::string traffic =
      " --topology hypercube:5 --destinations random:9 --trials 4 --jitter 9 --seed 5 --json -";
  const nlohmann::json row = json("compare --algorithms maxport,ucube" + traffic)[1];
  const nlohmann::json run = json("run --algorithm ucube" + traffic);

  EXPECT_EQ(row["max"], run["latency"]["max"]);
  EXPECT_EQ(row["mean"], run["latency"]["mean"]);
  EXPECT_EQ(row["steps"], run["steps"]);
}

TEST_F(CliRuns, BenchMeasuresCasesByName) {
  const nlohmann::json rows =
      json("bench --cases '6-cube uniform 0.2' --models systemc --cycles 500 --json -");

  ASSERT_EQ(rows.size(), 3U);  // with 16, 64 and 1024 flits
  for (const nlohmann::json& row : rows) {
    for (const char* key :
         {"cycles_per_second", "messages_per_second", "ns_per_router_cycle", "ns_per_flit_hop",
          "messages", "flit_hops", "startup_seconds", "peak_bytes"}) {
      EXPECT_GT(row[key].get<double>(), 0) << key;
    }
    EXPECT_EQ(row["model"], "systemc");
  }
}

TEST_F(CliRuns, BenchCountsTheMessagesOfEveryModel) {
  const nlohmann::json rows = json(
      "bench --cases '6-cube uniform 0.2 L16' --models systemc,worm,network --cycles 500 --json -");

  ASSERT_EQ(rows.size(), 3U);
  for (const nlohmann::json& row : rows) {
    EXPECT_EQ(row["messages"], rows[0]["messages"]) << row["model"];
    EXPECT_GT(row["messages_per_second"].get<double>(), 0) << row["model"];
  }
}

TEST_F(CliRuns, CompareTakesTheAlgorithmsOfACollectiveTheFastestFirst) {
  const Outcome outcome =
      allport("compare --topology hypercube:4 --collective allreduce --ts 20 --json c.json");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(content("c.json"));
  ASSERT_GE(rows.size(), 3U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) {
      EXPECT_LE(rows[i - 1]["max"], rows[i]["max"]);
    }
    if (!rows[i]["bound"].is_null()) {  // a join has none
      EXPECT_LE(rows[i]["bound"], rows[i]["max"]);
    }
  }
  EXPECT_EQ(rows[0]["algorithm"], "join-allreduce");
  EXPECT_EQ(rows[1]["algorithm"], "exchange-allreduce");
  const Outcome other =
      allport("compare --topology hypercube:4 --collective allreduce --algorithms sbt-reduce");
  EXPECT_EQ(other.status, 2);
  EXPECT_EQ(other.err,
            "allport: --collective allreduce: algorithm sbt-reduce carries out reduce\n");
  const Outcome mixed =
      allport("compare --topology ring:8 --algorithms ring-alltoall,ring-allreduce");
  EXPECT_EQ(mixed.status, 2);
  EXPECT_EQ(mixed.out, "");
  EXPECT_EQ(
      mixed.err,
      "allport: --algorithms: ring-alltoall carries out alltoall, and ring-allreduce allreduce; compare sets algorithms of one collective side by side\n");
  EXPECT_EQ(allport("compare --topology ring:8 --algorithms ring-allreduce,dims-allreduce").status,
            0);
}

TEST_F(CliRuns, TablesMarkWhatNeedsMoreOfTheRouters) {
  const std::string mesh = "compare --topology mesh:4x4 --algorithms ";
  const std::string table = allport(mesh + "separate,tree,dual-path").out;
  EXPECT_THAT(table, HasSubstr("  events  needs\n"));
  EXPECT_THAT(table, ContainsRegex("\ntree [^\n]* copy\n"));
  EXPECT_THAT(table, ContainsRegex("\ndual-path [^\n]* label\n"));
  EXPECT_THAT(table, ContainsRegex("\nseparate [^\n]*[0-9]\n"));
  EXPECT_THAT(table, HasSubstr("\nneeds       what routers must do: "));
  EXPECT_THAT(allport(mesh + "separate,umesh").out, Not(HasSubstr("needs")));
  const auto rows = json(mesh + "tree,separate --json -");
  EXPECT_EQ(rows[0]["needs"], "copy");
  EXPECT_FALSE(rows[1].contains("needs"));
  EXPECT_THAT(
      allport("compare --topology torus:4x4 --algorithms join-allreduce,dims-allreduce --sizes 64")
          .out,
      HasSubstr("\nneeds       routers that join: join-allreduce\n"));
  const std::string list = allport("list").out;
  EXPECT_THAT(list, ContainsRegex("\n  disjoint-paths [^\n]*; needs routers that copy "));
  EXPECT_THAT(list, ContainsRegex("\n  join-barrier [^\n]*; needs routers that join "));
}

}  // namespace
}  // namespace allport::test
