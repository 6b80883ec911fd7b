// SPDX-License-Identifier: Apache-2.0
// These tests check `allport explain` in words, and explanations on all models of the fabric.
#include <gmock/gmock.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

using CliExplain = Cli;

// The one hot output of a machine that is slow in one known way.
TEST_F(CliExplain, NamesTheChannelThatEverybodyWaitsFor) {
  write("hot.jsonl", R"({"u": 7, "v": 1, "step": 1, "order": 0})"
                     "\n"
                     R"({"u": 3, "v": 1, "step": 1, "order": 0})"
                     "\n");
  const std::string text =
      allport(
          "explain --topology hypercube:3 --schedule hot.jsonl --destinations 1 --source 3,7 --flits 8")
          .out;
  EXPECT_THAT(text, HasSubstr("100.0 %  channel    channel 3 -> 1 (dimension 1"));
  EXPECT_THAT(text, HasSubstr("100.0 % dimension 1"));
}

// Nobody goes half a ring where all go to their neighbour; buffers of worms that branch need r
// more.
TEST_F(CliExplain, SaysWhatFollowsFromNumbers) {
  const std::string ring = "explain --topology torus:8x8 --rate 0.2 --cycles 300 --pattern ";
  EXPECT_THAT(allport(ring + "neighbor").out, Not(HasSubstr("half a ring")));
  EXPECT_THAT(allport(ring + "uniform").out, HasSubstr("go exactly half a ring"));
  EXPECT_THAT(
      allport(
          "explain --topology hypercube:3 --algorithm tree --buffer-depth 3 --replication-delay 3")
          .out,
      HasSubstr("buffers of 5 flits run a channel at full rate, and these have 3"));
}

// The words of --explain are those of the command, with or without the JSON, and the messages that
// are asked for are among them.
TEST_F(CliExplain, IsToldByRunTooWithTheMessagesThatAreAskedFor) {
  const std::string run = "run --topology mesh:4x4 --pattern uniform --rate 0.3 --cycles 100 ";
  const std::string two = allport(run + "--explain slowest:2").out;
  EXPECT_THAT(two, HasSubstr("\nwhere the cycles of 36 received messages go: "));
  EXPECT_THAT(
      two,
      HasSubstr(
          "\nthe slowest messages\n  15>8#1     56 cycles, from cycle 94: port 30, length 15, behind 6, hop 5; because of 15>13#0, 15>13#0\n  15>13#0 "));
  EXPECT_THAT(allport(run + "--explain slowest:2 --json e.json").out, HasSubstr("15>8#1     56"));
  EXPECT_THAT(allport(run + "--explain all").out,
              AllOf(HasSubstr("\nmessages, in the order of their receptions\n"),
                    HasSubstr("\n  and 16 more\n")));
  EXPECT_THAT(allport(run + "--explain 'message:15>8#1'").out,
              HasSubstr("\nthe message that was asked for\n  15>8#1     56 cycles"));
  EXPECT_THAT(allport(run + "--messages m.csv").out, Not(HasSubstr("where the cycles")));
}

// Nobody is in the way, and most is lost all the same.
TEST_F(CliExplain, SplitsWhatARunTakesBeyondItsLowerBound) {
  const std::string bucket = "--topology torus:4x4 --algorithm bucket-allreduce --flits 32 ";
  const std::string text = allport("explain " + bucket).out;
  const char* const split =
      "\nfrom the lower bound to the 42 cycles of the run\n"
      "  bound                        16   38.1 %  no schedule is faster, by ports\n"
      "  ports without work           15   35.7 %  what the bound fills with flits is empty in part: 6 in steps 1 to 3, 6 in steps 10 to 12, 3 in steps 5 to 9\n"
      "  hops                         11   26.2 %  messages cross channels\n"
      "\ncritical path: 42 cycles of 12 messages ";
  EXPECT_THAT(text, HasSubstr(split));
  EXPECT_THAT(
      text,
      HasSubstr(
          "\n  Of 42 cycles, 16 are the lower bound; most of the others, 15 (35.7 %), are due to ports without work.\n"
          "  A block has 2 flits in 4 parts: 2 of these are empty, and the ports for them have no work.\n"));
  EXPECT_THAT(allport("run " + bucket + "--explain all --model systemc").out, HasSubstr(split));
  const Json way = json("run " + bucket + "--explain all --json -")["explanation"]["to_bound"];
  EXPECT_EQ(way["bound"], 16);
  EXPECT_EQ(way["by"], "ports");
  EXPECT_EQ(way["cycles"], 42);
  EXPECT_EQ(way["parts"][1], Json({{"part", "hops"}, {"cycles", 11}}));
  EXPECT_EQ(way["parts"][0]["steps"][0], Json({{"step", 1}, {"cycles", 2}, {"transfer", 4}}));
  EXPECT_THAT(
      allport("explain --topology ring:4 --algorithm separate --destinations 1 --ports 1").out,
      HasSubstr("\n  The run takes 17 cycles, as its lower bound: nothing can be faster.\n"));
}

TEST_F(CliExplain, SaysWhyThereIsNoLowerBound) {
  write("ring.jsonl",
        "{\"node\":0,\"send\":true,\"to\":1,\"flits\":8}\n"
        "{\"node\":1,\"receive\":true,\"from\":0}\n");
  for (
      const auto& [words, sentence] :
      {std::pair("--topology ring:4 --pattern uniform --rate 0.1 --cycles 90",
                 "A pattern has no lower bound: its messages start when they are drawn."),
       std::pair(
           "--topology ring:4 --tasks ring.jsonl",
           "Tasks, programs and messages that start by a clock have no lower bound: what they "
           "wait for is their own."),
       std::pair("--topology hypercube:2 --algorithm join-reduce",
                 "Joins have no lower bound: routers add, and the bounds count what nodes send."),
       std::pair(
           "--topology hypercube:2 --algorithm sbt --ts-per-flit 1",
           "A run under a node model of its own has no lower bound: the bounds know ts and tr only.")}) {
    EXPECT_THAT(allport(std::string("explain ") + words).out,
                HasSubstr("\n\n" + std::string(sentence) + "\n"));
    const Json explanation =
        json(std::string("run --explain all --json - ") + words)["explanation"];
    EXPECT_EQ(explanation["to_bound"], nullptr);
    EXPECT_EQ(explanation["no_bound"], sentence);
  }
}

// The same account, whichever model moves the flits.
TEST_F(CliExplain, IsTheSameInRtlForPatternsAtRandom) {
  std::uint64_t all = 0;
  for (const char* rate : {"0.2", "0.6", "0.9"}) {
    for (int seed = 1; seed <= 4; ++seed) {
      const std::string command =
          std::string(
              "run --topology hypercube:3 --pattern uniform --cycles 120 --flits 5 --rate ") +
          rate + " --seed " + std::to_string(seed) + " --explain all --json -";
      const Json flits = json(command)["explanation"];
      EXPECT_EQ(json(command + " --model rtl")["explanation"], flits) << command;
      EXPECT_EQ(json(command + " --model worm")["explanation"], flits) << command;
      all += flits["contended"].get<std::uint64_t>();
    }
  }
  EXPECT_GT(all, 0U);
}

// Each of the two trees that are left stands before a channel of the other; of two sources alone
// there is one circle.
TEST_F(CliExplain, SaysThatADeadlockHasAnotherCircle) {
  const std::string trees = "run --topology hypercube:3 --algorithm tree --flits 40 --explain all ";
  EXPECT_THAT(allport(trees + "--source 0,1,2,3,4,5").out,
              HasSubstr("  It is not the only circle: 1 -> all, 3 -> all wait for one another as "
                        "well, so to break this one alone is not enough.\n"));
  const Outcome two = allport(trees + "--source 0,2");
  EXPECT_EQ(two.status, 3);
  EXPECT_THAT(two.out, AllOf(HasSubstr("in a circle"), Not(HasSubstr("the only circle"))));
}

// Every destination of every trial is in one of its bars.
TEST_F(CliExplain, ACollectiveHasAHistogramOfItsLatencies) {
  const Json latency = json(
      "run --topology hypercube:4 --algorithm wsort --ts 9 --trials 3 --destinations random:7 --json -")
      ["latency"];
  std::int64_t destinations = 0;
  for (const Json& bar : latency["histogram"]) {
    destinations += bar["destinations"].get<std::int64_t>();
    EXPECT_LE(bar["from"], bar["to"]);
  }
  EXPECT_EQ(destinations, 21);
  EXPECT_LE(latency["histogram"].back()["from"], latency["max"]);
  EXPECT_GE(latency["histogram"].back()["to"], latency["max"]);
}

// Of what the run alone tells, that there is no such message, it is told after the run.
TEST_F(CliExplain, AMessageOfANodeThatIsNotThereIsRefusedBeforehand) {
  write("kept.json", "mine");
  write("ends.csv", "a,b\nb,c\nc,a\n");
  write("star.dot", "graph { hub [processor=false]; a -- hub; b -- hub }");
  for (const auto& [fabric, message, sentence] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"hypercube:3", "0>99#0",
            "receiver 99 is not a node of hypercube:3, which has the nodes 0..7"},
           {"hypercube:3", "8>all#0",
            "sender 8 is not a node of hypercube:3, which has the nodes 0..7"},
           {"graph:ends.csv", "zz>a#0", "'zz' is not a node of graph:ends.csv: its nodes are a, b"},
           {"hypercube:3", "0>99999999999999999999#0", "'99999999999999999999' is not a node"},
           {"graph:ends.csv", "a>d>c#0", "'d>c' is not a node of graph:ends.csv"},
           {"graph:star.dot", "a>hub#0", "'hub' is not a node of graph:star.dot"},
           {"graph:ends.csv", ">a#0", "'message:>a#0' must be "},
           {"graph:ends.csv", "a>9#0", "'9' is not a node of graph:ends.csv: its nodes are a, b"},
           {"hypercube:3 --missing-nodes 7", "0>7#0",
            "'7' is not a node of hypercube:3 without node 7, for it is missing"},
           {"graph:ends.csv", "a>b", "'message:a>b' must be "}}) {
    for (const std::string option : {"--explain", "--wave kept.fst --wave-on"}) {
      const Outcome outcome = allport("run --algorithm separate --topology " + fabric +
                                      " --json kept.json " + option + " 'message:" + message + "'");
      EXPECT_EQ(outcome.status, 2) << fabric << message;
      EXPECT_EQ(outcome.out, "") << fabric << message;
      EXPECT_THAT(outcome.err, HasSubstr(sentence)) << fabric << message;
      EXPECT_EQ(content("kept.json"), "mine");
    }
  }
}

}  // namespace
}  // namespace allport::test
