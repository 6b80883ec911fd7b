// SPDX-License-Identifier: Apache-2.0
// These tests check stdout and stderr that are closed, full or without a reader.
#include <gmock/gmock.h>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

using CliStreams = Cli;

TEST_F(CliStreams, AClosedStdoutIsRefusedAndNoFileTakesItsPlace) {
  for (const char* command : {"run --topology hypercube:4 --algorithm ucube --json j.json",
                              "steps --topology hypercube:3 --trials 2 --json j.json",
                              "compare --topology hypercube:3 --algorithms ucube --json j.json",
                              "fit --topology hypercube:2 --sizes 1,2 --json j.json",
                              "sweep --topology ring:4 --algorithm separate --output j.json"}) {
    const Outcome outcome = shell("allport " + std::string(command) + " >&-");
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_THAT(outcome.err, HasSubstr("allport: stdout cannot be written: ")) << command;
    EXPECT_FALSE(exists("j.json")) << command;
  }
}

TEST_F(CliStreams, AClosedStderrOrStdinIsNoFileEither) {
  const std::string run = "allport run --topology hypercube:4 --algorithm ucube --json ";
  const Outcome plain = shell(run + "a.json");

  EXPECT_EQ(shell(run + "b.json --wave w.vcd 2>&-").status, 0);
  EXPECT_EQ(shell(run + "c.json <&- 2>&-").status, 0);
  EXPECT_EQ(shell("allport run --topology bad 2>&-").status, 2);

  const auto digest = [this](const char* file) {
    return nlohmann::json::parse(content(file)).at("digest");
  };
  EXPECT_EQ(plain.status, 0);
  EXPECT_EQ(digest("b.json"), digest("a.json"));
  EXPECT_EQ(digest("c.json"), digest("a.json"));
}

TEST_F(CliStreams, AStderrThatIsFullChangesNoExitStatus) {
  EXPECT_EQ(shell("allport run --topology bad 2>/dev/full").status, 2);
  EXPECT_EQ(
      shell("allport run --topology hypercube:3 --algorithm tree --source 0,6 2>/dev/full").status,
      3);
  EXPECT_EQ(
      shell("allport bench --cases 'torus uniform 0.2' --models systemc --cycles 10 2>/dev/full")
          .status,
      0);
  const Outcome relays = shell(
      "allport run --topology hypercube:3 --algorithm sbt --destinations 7 --json - 2>/dev/full");
  EXPECT_EQ(relays.status, 0);
  EXPECT_TRUE(nlohmann::json::parse(relays.out, nullptr, false).is_object()) << relays.out;
}

TEST_F(CliStreams, AStderrThatNobodyReadsChangesNoExitStatus) {
  shell("{ sleep 0.3; allport run --topology bad; echo $? >status; } 2>&1 >/dev/null | true");

  EXPECT_EQ(content("status"), "2\n");
}

TEST_F(CliStreams, AReaderOfStdoutWhoLeavesCostsNoFileAndChangesNoExitStatus) {
  const auto unread = [this](const std::string& line) {  // the program prints when nobody reads
    shell("{ sleep 0.3; allport " + line + "; echo $? >status; } 2>err | true");
    EXPECT_EQ(content("err"), "") << line;
    return content("status");
  };
  EXPECT_EQ(unread("run --topology hypercube:4 --algorithm ucube --json j.json"), "0\n");
  EXPECT_EQ(unread("run --topology hypercube:4 --algorithm ucube --json - --report r.html"), "0\n");
  EXPECT_EQ(unread("program maze --side 16 --output cells.csv"), "0\n");
  EXPECT_EQ(unread("sweep --topology ring:4 --algorithm separate --flits 1..3 --output s"), "0\n");
  for (const char* file : {"j.json", "r.html", "cells.csv", "s/results.csv"}) {
    EXPECT_TRUE(exists(file)) << file;
  }
}

TEST_F(CliStreams, AScheduleNeedsAStdinThatCanBeRead) {
  for (const char* command : {"run --topology ring:4 --schedule -", "check --topology ring:4 -"}) {
    const std::string line = "allport " + std::string(command);
    const Outcome closed = shell(line + " <&-");
    EXPECT_EQ(closed.status, 2) << command;
    EXPECT_EQ(
        closed.err,
        "allport: the schedule is to be read from stdin, which is closed or was opened for writing\n");
    EXPECT_EQ(shell(line + " 0>out").err, closed.err) << command;
    EXPECT_EQ(shell(line + " <.").err,
              "allport: the schedule is to be read from stdin, which is a folder\n");
    EXPECT_EQ(shell(line + " </dev/null").err, "allport: stdin: the schedule holds no unicasts\n");
  }
  write("empty", "");
  const Outcome empty = allport("run --topology ring:4 --schedule empty");
  EXPECT_EQ(empty.status, 2);
  EXPECT_EQ(empty.err, "allport: empty: the schedule holds no unicasts\n");
}

}  // namespace
}  // namespace allport::test
