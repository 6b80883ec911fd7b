// SPDX-License-Identifier: Apache-2.0
// What `allport compare` and `allport bench` print.
#include <gmock/gmock.h>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

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

TEST_F(CliRuns, CompareTakesAllThatApply) {
  const std::string all = allport("compare --topology hypercube:3").out;
  const std::string some = allport("compare --topology hypercube:3 --destinations 1,5").out;

  EXPECT_THAT(all, HasSubstr("tree"));
  EXPECT_THAT(all, Not(HasSubstr("dcf")));
  EXPECT_THAT(some, Not(HasSubstr("tree")));
  EXPECT_THAT(some, HasSubstr("wsort"));
}

TEST_F(CliRuns, CompareLeavesOutTreeAndPathWormsIfOnlyUnicastsAreAllowed) {
  const std::string all = "compare --topology hypercube:3 --json -";
  const nlohmann::json systemc = json(all);
  for (const char* option : {" --model worm", " --pieces 4"}) {
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
    for (const char* key : {"cycles_per_second", "ns_per_router_cycle", "ns_per_flit_hop",
                            "flit_hops", "startup_seconds", "peak_bytes"}) {
      EXPECT_GT(row[key].get<double>(), 0) << key;
    }
    EXPECT_EQ(row["model"], "systemc");
  }
}

TEST_F(CliRuns, CompareTakesTheAlgorithmsOfACollectiveTheFastestFirst) {
  const Outcome outcome =
      allport("compare --topology hypercube:4 --collective allreduce --ts 20 --json c.json");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(content("c.json"));
  ASSERT_GE(rows.size(), 3U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) EXPECT_LE(rows[i - 1]["max"], rows[i]["max"]);
    EXPECT_LE(rows[i]["bound"], rows[i]["max"]);
  }
  EXPECT_EQ(rows[0]["algorithm"], "exchange-allreduce");
  const Outcome other =
      allport("compare --topology hypercube:4 --collective allreduce --algorithms sbt-reduce");
  EXPECT_EQ(other.status, 2);
  EXPECT_EQ(other.err,
            "allport: --collective allreduce: algorithm sbt-reduce carries out reduce\n");
}

}  // namespace
}  // namespace allport::test
