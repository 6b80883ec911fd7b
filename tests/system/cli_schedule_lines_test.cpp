// SPDX-License-Identifier: Apache-2.0
// Lines of schedule files that are not sound are told and harm nothing, and the order in which
// lines stand says nothing.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/cli_program.h"
#include "tests/support/draw.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

class CliScheduleLines : public Cli {
 protected:
  // What `check` finds, which must be everything in its documented form.
  nlohmann::json check(const std::string& rest) const {
    const Outcome outcome = allport("check --json - " + rest);
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return nlohmann::json::parse(outcome.out, nullptr, false);
  }
};

TEST_F(CliScheduleLines, NodesBeyondTheFabricAreFindings) {
  const std::string sentence = "unicast 2 -> 10 (step 1): node 99 is not one of 0..15 of torus:4x4";
  write("s.jsonl", R"({"u":2,"v":10,"step":1,"order":0,"via":[99]})");
  const nlohmann::json found = check("--topology torus:4x4 s.jsonl --destinations 10");
  EXPECT_EQ(found["routes_valid"]["first"], nlohmann::json::array({sentence}));
  EXPECT_EQ(found["exactly_once"]["ok"], true);
  EXPECT_EQ(found["theorem1"]["ok"], true);
  const Outcome run = allport("run --topology torus:4x4 --schedule s.jsonl");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.err, "allport: s.jsonl: " + sentence + "\n");

  write("s.jsonl",
        R"({"u":2,"v":10,"step":1,"order":0,"via":[99],"blocks":[0],"adds":true})"
        "\n"
        R"({"u":1,"v":0,"step":1,"order":0,"via":[4294967295],"kind":"label","blocks":[1]})");
  for (const char* collective : {"reduce", "allreduce", "reduce_scatter", "allgather"}) {
    const Outcome outcome =
        allport("check --topology torus:4x4 s.jsonl --collective " + std::string(collective));
    EXPECT_TRUE(outcome.status == 1 || outcome.status == 2) << outcome.status << outcome.err;
  }
}

// A line that leads nowhere makes another node look like a second root.
TEST_F(CliScheduleLines, RoutesAreJudgedBeforeRoots) {
  write("s.jsonl",
        "{\"u\":14,\"v\":36,\"step\":1,\"order\":0}\n"
        "{\"u\":33,\"v\":0,\"step\":2,\"order\":0}\n");
  EXPECT_EQ(
      allport("run --schedule s.jsonl --topology mesh:6x6 --destinations 0,5").err,
      "allport: s.jsonl: unicast 14 -> 36 (step 1): node 36 is not one of 0..35 of mesh:6x6\n");
  EXPECT_EQ(
      check(
          "--topology mesh:6x6 s.jsonl --source 14 --destinations 0")["routes_valid"]["violations"],
      1);
}

// Tasks know no routes, so what a line says of one must not be passed over.
TEST_F(CliScheduleLines, TimedMessagesHaveNoKeysOfOtherKinds) {
  const auto fault_of = [&](const std::string& key) {
    write("s.jsonl", R"({"u":0,"v":1,"step":1,"order":0,"flits":4,)" + key + "}");
    return allport("run --topology torus:4x4 --schedule s.jsonl").err;
  };
  EXPECT_THAT(fault_of("\"free\":[0]"), HasSubstr("s.jsonl:1: unicast 0 -> 1 (step 1): free is"));
  EXPECT_THAT(fault_of("\"first_dimension\":0"), HasSubstr("first_dimension is for the kind"));
  EXPECT_THAT(fault_of("\"via\":[99]"), HasSubstr("node 99 is not one of"));
}

TEST_F(CliScheduleLines, TimedMessagesAreCalledByTheirOrder) {
  write("s.jsonl",
        "{\"u\":0,\"v\":1,\"step\":1,\"order\":7,\"flits\":5}\n"
        "{\"u\":0,\"v\":1,\"step\":1,\"order\":2,\"flits\":9}\n");
  allport("run --topology torus:4x4 --schedule s.jsonl --messages m.csv");
  EXPECT_THAT(content("m.csv"), HasSubstr("\n0,0,1,2,0,9,"));
  EXPECT_THAT(content("m.csv"), HasSubstr("\n0,0,1,7,0,5,"));
  EXPECT_THAT(
      allport("run --topology torus:4x4 --schedule s.jsonl --wave w.vcd --wave-on 'message:0>1#7'")
          .out,
      HasSubstr("of message 0>1 #7"));
}

// Messages with lengths, starts or neither; some have the same place in the program of a node. The
// order follows the steps, so that no node waits for what another one sends only after it.
std::vector<std::string> random_timed_lines(Draw& draw) {
  std::vector<std::string> lines;
  for (int count = 2 + draw.below(10); count > 0; --count) {
    const int from = draw.below(9);
    const int step = 1 + draw.below(3);
    std::string line = "{\"u\":" + std::to_string(from) +
                       ",\"v\":" + std::to_string((from + 1 + draw.below(8)) % 9) +
                       ",\"step\":" + std::to_string(step) +
                       ",\"order\":" + std::to_string(2 * step - draw.below(2));
    if (lines.empty() || draw.below(2) == 0) {
      line += ",\"flits\":" + std::to_string(1 + draw.below(20));
    }
    if (draw.below(3) == 0) line += ",\"at\":" + std::to_string(draw.below(60));
    lines.push_back(line + "}\n");
  }
  return lines;
}

TEST_F(CliScheduleLines, TheOrderOfTimedLinesSaysNothing) {
  const RandomCases cases(12);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed);
    const std::vector<std::string> lines = random_timed_lines(draw);
    std::string options = draw.one_of(std::vector<std::string>{
        " --topology torus:3x3", " --topology mesh:3x3 --vcs 2", " --topology ring:9 --vcs 4"});
    options += draw.one_of(std::vector<std::string>{"", " --model worm", " --ts 7 --ports 1"});
    const bool takes_over = draw.below(3) == 0;
    options += takes_over ? " --receive occupies --tr 3"
                          : " --explain all --messages m.csv --timeline t.ftr";
    std::string first;
    for (int turn = 0; turn < 3; ++turn) {
      std::string text;
      for (const std::size_t i : draw.subset(lines.size(), lines.size())) text += lines[i];
      write("s.jsonl", text);
      nlohmann::json results = json("run --schedule s.jsonl --json -" + options);
      results.erase("wall_seconds");
      const std::string all =
          results.dump() + (takes_over ? "" : content("m.csv") + content("t.ftr"));
      if (turn == 0) first = all;
      EXPECT_EQ(all, first) << "seed " << seed << options << "\n" << text;
    }
  }
}

}  // namespace
}  // namespace allport::test
