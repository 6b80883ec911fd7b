// SPDX-License-Identifier: Apache-2.0
// These tests check tasks and node models on the command line.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/cli_program.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CliTasks : public Cli {
 protected:
  CliTasks() {
    write("t.jsonl",
          "{\"node\":0,\"task\":\"c\",\"compute\":100}\n"
          "{\"node\":0,\"send\":true,\"to\":1,\"flits\":16,\"after\":[\"c\"]}\n"
          "{\"node\":1,\"task\":\"r\",\"receive\":true,\"from\":0}\n"
          "{\"node\":1,\"compute\":50,\"after\":[\"r\"]}\n");
  }
};

class CliTaskCalls : public Cli {
 protected:
  // Each of 16 ranks works and sums a vector of 1600 bytes up, by `algorithm` if there is one.
  void write_sums(const std::string& algorithm) const {
    std::string text;
    for (int rank = 0; rank < 16; ++rank) {
      const std::string begin = "{\"node\":" + std::to_string(rank);
      text += begin + ",\"task\":\"w\",\"compute\":" + std::to_string(100 + rank) + "}\n";
      text += begin + ",\"collective\":\"allreduce\",\"bytes\":1600,\"after\":[\"w\"]" +
              (algorithm.empty() ? "" : ",\"algorithm\":\"" + algorithm + "\"") + "}\n";
    }
    write("sums.jsonl", text);
  }
};

TEST_F(CliTaskCalls, HaveOneResultOnEveryModelAndAsARecordedTrace) {
  write_sums("");
  std::string trace;
  for (int rank = 0; rank < 16; ++rank) {
    const std::string r = std::to_string(rank);
    trace += r + " init\n" + r + " compute " + std::to_string(100 + rank) + "\n" + r +
             " allreduce 200 0 0\n" + r + " finalize\n";
  }
  write("sums.txt", trace);
  const std::string rest = " --topology torus:4x4 --ts 10 --tr 5 --json -";
  const nlohmann::json flits = json("run --tasks sums.jsonl" + rest);
  EXPECT_EQ(flits["config"]["tasks"]["collectives"][0]["algorithm"], "bucket-allreduce");
  for (const std::string command :
       {"run --model worm --tasks sums.jsonl", "cosim --tasks sums.jsonl", "replay sums.jsonl",
        "replay sums.txt --model worm"}) {
    const nlohmann::json other = json(command + rest);
    EXPECT_EQ(other["tasks"]["makespan"], flits["tasks"]["makespan"]) << command;
    EXPECT_EQ(other["digest"], flits["digest"]) << command;
  }
}

TEST_F(CliTaskCalls, AreReportedWithTheirAlgorithm) {
  write_sums("dims-allreduce");
  const std::string rest = " sums.jsonl --topology torus:4x4 --model worm";
  const Outcome outcome = allport("run --tasks" + rest);
  EXPECT_THAT(outcome.out,
              HasSubstr("collectives 1 allreduce among 16 ranks by dims-allreduce on torus:4x4"));
  EXPECT_THAT(allport("replay" + rest).out, HasSubstr("sums.jsonl, tasks: 16 ranks"));
  EXPECT_THAT(allport("replay" + rest + " --map allreduce=swing-allreduce").out,
              HasSubstr("by swing-allreduce on torus:4x4"));
}

// Algorithms that do not run on the fabric of the ranks: where the collective is called.
TEST_F(CliTaskCalls, AreRefusedWhereTheyStandIfTheirAlgorithmDoesNotFit) {
  write_sums("swing-allreduce");
  for (const std::string command : {"run --tasks sums.jsonl", "replay sums.jsonl"}) {
    const Outcome outcome = allport(command + " --topology hypercube:4");
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_THAT(
        outcome.err,
        StartsWith("allport: sums.jsonl:2: algorithm swing-allreduce is for rings and tori"))
        << command;
  }
}

TEST_F(CliTaskCalls, ThatWaitForThemselvesAreToldOnce) {
  write("self.jsonl",
        "{\"node\":0,\"task\":\"s\",\"collective\":\"barrier\",\"after\":[\"s\"]}\n"
        "{\"node\":1,\"collective\":\"barrier\"}\n");
  EXPECT_EQ(allport("run --tasks self.jsonl --topology ring:4").err,
            "allport: self.jsonl:1: the task waits for itself\n");
}

TEST_F(CliTaskCalls, MayFollowAByteOrderMark) {
  write_sums("");
  write("marked.jsonl", "\xef\xbb\xbf" + content("sums.jsonl"));
  const std::string rest = " --topology torus:4x4 --json -";
  const nlohmann::json plain = json("run --tasks sums.jsonl" + rest);
  for (const std::string command : {"run --tasks marked.jsonl", "replay marked.jsonl"}) {
    EXPECT_EQ(json(command + rest)["digest"], plain["digest"]) << command;
  }
}

TEST_F(CliTaskCalls, ArePlannedAmongTheRanksOfAGroup) {
  write_sums("");
  const Outcome outcome =
      allport("run --topology torus:8x8 --group box:4x4@2,2 --tasks sums.jsonl --model worm");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("by dims-allreduce on mesh:4x4"));
}

// 100 + 10 + 1 + 16 + 5 + 50, as in tests/testbench/simulation/task_run_test.cpp.
TEST_F(CliTasks, HaveOneResultOnEveryModel) {
  const std::string rest = " --topology hypercube:2 --tasks t.jsonl --ts 10 --tr 5 --json -";
  const nlohmann::json flits = json("run" + rest);
  EXPECT_EQ(flits["tasks"]["makespan"], 182);
  EXPECT_EQ(flits["tasks"]["ranks"][1]["wait"], 132);
  EXPECT_EQ(flits["tasks"]["sequential"], 150);
  EXPECT_EQ(flits["latency"]["max"], nullptr);
  for (const std::string command : {"run --model worm", "cosim"}) {
    const nlohmann::json other = json(command + rest);
    EXPECT_EQ(other["tasks"], flits["tasks"]) << command;
    EXPECT_EQ(other["digest"], flits["digest"]) << command;
  }
}

TEST_F(CliTasks, AreReportedByMakespanAndNotByDestinations) {
  const Outcome outcome =
      allport("run --topology hypercube:2 --tasks t.jsonl --ts 10 --tr 5 --clock 0.5");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("t.jsonl: 4 tasks of 2 ranks, 1 message with 64 bytes"));
  EXPECT_THAT(outcome.out, HasSubstr("makespan    182 cycles (0.364 us)"));
  EXPECT_THAT(outcome.out, HasSubstr("speed-up    0.824 with 2 processors, efficiency 0.412"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("theory")));
  EXPECT_THAT(outcome.out, Not(HasSubstr("destinations")));
}

TEST_F(CliTasks, CanComeFromAScenarioOrStdin) {
  write("s.toml",
        "[fabric]\ntopology = \"ring:4\"\n[traffic]\ntasks = \"t.jsonl\"\n[node]\nts = 10\ntr = 5\n"
        "send = \"blocking\"\n");
  EXPECT_EQ(json("run s.toml --json -")["tasks"]["ranks"][0]["communicate"], 25);
  const Outcome outcome =
      allport("run --topology ring:4 --tasks - --model worm", "{\"node\":0,\"compute\":3}\n");
  EXPECT_THAT(outcome.out, HasSubstr("makespan    3 cycles"));
}

TEST_F(CliTasks, SitWhereTheyArePlaced) {
  const nlohmann::json placed =
      json("run --topology ring:8 --tasks t.jsonl --group 3,5 --json - --place random:4");
  EXPECT_EQ(placed["tasks"]["ranks"].size(), 2U);
  EXPECT_THAT(placed["tasks"]["ranks"][0]["node"].get<int>() +
                  placed["tasks"]["ranks"][1]["node"].get<int>(),
              8);
}

TEST_F(CliTasks, ThatWaitForEverAreNamed) {
  write("d.jsonl",
        "{\"node\":0,\"task\":\"r\",\"receive\":true,\"from\":1,\"tag\":3}\n"
        "{\"node\":0,\"send\":true,\"to\":1,\"flits\":1,\"tag\":4,\"after\":[\"r\"]}\n"
        "{\"node\":1,\"task\":\"r\",\"receive\":true,\"from\":0,\"tag\":4}\n"
        "{\"node\":1,\"send\":true,\"to\":0,\"flits\":1,\"tag\":3,\"after\":[\"r\"]}\n");
  for (const std::string model : {"systemc", "worm"}) {
    const Outcome outcome = allport("run --topology ring:4 --tasks d.jsonl --model " + model);
    EXPECT_EQ(outcome.status, 3);
    EXPECT_THAT(
        outcome.out,
        HasSubstr("rank 0 waits at d.jsonl:1 for a message from rank 1, tag 3, sent at d.jsonl:4"));
    EXPECT_THAT(outcome.err, HasSubstr("deadlock of tasks: 4 of 4 did not end"));
  }
}

// Ranks 0 and 2 share a group that each enters only after another: the collectives are named, not
// the tags of their messages, which nobody wrote.
TEST_F(CliTasks, CollectivesThatWaitForEachOtherAreNamed) {
  write(
      "g.jsonl",
      "{\"node\":0,\"task\":\"a\",\"collective\":\"allreduce\",\"bytes\":64,\"group\":\"a\"}\n"
      "{\"node\":0,\"collective\":\"barrier\",\"group\":\"b\",\"after\":[\"a\"]}\n"
      "{\"node\":1,\"task\":\"b\",\"collective\":\"allgather\",\"bytes\":64,\"group\":\"c\"}\n"
      "{\"node\":1,\"collective\":\"allreduce\",\"bytes\":64,\"group\":\"a\",\"after\":[\"b\"]}\n"
      "{\"node\":2,\"task\":\"c\",\"collective\":\"barrier\",\"group\":\"b\"}\n"
      "{\"node\":2,\"collective\":\"allgather\",\"bytes\":64,\"group\":\"c\",\"after\":[\"c\"]}\n");
  for (const std::string model : {"systemc", "worm"}) {
    const Outcome outcome = allport("run --topology ring:4 --tasks g.jsonl --model " + model);
    EXPECT_EQ(outcome.status, 3) << outcome.err;
    const std::string said = outcome.out + outcome.err;
    EXPECT_THAT(
        said,
        HasSubstr(
            "rank 0 waits at g.jsonl:1 for a message from rank 1 in the allreduce of ranks 0, 1, sent at g.jsonl:4"));
    EXPECT_THAT(said, HasSubstr("in the barrier of ranks 0, 2"));
    EXPECT_THAT(said, HasSubstr("in the allgather of ranks 1, 2"));
    EXPECT_THAT(said, Not(HasSubstr("21474836")));
  }
}

// Node 1's message is the one that came first, so that the receive from any rank took it.
TEST_F(CliTasks, SayWhoTookTheMessage) {
  write("any.jsonl",
        "{\"node\":0,\"receive\":true,\"tag\":1}\n"
        "{\"node\":0,\"receive\":true,\"from\":1,\"tag\":1}\n"
        "{\"node\":1,\"send\":true,\"to\":0,\"flits\":2,\"tag\":1}\n"
        "{\"node\":2,\"send\":true,\"to\":0,\"flits\":2,\"tag\":1,\"at\":50}\n");
  for (const std::string command : {"run", "run --model worm", "cosim"}) {
    const Outcome outcome = allport(command + " --topology ring:4 --tasks any.jsonl");
    EXPECT_EQ(outcome.status, 3) << command;
    EXPECT_THAT(
        outcome.err,
        HasSubstr(
            "rank 0 waits at any.jsonl:2 for a message from rank 1, tag 1, that any.jsonl:1 took"))
        << command;
  }
}

TEST_F(CliTasks, AreRefusedInOneSentence) {
  write("far.jsonl", "{\"node\":4,\"compute\":1}\n");
  const auto complaint = [&](const std::string& rest) {
    const Outcome outcome = allport("run --topology ring:4 " + rest);
    EXPECT_EQ(outcome.status, 2) << rest;
    return outcome.err;
  };
  EXPECT_THAT(complaint("--tasks far.jsonl"),
              HasSubstr("far.jsonl:1: there is no node for rank 4; the run has ranks 0..3"));
  EXPECT_THAT(complaint("--tasks none"), HasSubstr("the tasks none cannot be read"));
  EXPECT_THAT(complaint("--tasks t.jsonl --algorithm ring"), HasSubstr("exclude each other"));
  EXPECT_THAT(complaint("--tasks t.jsonl --flits 3"), HasSubstr("exclude each other"));
  EXPECT_THAT(complaint("--tasks t.jsonl --tr-per-flit 3 --explain all"),
              HasSubstr("--tr-per-flit: the causes of latencies"));
  EXPECT_THAT(complaint("--pattern uniform --rate 0.1 --cycles 9 --receive occupies"),
              HasSubstr("--receive occupies: a pattern"));
}

TEST_F(CliTasks, HaveAPatternBesideThem) {
  const std::string rest =
      " --topology hypercube:2 --tasks t.jsonl --ts 10 --tr 5 --pattern uniform";
  const nlohmann::json idle = json("run" + rest + " --rate 0 --json -");
  EXPECT_EQ(idle["tasks"]["makespan"], 182);
  EXPECT_EQ(idle["traffic"]["accepted"], 0);
  const std::string loaded = rest + " --rate 0.9 --flits 20 --vcs 2 --seed 2 --json -";
  const nlohmann::json flits = json("run" + loaded);
  EXPECT_GT(flits["tasks"]["makespan"], 182);
  EXPECT_EQ(flits["config"]["flits"], 20);
  EXPECT_EQ(flits["config"]["pattern"], "uniform");
  for (const std::string command : {"run --model worm", "cosim", "run --model rtl"}) {
    const nlohmann::json other = json(command + loaded);
    EXPECT_EQ(other["tasks"], flits["tasks"]) << command;
    EXPECT_EQ(other["traffic"], flits["traffic"]) << command;
    EXPECT_EQ(other["digest"], flits["digest"]) << command;
  }
}

TEST_F(CliTasks, AreReportedWithThePatternBesideThem) {
  const std::string run =
      "run --topology hypercube:2 --tasks t.jsonl --ts 10 --tr 5 --pattern uniform --rate 0.5";
  const std::string out = allport(run + " --bytes 16").out;
  EXPECT_THAT(
      out,
      HasSubstr(
          "beside      uniform, 0.5 flits per node and cycle, for 1000000 cycles, seed 1, 4 flits, as long as ranks are at work"));
  EXPECT_THAT(out, HasSubstr("makespan"));
  EXPECT_THAT(out, HasSubstr("messages    offered 0."));
  EXPECT_THAT(out, Not(HasSubstr("--cycles")));
  EXPECT_THAT(allport(run + " --cycles 100").out,
              HasSubstr("they start before cycle 100 only (--cycles), and the ranks last until"));
  const Outcome explained = allport(run + " --explain all --messages m.csv --report r.html");
  EXPECT_EQ(explained.status, 0) << explained.err;
}

TEST_F(CliTasks, AreSweptOverTheLoadBesideThem) {
  write(
      "g.toml",
      "[fabric]\ntopology = \"hypercube:2\"\n[traffic]\ntasks = \"t.jsonl\"\npattern = \"uniform\"\nrate = [0, 0.9]\n[message]\nflits = 20\n");
  const Outcome outcome = allport("sweep g.toml");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("left out")));
  EXPECT_THAT(content("g.sweep/results.csv"), HasSubstr("tasks.makespan"));
  EXPECT_THAT(content("g.sweep/results.csv"), HasSubstr("traffic.accepted"));
  EXPECT_THAT(content("g.sweep/curve.gnuplot"), HasSubstr("tasks.makespan"));
}

TEST_F(CliTasks, RefuseWhatSaysNothingOfAPatternBesideThem) {
  const auto complaint = [&](const std::string& rest) {
    const Outcome outcome = allport(rest + " --topology ring:4");
    EXPECT_EQ(outcome.status, 2) << rest;
    return outcome.err;
  };
  EXPECT_THAT(complaint("run --tasks t.jsonl --pattern uniform"), HasSubstr("needs --rate"));
  EXPECT_THAT(complaint("run --tasks t.jsonl --rate 0.1"), HasSubstr("exclude each other"));
  EXPECT_THAT(complaint("run --tasks t.jsonl --pattern uniform --rate 0.1 --jitter 3"),
              HasSubstr("exclude each other"));
  EXPECT_THAT(complaint("run --pattern uniform --rate 0.1"), HasSubstr("needs --cycles"));
  EXPECT_THAT(complaint("program knapsack --flits 3"),
              HasSubstr("--flits needs --pattern: it is the length of the messages beside"));
  EXPECT_THAT(complaint("program knapsack --rate 0.3"), HasSubstr("--rate needs --pattern"));
}

TEST_F(CliTasks, CanBeExplained) {
  const std::string rest = "run --topology hypercube:2 --tasks t.jsonl --ts 10 --tr 5";
  const Outcome outcome = allport(rest + " --messages m.csv --timeline t.pftrace --report r.html");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(content("m.csv"), HasSubstr("0,1"));
  EXPECT_EQ(allport(rest + " --wave w.fst").status, 0);
}

// Two steps of HK's first phase leave by different ports at once.
TEST_F(CliTasks, NodeModelsHoldForAlgorithms) {
  const std::string rest =
      "--topology hypercube:4 --algorithm hk --ts 50 --tr 3 --flits 4 --json -";
  const auto latency = [&](const std::string& model) {
    const nlohmann::json flits = json("run " + rest + " " + model);
    const nlohmann::json worms = json("run --model worm " + rest + " " + model);
    EXPECT_EQ(flits["latency"], worms["latency"]) << model;
    EXPECT_EQ(flits["digest"], worms["digest"]) << model;
    return flits["latency"]["max"].get<int>();
  };
  const int serial = latency("");
  EXPECT_LT(latency("--startup per-port"), serial);
  EXPECT_EQ(latency("--ts-per-flit 0"), serial);
  EXPECT_GT(latency("--ts-per-flit 1"), serial);
  EXPECT_GE(latency("--send blocking"), serial);
  EXPECT_GE(latency("--receive occupies"), serial);
}

TEST_F(CliTasks, MessagesOfSchedulesHaveLengthsAndStarts) {
  write("s.jsonl",
        "{\"u\":0,\"v\":1,\"step\":1,\"order\":0,\"flits\":8,\"at\":100}\n"
        "{\"u\":1,\"v\":3,\"step\":2,\"order\":0}\n");
  const std::string rest = "--topology hypercube:2 --schedule s.jsonl --ts 10 --tr 5 --json -";
  EXPECT_EQ(json("run " + rest)["tasks"]["makespan"], 156);
  EXPECT_EQ(json("run --model worm " + rest)["tasks"]["makespan"], 156);
  EXPECT_THAT(allport("check --topology hypercube:2 s.jsonl").err,
              HasSubstr("have flits, at or class"));
  EXPECT_THAT(allport("run --topology hypercube:2 --schedule s.jsonl --no-static").err,
              HasSubstr("and the options of the static check do not go with it"));
  EXPECT_THAT(allport("run --trials 2 " + rest).err, HasSubstr("--trials"));
}

// A file longer than what is looked at first is read whole.
TEST_F(CliTasks, ALongFileIsReadWhole) {
  std::string lines;
  for (int i = 0; i < 5000; ++i)
    lines += "{\"node\":" + std::to_string(i % 4) + ",\"compute\":1}\n";
  ASSERT_GT(lines.size(), 100'000U);
  write("long.jsonl", lines);
  for (const std::string file : {"long.jsonl", "- < long.jsonl"}) {
    const Outcome run = shell("allport run --topology ring:4 --json - --tasks " + file);
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(nlohmann::json::parse(run.out)["tasks"]["tasks"], 5000);
  }
}

}  // namespace
}  // namespace allport::test
