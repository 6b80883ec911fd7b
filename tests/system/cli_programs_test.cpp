// SPDX-License-Identifier: Apache-2.0
// These tests check the programs of [Ranka88] as a user runs them.
#include <gmock/gmock.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

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

// Rank 0 sends to the node that is farthest from its own, which is not always that of the last
// rank.
TEST_F(CliPrograms, AMessageGoesToTheRankFarthestAway) {
  write("places", "5 4 2 7 0 1 3 6");
  for (const auto& [where, rank, hops] : std::vector<std::tuple<std::string, int, int>>{
           {"--topology hypercube:4", 15, 4},
           {"--topology hypercube:4 --processors 5", 3, 2},
           {"--topology hypercube:4 --processors 7 --forward network", 6, 2},
           {"--topology torus:4x4 --forward network", 10, 4},
           {"--topology torus:5x3 --forward network", 13, 3},
           {"--topology mesh:3x3 --forward network", 8, 4},
           {"--topology ring:6 --forward network", 3, 3},
           {"--topology hypercube:3 --forward network --place places", 2, 3},
           {"--topology hypercube:3 --forward network --place places --processors 2", 1, 1}}) {
    const std::string command = "program message " + where;
    EXPECT_THAT(allport(command).out,
                HasSubstr("1 value from rank 0 to rank " + std::to_string(rank) + ", as"))
        << where;
    EXPECT_EQ(json(command + " --json -")["flit_hops"], 4 * hops) << where;
  }
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
       {"template --side 16", "template --variant fig-11 --side 16 --host data",
        "template --variant way-1 --side 16 --host results", "maze --side 16 --host results",
        "knapsack --host data --host-start-up 2000", "load-balance --host data --item-bytes 300",
        "load-balance --variant 2", "replicated --variant d", "maze --side 16 --variant 2",
        "knapsack", "halo --side 16", "halo --variant 6 --side 8", "halo --variant nw --side 16"}) {
    const std::string command = std::string("program ") + program + " --json - --model ";
    const nlohmann::json flits = json(command + "systemc");
    const nlohmann::json worms = json(command + "worm");
    EXPECT_EQ(flits["digest"], worms["digest"]) << program;
    EXPECT_EQ(flits["tasks"], worms["tasks"]) << program;
    EXPECT_GT(flits["tasks"]["makespan"], 0) << program;
  }
}

// One rank gets the template in 100 + 2 * 4 cycles and its four values in 100 + 2 * 16, computes
// for 4 * 25.9 us = 85 cycles, sends them back in 132 cycles and the signal of the end in 108.
TEST_F(CliPrograms, AHostSendsTheDataAndGetsTheResults) {
  for (const auto& [host, cycles, transfers] :
       std::vector<std::tuple<std::string, int, int>>{{"template", 108 + 85 + 108, 2},
                                                      {"data", 108 + 132 + 85 + 108, 3},
                                                      {"results", 108 + 132 + 85 + 132 + 108, 4}}) {
    for (const char* model : {"systemc", "worm"}) {
      const nlohmann::json run =
          json("program template --topology hypercube:1 --processors 1 --side 2 --mask 1 --host " +
               host + " --host-start-up 100 --host-per-byte 2 --json - --model " + model);
      EXPECT_EQ(run["tasks"]["makespan"], cycles) << host;
      EXPECT_EQ(run["tasks"]["host"]["transfers"], transfers) << host;
      EXPECT_EQ(run["tasks"]["host"]["busy"], cycles - 85) << host;
      EXPECT_EQ(run["config"]["tasks"]["host"]["start_up"], 100);
      EXPECT_EQ(run["tasks"]["sequential"], 85);
    }
  }
  const std::string text = allport("program template --host data").out;
  EXPECT_THAT(text, HasSubstr("ts 177, tr 0; a transfer of the host 178 + 1 a byte\n"));
  EXPECT_THAT(text, HasSubstr("host        18 transfers with 4164 bytes, its channel busy for "));
}

// Tasks have no destinations, whether or not a pattern sends messages beside them.
TEST_F(CliPrograms, HaveNoLatencyOfDestinations) {
  for (const char* beside : {"", "--pattern uniform --rate 0.05 "}) {
    const nlohmann::json latency =
        json(std::string("program knapsack --topology hypercube:2 --json - ") + beside)["latency"];
    EXPECT_EQ(latency["max"], nullptr) << beside;
    EXPECT_EQ(latency["mean"], nullptr) << beside;
    EXPECT_EQ(latency["microseconds"], nlohmann::json::parse(R"({"max":null,"mean":null})"))
        << beside;
  }
}

// 63 bytes take 0.7 + 6.3 cycles, and 7 bytes 1.4. What is printed is what was reckoned with: with
// it as an option, the run is the same.
TEST_F(CliPrograms, TheTimesOfAHostAreExact) {
  const std::string program =
      "program template --topology hypercube:1 --processors 1 --side 3 --mask 1 --value-bytes 7 --host data ";
  const auto tasks = [&](const std::string& arguments) {
    return json(program + "--json - " + arguments)["tasks"];
  };
  EXPECT_EQ(tasks("--host-start-up 0.7 --host-per-byte 0.1")["host"]["busy"], 2 + 7 + 2);
  for (const auto& [bytes, per_byte] :
       std::vector<std::pair<int, std::string>>{{3, "0.333333333333333"},
                                                {7, "0.142857142857142"},
                                                {11, "0.09090909090909"},
                                                {64, "0.015625"}}) {
    const std::string flits = "--flit-bytes " + std::to_string(bytes);
    const nlohmann::json default_value = tasks(flits);
    EXPECT_EQ(default_value["host"]["busy"],
              3 * 178 + 2 * ((6 + bytes) / bytes) + (62 + bytes) / bytes);
    EXPECT_THAT(allport(program + flits).out,
                HasSubstr("a transfer of the host 178 + " + per_byte + " a byte\n"));
    EXPECT_EQ(tasks(flits + " --host-per-byte " + per_byte), default_value) << bytes;
  }
  EXPECT_EQ(allport(program + "--host-per-byte 1e-30").err,
            "allport: the host: per_byte 1e-30: must have 28 decimals at most\n");
}

// Runs that differ in an option of the program differ in their configuration, also where it changed
// nothing.
TEST_F(CliPrograms, TheConfigurationSaysWhichProgramRan) {
  write("loads", "8\n0\n3\n4\n");
  write("others", "8\n0\n4\n3\n");
  const auto config = [&](const std::string& arguments) {
    nlohmann::json told =
        json("program " + arguments + " --topology hypercube:2 --json -")["config"];
    told.erase("tasks");
    return told;
  };
  for (const auto& [program, options] :
       std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"message", {"--values 2", "--value-bytes 3", "--forward network"}},
           {"template --side 16",
            {"--variant fig-7", "--side 8", "--mask 2", "--row 1", "--host data"}},
           {"load-balance",
            {"--variant 2", "--load 7", "--item-bytes 9", "--host results", "--input loads",
             "--input others"}},
           {"replicated", {"--variant d", "--work 7"}},
           {"maze --side 8",
            {"--variant 2", "--side 16", "--blocked 0.31", "--work 7", "--host data"}},
           {"knapsack", {"--objects 7", "--capacity 7", "--host data", "--host results"}},
           {"halo --side 8", {"--variant nw", "--side 16", "--iterations 7"}}}) {
    std::set<std::string> told{config(program).dump()};
    for (const std::string& option : options) {
      const std::string name = option.substr(0, option.find(' '));
      const std::size_t place = program.find(" " + name + " ");
      told.insert(config(program.substr(0, place) + " " + option).dump());
    }
    EXPECT_EQ(told.size(), 1 + options.size()) << program;
  }
  EXPECT_EQ(config("load-balance --input loads")["program"],
            nlohmann::json::parse(
                R"({"name":"load-balance","variant":"1","item_bytes":4,"host":"none",
                    "input":{"bytes":8,"digest":"e42816777b75ee22"},"value_bytes":4,
                    "forward":"processors"})"));
}

TEST_F(CliPrograms, WhatTheyWorkOnComesFromFilesAndGoesToFiles) {
  write("image.pgm", "P2\n4 4\n9\n1 2 3 4\n5 6 7 8\n9 1 2 3\n4 5 6 7\n");
  write("mask.pgm", "P2\n1 1\n9\n2\n");
  const std::string matching =
      "program template --topology hypercube:2 --input image.pgm --template mask.pgm --output ";
  for (const char* host : {"none", "results"}) {
    EXPECT_EQ(allport(matching + "c.pgm --host " + host).status, 0);
    EXPECT_EQ(content("c.pgm"), "P2\n4 4\n18\n2 4 6 8\n10 12 14 16\n18 2 4 6\n8 10 12 14\n");
  }
  EXPECT_EQ(allport(matching + "c.txt").status, 0);
  EXPECT_EQ(content("c.txt"), "2 4 6 8\n10 12 14 16\n18 2 4 6\n8 10 12 14\n");

  write("maze", "s#\n.t\n");
  const Outcome maze = allport(
      "program maze --topology hypercube:2 --input - --output - --host data", content("maze"));
  EXPECT_THAT(maze.out, HasSubstr("a shortest path of 2 steps through a maze of 2x2"));
  EXPECT_THAT(maze.out, testing::EndsWith("s#\n*t\n\ns#\n^<\n"));
  EXPECT_EQ(allport("program maze --topology hypercube:2 --input maze --output out").status, 0);
  EXPECT_THAT(allport("program maze --topology hypercube:2 --input out").out,
              HasSubstr("a shortest path of 2 steps through a maze of 2x2"));

  write("loads", "8\n0\n");
  EXPECT_EQ(
      allport(
          "program load-balance --topology hypercube:1 --input loads --output balanced --item-bytes 100")
          .status,
      0);
  EXPECT_EQ(content("balanced"), "4\n4\n");

  write("objects", "5 4\n6 3\n4 3\n");
  EXPECT_EQ(
      allport(
          "program knapsack --topology hypercube:1 --capacity 6 --input objects --output chosen")
          .status,
      0);
  EXPECT_EQ(content("chosen"), "# 2 objects, profit 10, weight 6 of 6\n2 6 3\n3 4 3\n");
}

TEST_F(CliPrograms, AFileThatIsWrongLosesNothing) {
  write("out", "mine");
  write("bad", "P2 2 2 9 1 2 3");
  const std::string matching = "program template --topology hypercube:1 --mask 1 ";
  for (const auto& [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
           {matching + "--input bad --output out", "bad:1: the file ends before value 4 of 4"},
           {matching + "--input nowhere --output out",
            "the file of --input nowhere cannot be read"},
           {matching + "--input bad --output bad",
            "--output bad: that file is the file of --input, which this command reads"},
           {matching + "--json out --output out", "out"},
           {matching + "--output /nowhere/x --json -", "/nowhere/x cannot be written"},
           {"program load-balance --topology hypercube:2 --input loads --output out",
            "loads: it has 2 loads, and the program has 4 ranks"}}) {
    write("loads", "1\n2\n");
    const Outcome outcome = allport(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence)) << arguments;
    EXPECT_EQ(content("out"), "mine") << arguments;
    EXPECT_EQ(content("bad"), "P2 2 2 9 1 2 3") << arguments;
  }
}

TEST_F(CliPrograms, PrintNothingWhereAFileCannotBeWritten) {
  const Outcome outcome = allport("program halo --topology hypercube:2 --json /nowhere/x.json");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("/nowhere/x.json cannot be written"));
}

TEST_F(CliPrograms, WhatDoesNotFitIsOneSentence) {
  for (
      const auto& [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
          {"mase", "unknown program 'mase': did you mean 'maze'?"},
          {"knapsack --side 8",
           "--side: the program knapsack does not take it; it takes objects, capacity, input, output, host"},
          {"knapsack --host template",
           "--host template: of the program knapsack it is one of none, data, results"},
          {"halo --host data",
           "--host: the program halo does not take it; it takes side, iterations"},
          {"maze --host-start-up 5", "--host-start-up: there is no host; --host says what it does"},
          {"maze --item-bytes 5",
           "--item-bytes: the program maze does not take it; it takes side, blocked, work, input, output, host"},
          {"maze --input x --side 8", "--input and --side exclude each other: the file says it"},
          {"template --template x --mask 8",
           "--template and --mask exclude each other: the file says it"},
          {"template --template - --input -",
           "--input and --template are both stdin, which can be read only once; give one of them as a file"},
          {"template --mask 182 --side 1024 --processors 1",
           "template: with values up to 255 and 255 and a template of side 182 a sum may reach 2153888100, and must be below 2^31; take smaller values or a smaller template"},
          {"knapsack --variant 2", "--variant 2: the program knapsack has one version only"},
          {"maze --side 6", "maze: side 6 cannot be cut into 4 x 4 equal parts"},
          {"halo --variant 8", "unknown version '8': choose one of 4, 6, nw"},
          {"halo --variant 6 --side 512",
           "halo: a cube of side 512 has 134217728 cells, which is more than 16777216"},
          {"halo --variant nw --side 4 --iterations 4097",
           "halo: in each of 4097 iterations a rank sends a message to north-west that another one forwards, and a rank sends 4096 of them at most; take fewer iterations, or --forward network"},
          {"halo --variant 6 --side 9", "halo: side 9 cannot be cut into 2 x 2 x 4 equal parts"},
          {"halo --processors 64", "--processors 64: hypercube:4 has 16 nodes"},
          {"halo --topology torus:4x4",
           "--forward processors: they forward on hypercubes; torus:4x4 needs --forward network"}}) {
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
              testing::MatchesRegex(
                  "allport: a program of 16384 ranks: rank [0-9]+ has no thread \\(.*\\)\n"));
}
#endif

}  // namespace
}  // namespace allport::test
