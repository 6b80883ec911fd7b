// SPDX-License-Identifier: Apache-2.0
// These tests check the programs of [Ranka88] as a user runs them.
#include <gmock/gmock.h>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

using CliPrograms = Cli;

TEST_F(CliPrograms, AreListed) {
  const Outcome outcome = allport("program");

  EXPECT_EQ(outcome.status, 0);
  for (const char* name :
       {"message", "template", "load-balance", "replicated", "maze", "knapsack", "halo"}) {
    EXPECT_THAT(outcome.out, HasSubstr(name));
  }
}

// Two hops: rank 0 prepares the message in 177 cycles, the head takes one to the router and each
// flit one; so does rank 1; then rank 3 copies it in 178 + 8 cycles.
TEST_F(CliPrograms, AMessageTakesAsLongAsOnTheNcube) {
  for (const char* model : {"systemc", "worm"}) {
    const nlohmann::json result = json(
        std::string("program message --topology hypercube:2 --values 2 --json - --model ") + model);
    EXPECT_EQ(result["tasks"]["makespan"], 3 * (178 + 8)) << model;
  }
}

// A hop and the copy cost what the options say; a preset is another machine, which copies nothing.
TEST_F(CliPrograms, RunOnTheMachineThatOptionsChoose) {
  const std::string message = "program message --topology hypercube:1 --values 2 --json - ";
  EXPECT_EQ(json(message + "--ts 1000")["tasks"]["makespan"], 2 * (1001 + 8));
  EXPECT_EQ(json(message + "--ts 0 --flit-bytes 4")["tasks"]["makespan"], 2 * (1 + 2));
  EXPECT_EQ(json(message + "--clock 1")["tasks"]["makespan"], 2 * (178 + 8));
  const nlohmann::json t3e = json(message + "--preset t3e");
  EXPECT_EQ(t3e["config"]["ts"], 345);
  EXPECT_EQ(t3e["tasks"]["makespan"], 345 + 1 + 8);
}

TEST_F(CliPrograms, SpeedUpIsAgainstOneProcessorWithTheWholeProblem) {
  for (const char* program :
       {"knapsack", "maze --side 16", "template --side 16", "halo --side 16"}) {
    const std::string command = std::string("program ") + program + " --json - --processors ";
    const nlohmann::json one = json(command + "1")["tasks"];
    const nlohmann::json many = json(command + "16")["tasks"];
    EXPECT_EQ(one["speed_up"], 1) << program;
    EXPECT_EQ(many["sequential"], one["makespan"]) << program;
    EXPECT_EQ(many["processors"], 16) << program;
  }
  EXPECT_TRUE(json("program message --json -")["tasks"]["speed_up"].is_null());
}

TEST_F(CliPrograms, BothModelsAgreeOnEach) {
  for (const char* program :
       {"template --side 16", "template --variant fig-11 --side 16", "load-balance --variant 2",
        "replicated --variant d", "maze --side 16 --variant 2", "knapsack", "halo --side 16",
        "halo --variant 6 --side 8", "halo --variant nw --side 16"}) {
    const std::string command = std::string("program ") + program + " --json - --model ";
    const nlohmann::json flits = json(command + "systemc");
    const nlohmann::json worms = json(command + "worm");
    EXPECT_EQ(flits["digest"], worms["digest"]) << program;
    EXPECT_EQ(flits["tasks"], worms["tasks"]) << program;
    EXPECT_GT(flits["tasks"]["makespan"], 0) << program;
  }
}

TEST_F(CliPrograms, PrintNothingWhereAFileCannotBeWritten) {
  const Outcome outcome = allport("program halo --topology hypercube:2 --json /nowhere/x.json");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("/nowhere/x.json cannot be written"));
}

TEST_F(CliPrograms, WhatDoesNotFitIsOneSentence) {
  for (const auto& [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
           {"mase", "unknown program 'mase': did you mean 'maze'?"},
           {"knapsack --side 8",
            "--side: the program knapsack does not take it; it takes objects, capacity"},
           {"knapsack --variant 2", "--variant 2: the program knapsack has one version only"},
           {"maze --side 6", "maze: side 6 cannot be cut into 4 x 4 equal parts"},
           {"halo --variant 8", "unknown version '8': choose one of 4, 6, nw"},
           {"halo --variant 6 --side 512",
            "halo: a cube of side 512 has 134217728 cells, which is more than 16777216"},
           {"halo --variant 6 --side 9", "halo: side 9 cannot be cut into 2 x 2 x 4 equal parts"},
           {"halo --processors 64", "--processors 64: hypercube:4 has 16 nodes"},
           {"halo --topology torus:4x4",
            "--forward processors: they forward on hypercubes; torus:4x4 needs --forward "
            "network"}}) {
    const Outcome outcome = allport("program " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.err, "allport: " + sentence + "\n");
  }
}

#if !defined(__SANITIZE_ADDRESS__)
// Each rank is a thread; stacks of 16384 do not fit into 4 GB.
TEST_F(CliPrograms, MoreRanksThanThereAreThreadsAreOneSentence) {
  const Outcome outcome =
      shell("ulimit -s 8192; ulimit -v 4000000; allport program message --topology hypercube:14");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err,
              testing::MatchesRegex("allport: a program of 16384 ranks: rank [0-9]+ has no thread "
                                    "\\(.*\\)\n"));
}
#endif

}  // namespace
}  // namespace allport::test
