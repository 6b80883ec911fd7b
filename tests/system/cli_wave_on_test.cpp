// SPDX-License-Identifier: Apache-2.0
// Waves of a finding show its cycles and the routers concerned, as a user asks for them.
#include <gmock/gmock.h>

#include <algorithm>
#include <regex>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

constexpr const char* uniform =
    "run --topology torus:4x4 --pattern uniform --rate 0.3 --cycles 200 --seed 2 ";
constexpr const char* two_trees =
    "run --topology hypercube:3 --algorithm tree --source 0,6 --flits 16 ";

class CliWaveOn : public Cli {
 protected:
  /// What `report` says of the waves: `of FINDING, cycle A to B, routers LIST`.
  static std::string line_of(const Outcome& outcome) {
    std::smatch found;
    const std::regex line("\nwaves +(of .*): w.vcd\n");
    return std::regex_search(outcome.out, found, line) ? found[1].str() : outcome.out;
  }
  /// Runs `command` with --wave-on `what`, further options behind it, expects the status, and that
  /// w.vcd is the wave of an ordinary run with the options `window`. Returns what the report says
  /// of it.
  std::string waves_of(const std::string& command, const std::string& what, int status,
                       const std::string& window) const {
    const Outcome plain = allport(command + " --wave plain.vcd " + window);
    EXPECT_EQ(plain.status, status) << plain.err;
    const std::string quoted = "'" + what.substr(0, what.find(' ')) + "'";
    const std::string rest = what.substr(std::min(what.find(' '), what.size()));
    const Outcome outcome = allport(command + " --wave w.vcd --wave-on " + quoted + rest);
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.err, plain.err);
    EXPECT_EQ(content("w.vcd"), content("plain.vcd"));
    EXPECT_NE(content("w.vcd"), "");
    EXPECT_EQ(content("w.messages.txt"), content("plain.messages.txt"));
    return line_of(outcome);
  }
  /// Expects that the run has no such waves, says so, and leaves what was there.
  void expect_none(const std::string& command, int status, const std::string& sentence) const {
    write("w.gtkw", "old");
    const Outcome outcome = allport(command + " --wave w.vcd");
    EXPECT_EQ(outcome.status, status) << outcome.err;
    EXPECT_EQ(outcome.err, sentence) << command;
    EXPECT_THAT(outcome.out, HasSubstr("\ndigest "));
    EXPECT_FALSE(exists("w.vcd"));
    EXPECT_FALSE(exists("w.messages.txt"));
    EXPECT_EQ(content("w.gtkw"), "old");
  }
};

TEST_F(CliWaveOn, AContentionIsRecordedAtItsRouterItsNeighboursAndTheOneBeyond) {
  // 9>7 comes to router 10 from 9 and 10>3 begins there; both go on to 11.
  EXPECT_EQ(waves_of(uniform, "contention", 0, "--wave-nodes 9,10,11 --wave-to 75"),
            "of contention 1, cycle 0 to cycle 75, routers 9, 10, 11");
  EXPECT_THAT(content("w.gtkw"), HasSubstr("[markername] AA contention 1\n"));
  EXPECT_THAT(content("w.gtkw"), HasSubstr("\n-A  cycle 19: 10>3 "));
  // 2>10 begins at router 2; the wave begins with 2 cycles of margin.
  EXPECT_EQ(waves_of(uniform, "contention:3 --wave-margin 2", 0,
                     "--wave-nodes 2,3,6 --wave-from 98 --wave-to 120"),
            "of contention 3, cycle 98 to cycle 120, routers 2, 3, 6");
  const std::string save = content("w.gtkw");
  EXPECT_THAT(save, HasSubstr("[markername] BB contention 3\n"));
  EXPECT_THAT(
      save, HasSubstr("\n-B  cycle 100: 2>10 #1 waits 18 cycles for channel 2 -> 6 (+y, VC 0), "));
  EXPECT_LT(save.find("{router_2 "), save.find("{router_3 "));
}

TEST_F(CliWaveOn, TheDeadlockIsRecordedAtTheRoutersOfItsCircle) {
  EXPECT_EQ(waves_of(two_trees, "deadlock", 3, "--wave-nodes 0,4"),
            "of deadlock, cycle 0 to the end of the run, routers 0, 4");
  EXPECT_THAT(content("w.gtkw"), HasSubstr("deadlock in cycle 9"));
  EXPECT_EQ(waves_of(two_trees, "message:6>all#0", 3, "--wave-nodes 0,2,4,5,6,7"),
            "of message 6>* #0, cycle 0 to the end of the run, routers 0, 2, 4, 5, 6, 7");
  EXPECT_THAT(content("w.gtkw"), HasSubstr("it is not received"));
}

TEST_F(CliWaveOn, ADeadlockWithoutACircleIsRecordedWhereContributionsWait) {
  std::string lines;
  for (const int node : {0, 2}) {
    lines += R"({"v":0,"step":1,"order":0,"kind":"join-tree","free":[0,1],"u":)" +
             std::to_string(node) + "}\n";
  }
  write("lack.jsonl", lines);
  const std::string run = "run --topology hypercube:3 --schedule lack.jsonl --ts 200 ";
  EXPECT_EQ(waves_of(run, "deadlock --wave-margin 4", 3, "--wave-nodes 0,1,2 --wave-from 204"),
            "of deadlock, cycle 204 to the end of the run, routers 0, 1, 2");
}

TEST_F(CliWaveOn, AMessageIsRecordedOnItsWay) {
  EXPECT_EQ(waves_of("run --topology hypercube:4 --algorithm wsort --ts 100 --tr 7",
                     "message:0>8#0", 0, "--wave-nodes 0,8 --wave-to 174"),
            "of message 0>8 #0, cycle 0 to cycle 174, routers 0, 8");
  EXPECT_THAT(
      content("w.gtkw"),
      HasSubstr(
          "\n-A  cycle 0: 0>8 #0 is created; its head is injected in cycle 100; it is received in cycle 124"));
}

TEST_F(CliWaveOn, AMessageIsRecordedUntilItsReceiverHasIt) {
  const std::string run =
      "run --topology hypercube:2 --algorithm separate --destinations 1 --flits 4 --tr-per-flit 30";
  EXPECT_EQ(waves_of(run, "slowest --wave-margin 0", 0, "--wave-nodes 0,1"),
            "of slowest message 0>1 #0, cycle 0 to the end of the run, routers 0, 1");
  EXPECT_THAT(content("w.gtkw"), HasSubstr("; it is received in cycle 125"));
  allport(run + " --receive occupies --wave w.vcd --wave-on slowest");
  EXPECT_THAT(content("w.gtkw"), HasSubstr("; its tail is there in cycle 5"))
      << "a processor that is busy takes it over later";
}

TEST_F(CliWaveOn, ACopyOfATreeWormIsRecordedOnItsBranch) {
  const std::string run = "run --topology hypercube:3 --algorithm tree";
  EXPECT_EQ(waves_of(run, "message:0>7#0", 0, "--wave-nodes 0,4,6,7"),
            "of message 0>* #0, cycle 0 to the end of the run, routers 0, 4, 6, 7");
  EXPECT_EQ(waves_of(run, "message:0>all#0", 0, ""),
            "of message 0>* #0, cycle 0 to the end of the run, routers 0, 1, 2, 3, 4, 5, 6, 7");
}

TEST_F(CliWaveOn, TheSlowestMessageIsThatOfTheExplanation) {
  EXPECT_EQ(waves_of(uniform, "slowest", 0, "--wave-nodes 2,6,10 --wave-from 50 --wave-to 188"),
            "of slowest message 2>10 #1, cycle 50 to cycle 188, routers 2, 6, 10");
  const nlohmann::json message =
      json(uniform + std::string("--explain slowest:1 --json -"))["explanation"]["messages"][0];
  EXPECT_EQ(message["source"], 2) << message;
  EXPECT_EQ(message["destination"], 10) << message;
}

TEST_F(CliWaveOn, TheSlowestMessageOfCollectivesAtRandomIsNoneOfTheWarmUp) {
  const std::string run =
      "run --topology torus:4x4 --algorithm utorus --destinations random:5 --collective-rate 0.001 "
      "--cycles 3000 --warmup 2500 ";
  const nlohmann::json message =
      json(run + "--explain slowest:1 --json -")["explanation"]["messages"][0];
  EXPECT_THAT(allport(run + "--wave w.vcd --wave-on slowest --wave-margin 0").out,
              HasSubstr("of slowest message " + message["source"].dump() + ">" +
                        message["destination"].dump() + " #" + message["order"].dump() +
                        ", cycle " + message["created"].dump() + " to "));
}

TEST_F(CliWaveOn, WhatTheRunDoesNotHaveIsSaidAndNothingIsWritten) {
  const std::string calm = "run --topology hypercube:3 --algorithm wsort ";
  expect_none(calm + "--wave-on contention", 0,
              "allport: --wave-on contention:1: there was no contention; no waves were written\n");
  expect_none(
      uniform + std::string("--wave-on contention:9"), 0,
      "allport: --wave-on contention:9: the run has 8 contention events; no waves were written\n");
  expect_none(uniform + std::string("--strict --wave-on deadlock"), 1,
              "allport: --strict: 8 contention events\n"
              "allport: --wave-on deadlock: there was no deadlock; no waves were written\n");
  expect_none("run --topology ring:4 --pattern uniform --rate 0 --cycles 9 --wave-on slowest", 0,
              "allport: --wave-on slowest: no message was received; no waves were written\n");
  expect_none(
      calm + "--wave-on 'message:0>4#5'", 2,
      "allport: --wave-on message:0>4#5: no such message was received; the nearest is 0>4#0; no waves were written\n");
}

}  // namespace
}  // namespace allport::test
