// SPDX-License-Identifier: Apache-2.0
// These tests check exchanges among neighbours, ports that are half duplex or share their
// bandwidth, and loads that are compared, on the command line.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

using CliNodes = Cli;

TEST_F(CliNodes, NeighboursHaveOneDigestOnFlitsAndWormsWhereverTheyAre) {
  for (const std::string what :
       {"--topology torus:4x4 --algorithm direct-neighbor --ts 7 --tr 2",
        "--topology hypercube:4 --algorithm direct-neighbor --ports 2 --flits 5",
        "--topology mesh:4x3 --algorithm direct-neighbor-box --parts 3",
        "--topology torus:3x3x3 --algorithm shift-neighbor-box --flits 4",
        "--topology torus:2x4 --algorithm direct-neighbor-nw --buffer-depth 2",
        "--topology ring:5 --algorithm shift-neighbor-nw",
        "--topology hypercube:4 --algorithm shift-neighbor-box --place gray --ranks torus:4x4",
        "--topology mesh:4x4 --algorithm direct-neighbor --place random:3 --ports 1",
        "--topology torus:6x6 --algorithm shift-neighbor-nw --group box:3x4@2,1",
        "--topology mesh:4x4 --algorithm direct-neighbor --group 1,6,11,12,15",
        "--topology mesh:6x4 --algorithm direct-neighbor-box --groups box:3x2",
        "--topology torus:4x4 --algorithm synthesized-neighbor-box --flits 3",
        "--topology mesh:4x4 --algorithm synthesized-neighbor --group 1,6,11,12,15"}) {
    const nlohmann::json flits = json("run --json - " + what);
    const nlohmann::json worms = json("run --model worm --json - " + what);

    EXPECT_EQ(flits["digest"], worms["digest"]) << what;
    EXPECT_EQ(flits["contention"], worms["contention"]) << what;
    EXPECT_EQ(flits["static"]["collective"]["ok"], true) << what;
    EXPECT_LE(flits["bound"]["cycles"], flits["latency"]["max"]) << what;
    EXPECT_EQ(flits.count("error"), 0U) << what;
  }
}

TEST_F(CliNodes, NeighboursOfASynthesizedPlanGoAroundMissingLinks) {
  const std::string missing = "--topology torus:4x4 --missing-links 0-1 ";
  const std::string direct = "run " + missing + "--algorithm direct-neighbor ";
  EXPECT_EQ(allport(direct + "--routing dimension-ordered").status, 2);
  EXPECT_EQ(json(direct + "--json -")["config"]["routing"], "table:updown");
  const nlohmann::json run = json("run --json - " + missing + "--algorithm synthesized-neighbor");
  EXPECT_EQ(run["static"]["collective"]["ok"], true);
}

TEST_F(CliNodes, NeighboursAreComparedAndReadFromAFile) {
  const nlohmann::json rows = json("compare --json - --topology torus:4x4 --collective neighbor");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["max"], 17);
  EXPECT_EQ(rows[0]["bound"], 17);
  EXPECT_TRUE(rows[0]["bandwidth"].is_null());

  const std::string mesh = " --topology mesh:4x4 --collective neighbor_box halo.jsonl";
  write("halo.jsonl", allport("schedule --topology mesh:4x4 --algorithm shift-neighbor-box").out);
  EXPECT_EQ(allport("check" + mesh).status, 0);
  EXPECT_EQ(
      allport("run --topology mesh:4x4 --collective neighbor_box --schedule halo.jsonl").status, 0);
  write("halo.jsonl", content("halo.jsonl").substr(content("halo.jsonl").find('\n') + 1));
  EXPECT_THAT(allport("check" + mesh).out, HasSubstr("never receives block"));
}

TEST_F(CliNodes, NeighboursAreRefusedWhereThereAreNone) {
  const auto complaint = [&](const std::string& command) {
    const Outcome run = allport(command);
    EXPECT_EQ(run.status, 2) << command;
    return run.err;
  };
  EXPECT_THAT(complaint("run --topology hypercube:3 --algorithm direct-neighbor-box"),
              HasSubstr("is for rings, tori and meshes"));
  write("one.jsonl", "{\"u\": 0, \"v\": 1, \"step\": 1, \"order\": 0, \"blocks\": [0]}\n");
  EXPECT_THAT(complaint("check --topology hypercube:2 --collective neighbor_nw one.jsonl"),
              HasSubstr("a hypercube has no corners"));
  EXPECT_THAT(
      complaint("schedule --topology ring:4 --algorithm direct-neighbor --format msccl"),
      HasSubstr(
          "direct-neighbor is an exchange among neighbours, neighbor, which MSCCL has no word for"));
}

TEST_F(CliNodes, PortsAreLimitedOnFlitsOnly) {
  const std::string exchange =
      "--topology torus:4x4 --algorithm direct-neighbor --duplex half --bandwidth shared ";
  const nlohmann::json run = json("run --json - " + exchange);
  EXPECT_EQ(run["config"]["duplex"], "half");
  EXPECT_EQ(run["config"]["bandwidth"], "shared");
  EXPECT_EQ(run["latency"]["max"], 127);
  EXPECT_EQ(json("run --model auto --json - " + exchange)["model"], "systemc");
  EXPECT_THAT(allport("run " + exchange).out, HasSubstr("\ntheory      none: "));

  for (
      const auto& [more, words] :
      {std::pair(
           "--model worm",
           "--model worm: it has nodes whose ports send and receive in every cycle, and this run has --duplex half; the models systemc"),
       {"--explain all", "--duplex half: the causes of latencies"}}) {
    const Outcome refused = allport("run " + exchange + more);
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr(words));
  }
  EXPECT_THAT(allport("run --topology ring:4 --algorithm ring --duplex none").err,
              HasSubstr("'none'"));
}

TEST_F(CliNodes, PortsAreLimitedForTasksAndPatternsToo) {
  write("tasks.jsonl", R"({"node":0,"send":true,"to":1,"flits":8}
{"node":1,"send":true,"to":0,"flits":8}
{"node":0,"receive":true,"from":1}
{"node":1,"receive":true,"from":0}
)");
  const std::string tasks = "run --json - --topology hypercube:1 --tasks tasks.jsonl ";
  EXPECT_EQ(json(tasks)["tasks"]["makespan"], 9);
  EXPECT_EQ(json(tasks + "--duplex half")["tasks"]["makespan"], 15);

  const std::string pattern =
      "run --json - --topology torus:4x4 --pattern uniform --rate 0.9 --cycles 3000 --warmup 500 ";
  EXPECT_LT(json(pattern + "--bandwidth shared --duplex half")["traffic"]["accepted"],
            json(pattern)["traffic"]["accepted"]);
}

TEST_F(CliNodes, LoadsAreCompared) {
  const std::string mesh =
      "--topology mesh:4x4 --destinations random:4 --collective-rate 0.002 --cycles 3000 ";
  const nlohmann::json rows = json("compare --json - " + mesh + "--algorithms separate,umesh");
  ASSERT_EQ(rows.size(), 2U);
  for (const nlohmann::json& row : rows) {
    const std::string name = row["algorithm"];
    const nlohmann::json alone = json("run --json - " + mesh + "--algorithm " + name);
    EXPECT_EQ(row["load"], alone["load"]) << name;
    EXPECT_EQ(row["events"], alone["contention"]["events"]) << name;
  }
  EXPECT_THAT(allport("compare " + mesh).out, HasSubstr("saturated"));
  EXPECT_EQ(
      allport(
          "compare --topology torus:3x3 --collective allgather --collective-rate 0.001 --cycles 2000")
          .status,
      0);
  for (const char* more : {"--sizes 8,16", "--explain all", "--report page.html", "--trials 2"}) {
    const Outcome refused = allport("compare " + mesh + more);
    EXPECT_EQ(refused.status, 2) << more;
    EXPECT_THAT(refused.err, HasSubstr("--collective-rate and --")) << more;
  }
}

TEST_F(CliNodes, AJobRunsOnANodeAlone) {
  write("alone.goal", "num_ranks 1\nrank 0 {\ncalc 50\n}\n");
  write("pair.goal", "num_ranks 2\nrank 0 {\nsend 64b to 1\n}\nrank 1 {\nrecv 64b from 0\n}\n");
  const std::string ring = "replay --json - --topology ring:6 ";
  EXPECT_EQ(json(ring + "--job alone.goal@3")["tasks"]["ranks"][0]["node"], 3);
  EXPECT_EQ(allport(ring + "--job alone.goal@3 --job pair.goal@1,2").status, 0);
  EXPECT_EQ(allport(ring + "--job pair.goal@3").status, 2);
  EXPECT_EQ(allport("run --topology ring:6 --algorithm ring --group 3").status, 2);
}

}  // namespace
}  // namespace allport::test
