// SPDX-License-Identifier: Apache-2.0
// These tests check programs of MSCCL XML on the command line whose GPUs are placed on nodes, among
// all nodes, in a group and in several groups at once.
#include <gmock/gmock.h>

#include <string>
#include <tuple>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

class CliPlacedPrograms : public Cli {
 protected:
  // Writes the program of `plan`, which names a topology and an algorithm.
  void write_program(const std::string& file, const std::string& plan) {
    const Outcome written = allport("schedule --format msccl --topology " + plan);
    ASSERT_EQ(written.status, 0) << written.err;
    write(file, written.out);
  }
};

TEST_F(CliPlacedPrograms, DoWhatThePlacedAlgorithmDoes) {
  for (const auto& [plan, algorithm, where] :
       {std::tuple{"ring:16 --algorithm ring-allreduce", "ring-allreduce",
                   "torus:4x4 --place snake"},
        {"ring:16 --algorithm ring-allgather", "ring-allgather", "hypercube:4 --place gray"},
        {"ring:16 --algorithm ring-alltoall", "ring-alltoall", "mesh:4x4 --place random:7"},
        {"ring:8 --algorithm ring-reduce-scatter", "ring-reduce-scatter",
         "torus:4x4 --group 1,2,4,7,9,10,12,15 --place random:3"},
        {"mesh:4x2 --algorithm dims-alltoall", "dims-alltoall", "torus:8x8 --group box:4x2@2,3"},
        {"torus:4x2 --algorithm dims-allreduce", "dims-allreduce",
         "torus:4x4 --group box:4x2 --ranks torus:4x2"},
        {"hypercube:3 --algorithm rabenseifner", "rabenseifner",
         "hypercube:5 --group subcube:0bx1xx0"},
        {"hypercube:3 --algorithm sbt", "sbt", "hypercube:5 --group subcube:0bx1xx0"},
        {"mesh:4x4 --algorithm dims-gather", "dims-gather", "mesh:8x4 --groups box:4x4"},
        {"ring:8 --algorithm ring-allreduce", "ring-allreduce", "torus:8x4 --groups dim:0"},
        {"ring:16 --algorithm ring-scatter", "ring-scatter",
         "mesh:8x8 --groups box:4x4 --place snake"}}) {
    write_program("x", plan);
    for (const std::string run : {" --flits 40 --ts 7 --tr 3", " --flits 5 --model worm"}) {
      const std::string at = std::string(" --json - --topology ") + where + run;
      const nlohmann::json placed = json("run --schedule x" + at);

      EXPECT_EQ(placed["digest"], json(std::string("run --algorithm ") + algorithm + at)["digest"])
          << plan << at;
      EXPECT_EQ(placed["static"]["collective"]["ok"], true) << plan << at;
    }
    const Outcome checked =
        allport(std::string("check x --require collective --topology ") + where);
    EXPECT_EQ(checked.status, 0) << plan << checked.out << checked.err;
  }
}

TEST_F(CliPlacedPrograms, TheRootIsARank) {
  write_program("x", "ring:4 --algorithm ring --source 2");
  const std::string run = "run --schedule x --json - --topology torus:4x4 --groups dim:1 ";

  const nlohmann::json by_file = json(run);
  EXPECT_EQ(by_file["config"]["source"], nlohmann::json({8, 9, 10, 11}));
  EXPECT_EQ(by_file["groups"].size(), 4U);
  EXPECT_EQ(by_file["groups"][1]["source"], 9);
  EXPECT_EQ(json(run + "--source 11,8,9,10")["digest"], by_file["digest"]);
  EXPECT_THAT(allport(run + "--source 0,9,10,11").err, HasSubstr("x: gpu "));
  EXPECT_THAT(allport(run + "--source 8").err, HasSubstr("--source names 0 nodes of group 1"));
  // Rank 2 is the third node of the file.
  write("nodes", "3 1 0 2");
  EXPECT_EQ(json("run --schedule x --json - --topology ring:4 --place nodes")["config"]["source"],
            nlohmann::json({0}));
}

TEST_F(CliPlacedPrograms, TheReportSaysWhereRanksSit) {
  write_program("x", "ring:16 --algorithm ring-allgather");
  EXPECT_THAT(allport("run --schedule x --topology mesh:4x4 --place snake").out,
              HasSubstr("ring:16 by snake: neighbouring ranks are neighbours"));
  const nlohmann::json config = json(
      "run --schedule x --json - --topology torus:4x4x4 --group box:4x4x1 --place snake --ranks ring:16")
      ["config"];
  EXPECT_EQ(config["place"], "snake");
  EXPECT_EQ(config["ranks"], "ring:16");
  EXPECT_EQ(config["group"], "box:4x4x1");
}

TEST_F(CliPlacedPrograms, WhatDoesNotFitIsRefused) {
  write_program("x", "ring:4 --algorithm ring-allgather");
  write("s.jsonl", "{\"u\":0,\"v\":1,\"step\":1,\"order\":0}\n");
  write("groups", "0 1 2 3\n4 5 6\n");
  const auto complaint = [&](const std::string& options) {
    const Outcome run = allport("run --topology ring:8 " + options);
    EXPECT_EQ(run.status, 2) << options;
    EXPECT_EQ(run.out, "");
    return run.err;
  };

  EXPECT_THAT(complaint("--schedule x --group 0,1,2"),
              HasSubstr("x: it is for 4 gpus, but the group of 0, 1, 2 has 3 nodes"));
  EXPECT_THAT(complaint("--schedule x --groups groups"),
              HasSubstr("x: it is for 4 gpus, but the group of 4, 5, 6 has 3 nodes"));
  EXPECT_THAT(complaint("--schedule x --place snake"),
              HasSubstr("x: it is for 4 gpus, but ring:8 has 8 nodes"));
  EXPECT_THAT(complaint("--schedule x --group 0,1,2,3 --embed ring:4"),
              HasSubstr("exclude each other"));
  EXPECT_THAT(complaint("--schedule x --group 0,1,2,3 --ranks ring:5"),
              HasSubstr("--ranks ring:5: it has 5 ranks, but there are 4 nodes"));
  for (const char* option : {"--place snake", "--ranks ring:8", "--groups dim:0"}) {
    const std::string name = std::string(option).substr(0, std::string(option).find(' '));
    EXPECT_EQ(
        complaint(std::string("--schedule s.jsonl ") + option),
        "allport: --schedule and " + name +
            " exclude each other: the lines of s.jsonl name nodes; the gpus of MSCCL are ranks, which can be placed\n");
  }
}

}  // namespace
}  // namespace allport::test
