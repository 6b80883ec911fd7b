// SPDX-License-Identifier: Apache-2.0
// These tests check `allport explain` in words, and explanations on all models of the fabric.
#include <gmock/gmock.h>

#include <string>
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

}  // namespace
}  // namespace allport::test
