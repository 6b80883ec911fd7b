// SPDX-License-Identifier: Apache-2.0
// Makespans of tasks are counted by hand from docs/timing.md: a message that begins to be prepared
// in cycle s is at its receiver, over h hops, in cycle s + ts + h + L + tr.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <sstream>
#include <string>

#include "rtl_model/base/split_mix.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/resolve.h"
#include "testbench/simulation/simulate.h"
#include "tests/testbench/simulation/task_graphs.h"
#include "traffic/tasks/expand.h"
#include "traffic/tasks/schedule_tasks.h"
#include "traffic/tasks/task_file.h"

namespace allport {
namespace {

using test::draw_model;
using test::random_graph;
using testing::ElementsAre;
using testing::HasSubstr;

using Change = std::function<void(RunRequest&)>;

RunRequest request_of(std::shared_ptr<const TaskGraph> graph, const std::string& shape,
                      const Change& change, Model model) {
  RunRequest request;
  request.fabric.topology = parse_topology(shape);
  request.node.ts = 10;
  request.node.tr = 5;
  request.traffic.graph = std::move(graph);
  request.model = model;
  if (change) change(request);
  return request;
}

std::string in_words(const Results& results) {
  std::ostringstream text;
  text << results.broken_invariant << "makespan " << results.tasks->makespan;
  for (const RankResults& rank : results.tasks->ranks) {
    text << "; " << rank.compute << " " << rank.communicate << " " << rank.wait;
  }
  return text.str();
}

/// The makespan and what the ranks did, which are the same on both models.
std::string outcome(const std::string& lines, const std::string& shape = "hypercube:2",
                    const Change& change = {}) {
  std::istringstream in(lines);
  const auto graph = std::make_shared<TaskGraph>(read_tasks(in, "f.jsonl", 4).graph);
  const Results flits = simulate(plan(request_of(graph, shape, change, Model::systemc)));
  const Results worms = simulate(plan(request_of(graph, shape, change, Model::worm)));
  EXPECT_EQ(flits.digest, worms.digest);
  EXPECT_EQ(flits.messages, worms.messages);
  EXPECT_EQ(flits.tasks->waits, worms.tasks->waits);
  EXPECT_EQ(in_words(flits), in_words(worms));
  return in_words(flits);
}

const std::string one_message =
    "{\"node\":0,\"task\":\"c\",\"compute\":100}\n"
    "{\"node\":0,\"send\":true,\"to\":1,\"flits\":16,\"after\":[\"c\"]}\n"
    "{\"node\":1,\"task\":\"r\",\"receive\":true,\"from\":0}\n"
    "{\"node\":1,\"compute\":50,\"after\":[\"r\"]}\n";

// Computes to 100, has the message in 100 + 10 + 1 + 16 + 5 = 132, computes to 182.
TEST(TaskRun, AMessageBetweenTwoComputations) {
  EXPECT_EQ(outcome(one_message), "makespan 182; 100 10 0; 50 0 132");
}

// The tail is on the injection channel in cycle 100 + 10 + 15 = 125.
TEST(TaskRun, ABlockingSendLastsUntilItsTailHasLeft) {
  EXPECT_EQ(
      outcome(one_message, "hypercube:2", [](RunRequest& r) { r.node.model.send_blocks = true; }),
      "makespan 182; 100 25 0; 50 0 132");
}

// The tail comes in 127; taking it over keeps the processor busy for 5 cycles.
TEST(TaskRun, AReceiveThatOccupies) {
  const Change occupies = [](RunRequest& r) { r.node.model.receive_occupies = true; };
  EXPECT_EQ(outcome(one_message, "hypercube:2", occupies), "makespan 182; 100 10 0; 50 5 127");
  // A computation of 200 cycles comes first, so the message waits: 200 + 5 + 50.
  EXPECT_EQ(outcome("{\"node\":1,\"compute\":200}\n" + one_message, "hypercube:2", occupies),
            "makespan 255; 100 10 0; 250 5 0");
}

// Preparing 16 flits takes 10 + 2 * 16 = 42, taking them over 5 + 3 * 16 = 53:
// 100 + 42 + 1 + 16 + 53 = 212, and 50 more.
TEST(TaskRun, CostsOfAFlit) {
  EXPECT_EQ(outcome(one_message, "hypercube:2",
                    [](RunRequest& r) {
                      r.node.model.ts_per_flit = 2;
                      r.node.model.tr_per_flit = 3;
                    }),
            "makespan 262; 100 42 0; 50 0 212");
}

const std::string two_messages =
    "{\"node\":0,\"send\":true,\"to\":1,\"flits\":16}\n"
    "{\"node\":0,\"send\":true,\"to\":2,\"flits\":16}\n"
    "{\"node\":1,\"receive\":true}\n"
    "{\"node\":2,\"receive\":true}\n";

// One after another: 0 + 10 + 1 + 16 + 5 = 32 and 42. Each port its own: 32 twice.
TEST(TaskRun, StartUpsPerPort) {
  EXPECT_EQ(outcome(two_messages), "makespan 42; 0 20 0; 0 0 32; 0 0 42");
  EXPECT_EQ(outcome(two_messages, "hypercube:2",
                    [](RunRequest& r) { r.node.model.startup_per_port = true; }),
            "makespan 32; 0 10 0; 0 0 32; 0 0 32");
}

// With ts = tr = 0 both heads would leave in cycle 0; by one port the second follows the first
// tail: 16 + 1 + 16.
TEST(TaskRun, AMessageLeavesByTheInterfaceThatItNames) {
  const Change no_latency = [](RunRequest& r) { r.node.ts = r.node.tr = 0; };
  EXPECT_EQ(outcome(two_messages, "hypercube:2", no_latency), "makespan 17; 0 0 0; 0 0 17; 0 0 17");
  EXPECT_EQ(outcome("{\"node\":0,\"send\":true,\"to\":1,\"flits\":16,\"nic\":1}\n"
                    "{\"node\":0,\"send\":true,\"to\":2,\"flits\":16,\"nic\":3}\n"
                    "{\"node\":1,\"receive\":true}\n"
                    "{\"node\":2,\"receive\":true}\n",
                    "hypercube:2", no_latency),
            "makespan 33; 0 0 0; 0 0 17; 0 0 33");
}

TEST(TaskRun, ProcessorsOfARankWorkAtOnce) {
  EXPECT_EQ(outcome("{\"node\":0,\"compute\":100}\n{\"node\":0,\"compute\":70}\n"),
            "makespan 170; 170 0 0");
  EXPECT_EQ(outcome("{\"node\":0,\"compute\":100}\n{\"node\":0,\"compute\":70,\"cpu\":1}\n"),
            "makespan 100; 100 0 0");
}

// Both are ready in cycle 0, so the first of the file goes first; its receiver has 10 + 1 + 16 + 5.
// After its start, not its end: the send begins with the computation, on another processor.
TEST(TaskRun, ReadyTasksGoByTheFileAndWaitForStartsOrEnds) {
  EXPECT_EQ(outcome("{\"node\":0,\"send\":true,\"to\":1,\"flits\":16}\n"
                    "{\"node\":0,\"compute\":100}\n"
                    "{\"node\":1,\"receive\":true}\n"),
            "makespan 110; 100 10 0; 0 0 32");
  EXPECT_EQ(
      outcome("{\"node\":0,\"compute\":100,\"task\":\"c\",\"at\":7}\n"
              "{\"node\":0,\"send\":true,\"to\":1,\"flits\":16,\"after_start\":[\"c\"],\"cpu\":1}\n"
              "{\"node\":1,\"receive\":true}\n"),
      "makespan 107; 100 0 7; 0 0 39");
}

// A message takes its place in the queue of its port when its preparation begins: in the same cycle
// the lower processor is first, whatever the file says, and whichever message is prepared first.
// The long one is prepared in 25, and its tail is there 25 + 1 cycles later; the short one follows
// it.
TEST(TaskRun, MessagesQueueInTheOrderInWhichProcessorsBegin) {
  const Change by_flit = [](RunRequest& r) {
    r.node.ts = r.node.tr = 0;
    r.node.model.ts_per_flit = 1;
  };
  const std::string brief = "{\"node\":0,\"send\":true,\"to\":1,\"flits\":1,\"tag\":2,\"cpu\":1}\n";
  const std::string received =
      "{\"node\":1,\"receive\":true,\"tag\":1}\n{\"node\":1,\"receive\":true,\"tag\":2}\n";
  const auto with = [&](const std::string& before, const std::string& key) {
    return outcome(brief + before + "{\"node\":0,\"send\":true,\"to\":1,\"flits\":25,\"tag\":1" +
                       key + "}\n" + received,
                   "hypercube:2", by_flit);
  };
  EXPECT_EQ(with("", ""), "makespan 52; 0 25 0; 0 0 52");
  // Begun a cycle later, the long one is second, and there in 26 + 1 + 25.
  EXPECT_EQ(with("", ",\"at\":1"), "makespan 52; 0 26 0; 0 0 52");
  // Where a computation without cycles comes first, processor 1 begins first in the same cycle.
  EXPECT_EQ(with("{\"node\":0,\"compute\":0,\"task\":\"z\"}\n", ",\"after\":[\"z\"]"),
            "makespan 51; 0 25 0; 0 0 51");
}

// Two messages of tag 2 are there when the first receive ends, and a third one comes in 302. The
// receive b becomes ready as a ends at once, before c, which stands behind it in the file.
TEST(TaskRun, WhatEndsAtOnceMakesTasksReadyByTheirPlaceInTheFile) {
  EXPECT_EQ(outcome("{\"node\":0,\"send\":true,\"to\":1,\"flits\":1,\"tag\":2}\n"
                    "{\"node\":0,\"send\":true,\"to\":1,\"flits\":1,\"tag\":2}\n"
                    "{\"node\":0,\"send\":true,\"to\":1,\"flits\":1,\"tag\":0,\"at\":100}\n"
                    "{\"node\":0,\"send\":true,\"to\":1,\"flits\":1,\"tag\":2,\"at\":300}\n"
                    "{\"node\":1,\"task\":\"first\",\"receive\":true,\"tag\":0}\n"
                    "{\"node\":1,\"task\":\"a\",\"receive\":true,\"tag\":2,\"after\":[\"first\"]}\n"
                    "{\"node\":1,\"task\":\"b\",\"receive\":true,\"tag\":2,\"after\":[\"a\"]}\n"
                    "{\"node\":1,\"compute\":50,\"after\":[\"b\"]}\n"
                    "{\"node\":1,\"receive\":true,\"tag\":2,\"after\":[\"first\"]}\n",
                    "hypercube:2", [](RunRequest& r) { r.node.ts = r.node.tr = 0; }),
            "makespan 302; 0 0 300; 50 0 252");
}

// The message of tag 2 comes later but is the one that is wanted first.
TEST(TaskRun, MessagesThatComeTooEarlyWait) {
  EXPECT_EQ(outcome("{\"node\":0,\"send\":true,\"to\":1,\"flits\":1,\"tag\":1}\n"
                    "{\"node\":0,\"send\":true,\"to\":1,\"flits\":1,\"tag\":2}\n"
                    "{\"node\":1,\"task\":\"b\",\"receive\":true,\"tag\":2}\n"
                    "{\"node\":1,\"receive\":true,\"tag\":1,\"after\":[\"b\"]}\n"),
            "makespan 27; 0 20 0; 0 0 27");
}

// It is there in cycle 10 + 5, without the fabric.
TEST(TaskRun, AMessageToOneself) {
  EXPECT_EQ(outcome("{\"node\":0,\"send\":true,\"to\":0,\"flits\":16}\n"
                    "{\"node\":0,\"task\":\"r\",\"receive\":true}\n"
                    "{\"node\":0,\"compute\":1,\"after\":[\"r\"]}\n"),
            "makespan 16; 1 10 5");
}

TEST(TaskRun, NamesACircleOfReceives) {
  std::istringstream in(
      "{\"node\":0,\"task\":\"r\",\"receive\":true,\"from\":1,\"tag\":3}\n"
      "{\"node\":0,\"send\":true,\"to\":1,\"flits\":1,\"tag\":4,\"after\":[\"r\"]}\n"
      "{\"node\":1,\"task\":\"r\",\"receive\":true,\"from\":0,\"tag\":4}\n"
      "{\"node\":1,\"send\":true,\"to\":0,\"flits\":1,\"tag\":3,\"after\":[\"r\"]}\n");
  const auto graph = std::make_shared<TaskGraph>(read_tasks(in, "f.jsonl", 4).graph);
  const Results results = simulate(plan(request_of(graph, "ring:4", {}, Model::systemc)));
  EXPECT_FALSE(results.is_complete());
  EXPECT_EQ(results.tasks->unended, 4U);
  EXPECT_TRUE(results.tasks->waits_in_circle);
  EXPECT_THAT(
      results.tasks->waits,
      ElementsAre("rank 0 waits at f.jsonl:1 for a message from rank 1, tag 3, sent at f.jsonl:4",
                  "rank 1 waits at f.jsonl:3 for a message from rank 0, tag 4, sent at f.jsonl:2"));
}

// The receive of any tag is there before all messages of the barrier, and waits for its own one,
// which is sent after the barrier and has the very tag that the barrier's have.
TEST(TaskRun, AReceiveOfAnyTagPassesOverCollectives) {
  std::istringstream in(
      "{\"node\":0,\"receive\":true}\n"
      "{\"node\":0,\"collective\":\"barrier\"}\n"
      "{\"node\":1,\"task\":\"b\",\"collective\":\"barrier\"}\n"
      "{\"node\":1,\"send\":true,\"to\":0,\"flits\":9,\"tag\":2147483648,\"after\":[\"b\"]}\n");
  const Routing routing = make_routing(request_of(nullptr, "hypercube:1", {}, Model::systemc));
  const auto fabric_of = [&](std::size_t) { return CollectivePlanner::Fabric{routing, 1}; };
  CollectivePlanner planner(fabric_of, {}, 4);
  const auto graph = std::make_shared<TaskGraph>(expand(read_tasks(in, "f.jsonl", 4), planner));
  for (const Model model : {Model::systemc, Model::worm}) {
    const Results results = simulate(plan(request_of(graph, "hypercube:1", {}, model)));
    EXPECT_TRUE(results.is_complete());
    EXPECT_EQ(in_words(results), "makespan 42; 0 10 32; 0 20 7");
  }
}

// Rank 1 comes 500 cycles late to the first of two all-reduces, which takes 3374 cycles where all
// come at once, as bucket-allreduce does by itself. A rank may be in the next call while another
// one is still in this one.
TEST(TaskRun, ACallLastsFromItsFirstRankToItsLast) {
  for (const Model model : {Model::systemc, Model::worm}) {
    std::string lines;
    for (int rank = 0; rank < 4; ++rank) {
      const std::string node = "{\"node\":" + std::to_string(rank) + ",";
      const std::string after = rank == 1 ? R"(,"after":["late"])" : "";
      if (rank == 1) lines += node + R"("task":"late","compute":500})" + "\n";
      lines += node + R"("task":"a","collective":"allreduce","bytes":4096)" + after + "}\n";
      lines += node + R"("task":"b","collective":"allreduce","bytes":1024,"after":["a"]})" + "\n";
      lines += node + R"("task":"c","collective":"barrier","after":["b"]})" + "\n";
    }
    std::istringstream in(lines);
    const auto times = [](RunRequest& request) { request.node.ts = request.node.tr = 200; };
    const RunRequest machine = request_of(nullptr, "ring:4", times, model);
    const Routing routing = make_routing(machine);
    const auto fabric_of = [&](std::size_t) { return CollectivePlanner::Fabric{routing, 2}; };
    CollectivePlanner planner(fabric_of, {}, 4);
    const auto graph = std::make_shared<TaskGraph>(expand(read_tasks(in, "f.jsonl", 4), planner));
    ASSERT_EQ(graph->uses.size(), 2U);
    const Results results = simulate(plan(request_of(graph, "ring:4", times, model)));
    ASSERT_EQ(results.tasks->calls.size(), 2U);
    const CallResults& sums = results.tasks->calls[0];
    EXPECT_EQ(sums.calls, 2U);
    EXPECT_EQ(sums.measured, 2U);
    EXPECT_EQ(sums.max, 3374 + 500);
    const double second = 2 * sums.mean - 3874;
    EXPECT_DOUBLE_EQ(sums.algorithm, (4096 / 3874.0 + 1024 / second) / 2);
    EXPECT_DOUBLE_EQ(sums.bus, sums.algorithm * 1.5);
    EXPECT_DOUBLE_EQ(sums.best_bus, 1.5 * std::max(4096 / 3874.0, 1024 / second));
    const CallResults& barrier = results.tasks->calls[1];
    EXPECT_EQ(barrier.calls, 1U);
    EXPECT_EQ(barrier.measured, 0U);
    EXPECT_GE(3874 + static_cast<Cycle>(second) + barrier.max, results.tasks->makespan);
    EXPECT_LT(3874 + static_cast<Cycle>(second), results.tasks->makespan);
  }
}

// The receive of any rank takes the message that the other one needs.
TEST(TaskRun, NamesAMessageThatNobodySends) {
  std::istringstream in(
      "{\"node\":0,\"send\":true,\"to\":2,\"flits\":1}\n"
      "{\"node\":1,\"send\":true,\"to\":2,\"flits\":1,\"at\":1000}\n"
      "{\"node\":2,\"task\":\"any\",\"receive\":true}\n"
      "{\"node\":2,\"receive\":true,\"from\":0,\"after\":[\"any\"]}\n");
  const auto graph = std::make_shared<TaskGraph>(read_tasks(in, "f.jsonl", 4).graph);
  const Results results = simulate(plan(request_of(graph, "ring:4", {}, Model::worm)));
  EXPECT_EQ(results.tasks->unended, 1U);
  EXPECT_THAT(
      results.tasks->waits,
      ElementsAre(
          "rank 2 waits at f.jsonl:4 for a message from rank 0, any tag, that f.jsonl:3 took"));
}

// Of two receives from any rank the one with room for 8 bytes is posted first, and so has the
// message of 12; that both fit somewhere is all that can be said before.
TEST(TaskRun, NamesAReceiveThatIsShorterThanItsMessage) {
  for (const Model model : {Model::systemc, Model::worm}) {
    std::istringstream in(
        "{\"node\":0,\"send\":true,\"to\":2,\"bytes\":12}\n"
        "{\"node\":1,\"send\":true,\"to\":2,\"bytes\":8,\"at\":1000}\n"
        "{\"node\":2,\"task\":\"a\",\"receive\":true}\n"
        "{\"node\":2,\"receive\":true,\"after\":[\"a\"]}\n");
    const auto graph = std::make_shared<TaskGraph>(read_tasks(in, "f.jsonl", 4).graph);
    graph->tasks[2].amount = 8;
    graph->tasks[3].amount = 12;
    const Results results = simulate(plan(request_of(graph, "ring:4", {}, model)));
    EXPECT_EQ(
        results.broken_invariant,
        "f.jsonl:3: rank 2 receives up to 8 bytes from rank 0 with tag 0, but the message sent at f.jsonl:1 has 12");
    EXPECT_EQ(results.tasks->unended, 0U);
  }
}

// The first message is had in cycle 100 + 10 + 1 + 8 + 5 = 124; the second, of the default 16
// flits, waits for it, because its step is later: 124 + 10 + 1 + 16 + 5. Node 0 goes on at 110.
TEST(TaskRun, MessagesOfAScheduleHaveLengthsAndStarts) {
  std::istringstream in(
      "{\"u\":1,\"v\":3,\"step\":2,\"order\":0}\n"
      "{\"u\":0,\"v\":1,\"step\":1,\"order\":0,\"flits\":8,\"at\":100}\n"
      "{\"u\":0,\"v\":2,\"step\":1,\"order\":1,\"flits\":1}\n");
  const auto graph = std::make_shared<TaskGraph>(schedule_tasks(
      read_messages(in, "s.jsonl", *parse_topology("hypercube:2")), "s.jsonl", 16, 4, 4));
  for (const Model model : {Model::systemc, Model::worm}) {
    const Results results = simulate(plan(request_of(graph, "hypercube:2", {}, model)));
    EXPECT_EQ(in_words(results), "makespan 156; 0 20 100; 0 10 124; 0 0 127; 0 0 156");
    EXPECT_EQ(results.tasks->ranks[1].end, 134);
  }
}

TEST(TaskRun, NodeModelsAgreeOnAlgorithms) {
  const std::pair<const char*, const char*> cases[] = {
      {"hypercube:4", "wsort"},        {"hypercube:4", "hk"},
      {"hypercube:3", "sbt-reduce"},   {"hypercube:3", "exchange-allreduce"},
      {"hypercube:3", "xor-alltoall"}, {"torus:4x4", "dcf"},
      {"torus:3x4", "dims-allreduce"}, {"mesh:3x4", "umesh"},
      {"ring:6", "ring-alltoall"}};
  for (std::uint64_t seed = 1; seed <= 36; ++seed) {
    const auto& [shape, algorithm] = cases[seed % std::size(cases)];
    std::string outcomes[2];
    for (const bool has_worms : {false, true}) {
      RunRequest request;
      request.fabric.topology = parse_topology(shape);
      request.traffic.algorithm = &find_algorithm(algorithm);
      request.model = has_worms ? Model::worm : Model::systemc;
      SplitMix64 draw(seed);
      draw_model(draw, request);
      const Results results = simulate(plan(request));
      std::ostringstream text;
      text << results.broken_invariant << results.digest << " " << results.latency.max << " "
           << results.latency.mean << " " << results.missing << " "
           << results.contention.blocked_cycles;
      outcomes[has_worms ? 1 : 0] = text.str();
    }
    ASSERT_EQ(outcomes[0], outcomes[1]) << algorithm << " on " << shape << ", seed " << seed;
    ASSERT_THAT(outcomes[0], HasSubstr(" 0 ")) << "seed " << seed;
  }
}

TEST(TaskRun, BothModelsAgreeOnRandomGraphs) {
  const std::string shapes[] = {"hypercube:3", "torus:4x4", "mesh:3x4", "ring:6", "hypercube:4"};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SplitMix64 draw(seed);
    const std::string& shape = shapes[draw.next() % 5];
    const auto nodes = static_cast<std::uint32_t>(parse_topology(shape)->node_count());
    const auto graph = std::make_shared<TaskGraph>(random_graph(draw, nodes));
    const Change change = [&](RunRequest& request) {
      SplitMix64 own(seed + 1000);
      draw_model(own, request);
    };
    const Results flits = simulate(plan(request_of(graph, shape, change, Model::systemc)));
    const Results worms = simulate(plan(request_of(graph, shape, change, Model::worm)));
    ASSERT_EQ(flits.digest, worms.digest) << "seed " << seed;
    ASSERT_EQ(in_words(flits), in_words(worms)) << "seed " << seed;
    ASSERT_EQ(flits.tasks->waits, worms.tasks->waits) << "seed " << seed;
    ASSERT_EQ(flits.contention.blocked_cycles, worms.contention.blocked_cycles) << "seed " << seed;
  }
}

// Much happens in one cycle: sends of a lone flit are over in the cycle in which they begin.
TEST(TaskRun, BothModelsAgreeOnWhatComesFirstInACycle) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SplitMix64 draw(seed);
    const std::string shape = seed % 2 == 0 ? "hypercube:2" : "hypercube:1";
    const std::uint32_t ranks = seed % 2 == 0 ? 4 : 2;
    const auto graph = std::make_shared<TaskGraph>(random_graph(draw, ranks, {2, 9}));
    const Change change = [seed](RunRequest& request) {
      SplitMix64 own(seed + 2000);
      draw_model(own, request);
      request.node.ts = seed / 2 % 2;
      request.node.tr = seed / 4 % 2;
      request.node.model.ts_per_flit = 0;
      request.node.model.send_blocks = true;
    };
    const Results flits = simulate(plan(request_of(graph, shape, change, Model::systemc)));
    const Results worms = simulate(plan(request_of(graph, shape, change, Model::worm)));
    ASSERT_EQ(flits.digest, worms.digest) << "seed " << seed;
    ASSERT_EQ(in_words(flits), in_words(worms)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace allport
