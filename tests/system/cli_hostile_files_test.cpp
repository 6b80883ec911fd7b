// SPDX-License-Identifier: Apache-2.0
// Files that are made to break their reader get one sentence, status 2, and no words of a library.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

class CliHostileFiles : public Cli {
 protected:
  void expect_sentence(const std::string& command, const std::string& sentence) const {
    const Outcome outcome = allport(command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_EQ(outcome.err, "allport: " + sentence + "\n") << command;
  }
};

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST_F(CliHostileFiles, KeysOfFiftyThousandParts) {
  const std::string key = repeated("a.", 49999) + "a";
  const std::string why = "a key has more than 16 parts joined by dots";
  for (const char* command : {"run", "compare", "sweep"}) {
    write("table.toml", "[" + key + "]\n");
    expect_sentence(std::string(command) + " table.toml", "table.toml:1:2: " + why);
    write("key.toml", "[fabric]\n" + key + " = 1\n");
    expect_sentence(std::string(command) + " key.toml", "key.toml:2:1: " + why);
  }
}

TEST_F(CliHostileFiles, ValuesInAHundredThousandLists) {
  write("d.jsonl", "{\"u\":" + repeated("[", 100000) + repeated("]", 100000) + "}\n");
  const std::string why = "d.jsonl:1: lists and objects are nested more than 8 deep";
  expect_sentence("check --topology hypercube:3 d.jsonl", why);
  expect_sentence("run --topology hypercube:3 --schedule d.jsonl", why);
}

TEST_F(CliHostileFiles, NumbersBeyondADouble) {
  const Outcome outcome =
      allport("check --topology hypercube:3 -", "{\"u\":0,\"v\":7,\"step\":1e999,\"order\":0}\n");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err,
            "allport: stdin:1: a number is beyond the range of a double, which ends at 1.8e308\n");
}

TEST_F(CliHostileFiles, NamesThatNoFileCanHave) {
  const std::string name = repeated("n", 5000);
  for (const std::string& command :
       {"run " + name, "compare " + name, "sweep " + name, "sweep grid.toml --output " + name,
        "run --topology ring:4 --schedule " + name, "check --topology ring:4 " + name,
        "run --topology ring:4 --algorithm separate --wave " + name + ".fst",
        "run --topology ring:4 --algorithm separate --json " + name,
        "run --topology hypercube:3 --algorithm tree --deadlock " + name + ".svg",
        "run --topology ring:4 --pattern uniform --rate 1 --cycles 9 --channel-load " + name,
        "cosim --topology ring:4 --algorithm separate --rtl " + name + " --top router",
        "fit --topology ring:4 --sizes 1,2 --csv " + name,
        "reproduce robinson-9 --trials 1 --output " + name}) {
    write("grid.toml", "[fabric]\ntopology='ring:4'\n[traffic]\nalgorithm='separate'\n");
    const Outcome outcome = allport(command);
    EXPECT_EQ(outcome.status, 2) << command.substr(0, 80);
    EXPECT_EQ(outcome.out, "") << command.substr(0, 80);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1);
    for (const char* library : {"filesystem error", "basic_filebuf", "[json", "std::"}) {
      EXPECT_THAT(outcome.err, Not(HasSubstr(library))) << command.substr(0, 80);
    }
  }
}

TEST_F(CliHostileFiles, WhatFailsWhileItIsRead) {
  expect_sentence("run /proc/self/mem",
                  "the scenario /proc/self/mem cannot be read: Input/output error");
  expect_sentence("sweep /proc/self/mem",
                  "the grid /proc/self/mem cannot be read: Input/output error");
  expect_sentence("check --topology ring:4 /proc/self/mem",
                  "/proc/self/mem: it cannot be read to its end: Input/output error");
  expect_sentence("run .", "the scenario . is a folder");
  expect_sentence("check --topology ring:4 .", "the schedule . is a folder");
  expect_sentence("run --topology ring:4 --cycles 9 --flows .", "the flows . are a folder");
}

// Each of 200,000 nodes gets the message from the previous one.
TEST_F(CliHostileFiles, AScheduleThatIsAChain) {
  const Outcome made = shell(
      "awk 'BEGIN { for (i = 0; i < 200000; ++i) printf \"{\\\"u\\\":%d,\\\"v\\\":%d,\\\"step\\\":%d,\\\"order\\\":0}\\n\", i, i + 1, i + 1 }' >chain.jsonl");
  ASSERT_EQ(made.status, 0);

  const Outcome outcome =
      shell("(ulimit -s 1024; allport check --topology ring:200001 chain.jsonl)");

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("false")));
}

// Of a file that has more than any fabric nothing is made.
TEST_F(CliHostileFiles, GraphsOfFourMillionNodes) {
  const Outcome made = shell(
      "awk 'BEGIN { print \"<graphml><graph>\"; for (i = 0; i < 4000000; ++i) print \"<node id=\\\"\" i \"\\\"/>\" }' >g.graphml;"
      "awk 'BEGIN { for (i = 0; i < 4000000; ++i) print \"0,inject,1,0,0\" }' >t.csv;"
      "awk 'BEGIN { for (i = 0; i < 4000000; ++i) print i }' >nodes.txt");
  ASSERT_EQ(made.status, 0);
  const std::string limit = memory_limit(300000);
  const auto refusal = [&](const std::string& options) {
    const Outcome outcome = shell(limit + "allport run --algorithm separate --topology " + options);
    EXPECT_EQ(outcome.status, 2) << options;
    return outcome.err;
  };
  EXPECT_EQ(refusal("graph:g.graphml"),
            "allport: --topology: g.graphml:1048578: here is one node more than the 1048576 that "
            "are possible at most\n");
  EXPECT_EQ(refusal("ring:4 --routing table:t.csv"),
            "allport: t.csv:2: there is a row of node 0, inject and destination 1 before\n");
  EXPECT_EQ(refusal("ring:4 --group nodes.txt"),
            "allport: --group: nodes.txt:1048577: here is one node more than the 1048576 that a "
            "fabric has at most\n");
  ASSERT_EQ(shell("truncate --size 3G g.graphml").status, 0);
  EXPECT_EQ(refusal("graph:g.graphml"),
            "allport: --topology: graph: the file g.graphml cannot be read: it has more than 1024 "
            "MiB; give GraphML, DOT or a list of edges\n");
}

// The kernel of SystemC passes on the words of an exception only.
TEST_F(CliHostileFiles, TooLittleMemoryIsNoFaultOfTheModel) {
  const std::string limit = memory_limit(200000);
  if (limit.empty()) {
    GTEST_SKIP() << "a program with sanitizers needs more than the memory that is left here";
  }
  const Outcome outcome = shell(
      limit +
      "allport run --topology ring:65536 --pattern uniform --rate 1 --cycles 200 --flits 1 --model worm");

  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(
      outcome.err,
      "allport: the machine does not have enough memory for this: the pattern offers some 13107200 messages; a lower --rate, fewer --cycles or fewer nodes need less\n");
}

// Where modules of SystemC have all of it, there is none for the words when they are wanted.
TEST_F(CliHostileFiles, TooLittleMemoryForARunNamesItAtAnyLimit) {
  if (memory_limit(60000).empty()) {
    GTEST_SKIP() << "a program with sanitizers needs more than the memory that is left here";
  }
  for (const int kilobytes : {80000, 102400, 130000, 150000, 170000}) {
    const Outcome outcome =
        shell(memory_limit(kilobytes) +
              "allport run --topology torus:32x32 --pattern uniform --rate 0.4 --cycles 20000");
    EXPECT_EQ(outcome.status, 3) << kilobytes;
    EXPECT_THAT(outcome.err, HasSubstr(": the pattern offers some 512000 messages; ")) << kilobytes;
  }
}

// Where a block has no flit at a length, it is left out, so that few bytes are few messages.
TEST_F(CliHostileFiles, TooLittleMemoryForBytesNamesThem) {
  const std::string limit = memory_limit(90000);
  if (limit.empty()) {
    GTEST_SKIP() << "a program with sanitizers needs more than the memory that is left here";
  }
  const std::string run =
      limit +
      "allport run --topology torus:8x8x8 --algorithm bucket-allreduce --model worm --bytes ";
  const Outcome much = shell(run + "64KiB");
  EXPECT_EQ(much.status, 3);
  EXPECT_EQ(
      much.err,
      "allport: the machine does not have enough memory for this: the run has 129024 messages; shorter messages or fewer nodes need less\n");
  EXPECT_EQ(shell(run + "4KiB").status, 0);
}

// Not runs alone: what proves, prints or compares schedules names them, too.
TEST_F(CliHostileFiles, TooLittleMemoryForAScheduleNamesIt) {
  const std::string limit = memory_limit(60000);
  if (limit.empty()) {
    GTEST_SKIP() << "a program with sanitizers needs more than the memory that is left here";
  }
  const std::string shortage = "allport: the machine does not have enough memory for this: ";
  const std::string of_ring =
      shortage +
      "ring-allreduce on ring:2048 is planned whole; shorter messages or fewer nodes need less\n";
  const std::string ring = " --topology ring:2048 --algorithm ring-allreduce --flits 2048";
  EXPECT_EQ(shell(limit + "allport check" + ring).err, of_ring);
  EXPECT_EQ(shell(limit + "allport schedule" + ring).err, of_ring);
  const std::string several =
      "allport compare --algorithms ring-allreduce --bytes 8KiB --json out.json --topology ";
  const Outcome one = shell(limit + several + "ring:2048");
  EXPECT_EQ(one.status, 3);
  EXPECT_EQ(one.err, of_ring);
  EXPECT_FALSE(exists("out.json"));
  EXPECT_EQ(shell(limit + "allport compare --algorithms ring-allreduce --sizes 1KiB,8KiB "
                          "--topology ring:2048")
                .err,
            of_ring);
  const Outcome two = shell(limit + several + "'ring:4;ring:2048'");
  EXPECT_NE(two.status, 0);
  EXPECT_THAT(two.err, HasSubstr("ring:2048: the machine does not have enough memory for this: "));
  EXPECT_EQ(
      shell(limit + "allport check --topology torus:100x100 --routing table:shortest --vcs 16 "
                    "--algorithm separate --destinations 7")
          .err,
      shortage + "separate on torus:100x100 is planned whole; fewer nodes need less\n");
}

}  // namespace
}  // namespace allport::test
