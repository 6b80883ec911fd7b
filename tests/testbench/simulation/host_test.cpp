// SPDX-License-Identifier: Apache-2.0
// A host has a channel of its own to all ranks, in programs in C++ and in graphs of tasks alike.
// ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "rtl_model/base/split_mix.h"
#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/simulation/program_outcome.h"
#include "traffic/tasks/task_check.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

// A message from `from` to `to`; the rank that is the number of ranks is the host. The sender
// computes before it.
struct Step {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t bytes = 1;
  Cycle compute = 0;
};
using Script = std::vector<Step>;

Script random_script(SplitMix64& draw, std::uint32_t ranks) {
  Script script;
  for (int i = 0; i < 40; ++i) {
    Step step;
    step.from = static_cast<std::uint32_t>(draw.next() % (ranks + 1));
    step.to = static_cast<std::uint32_t>(draw.next() % (ranks + 1));
    if (draw.next() % 3 == 0) (draw.next() % 2 == 0 ? step.from : step.to) = ranks;
    if (step.from == ranks && step.to == ranks) step.to = 0;
    step.bytes = 1 + static_cast<std::uint32_t>(draw.next() % 60);
    // What is asked for at the very time at which something has come is no part of the rule.
    const bool is_transfer = step.from == ranks || step.to == ranks;
    step.compute = static_cast<Cycle>(draw.next() % 3 == 0 ? draw.next() % 90 : 0);
    if (is_transfer) ++step.compute;
    script.push_back(step);
  }
  return script;
}

// Every rank does its part of the script, in its order.
TaskGraph graph_of(const Script& script, std::uint32_t ranks, const HostModel& host) {
  TaskGraph graph;
  graph.ranks = ranks;
  graph.host = host;
  std::vector<std::uint32_t> last(ranks + 4, no_task);  // and some that do not exist
  const auto add = [&](TaskKind kind, std::uint32_t rank, std::uint32_t peer, std::uint32_t tag,
                       std::uint64_t amount) {
    Task task;
    task.kind = kind;
    task.rank = rank;
    task.peer = peer;
    task.tag = tag;
    task.amount = amount;
    const auto number = static_cast<std::uint32_t>(graph.tasks.size());
    graph.tasks.push_back(task);
    const std::uint32_t before = std::exchange(last[rank], number);
    if (before == no_task) return;
    const bool is_order = graph.tasks[before].kind == TaskKind::send;
    graph.dependencies.push_back({number, before, false, is_order});
  };
  for (std::uint32_t i = 0; i < script.size(); ++i) {
    const Step& one = script[i];
    if (one.compute > 0) {
      add(TaskKind::compute, one.from, any_rank, any_tag, static_cast<std::uint64_t>(one.compute));
    }
    add(TaskKind::send, one.from, one.to, i, one.bytes);
    add(TaskKind::receive, one.to, one.from, i, one.bytes);
  }
  return graph;
}

Body body_of(const Script& script, std::uint32_t ranks) {
  return [&script, ranks](Processor& self) {
    const auto number = [ranks](std::uint32_t rank) {
      return rank == Processor::host ? ranks : rank;
    };
    const auto rank = [ranks](std::uint32_t number) {
      return number == ranks ? Processor::host : number;
    };
    const std::uint32_t own = number(self.rank());
    for (std::uint32_t i = 0; i < script.size(); ++i) {
      const Step& one = script[i];
      if (one.from == own) {
        if (one.compute > 0) self.compute(one.compute);
        self.send(rank(one.to), std::vector<unsigned char>(one.bytes, 7), i);
      }
      if (one.to == own) self.receive(rank(one.from), i);
    }
  };
}

std::string what_became_of(const Results& results) {
  std::string words = results.digest + " " + std::to_string(results.tasks->makespan);
  for (const RankResults& rank : results.tasks->ranks) {
    words += " " + std::to_string(rank.compute) + "+" + std::to_string(rank.communicate) + "/" +
             std::to_string(rank.end);
  }
  const HostResults& host = *results.tasks->host;
  return words + "; host " + std::to_string(host.transfers) + " " + std::to_string(host.bytes) +
         " " + std::to_string(host.busy) + " to " + std::to_string(host.end) +
         results.broken_invariant;
}

std::string of_programs(const RunRequest& request, const Script& script, std::uint32_t ranks,
                        const HostModel& host) {
  return forked([&] {
    const Body body = body_of(script, ranks);
    return what_became_of(run_programs(
        request, [&](std::uint32_t) { return std::make_unique<Function>(body); },
        Host{host, std::make_unique<Function>(body)}));
  });
}

std::string of_tasks(RunRequest request, const TaskGraph& graph) {
  return forked([&] {
    request.traffic.graph = std::make_shared<const TaskGraph>(graph);
    return what_became_of(simulate(plan(request)));
  });
}

// The same transfers in the same cycles, whoever asks for them, and on each model.
TEST(HostOfTasks, IsThatOfPrograms) {
  const RandomCases cases(12);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    SplitMix64 draw(seed);
    const char* shape = seed % 2 == 0 ? "torus:3x3" : "hypercube:3";
    RunRequest request = request_on(shape, Model::systemc);
    request.node.ts = static_cast<Cycle>(draw.next() % 30);
    request.node.tr = static_cast<Cycle>(draw.next() % 9);
    request.node.model.send_blocks = draw.next() % 2 == 0;
    const auto ranks = static_cast<std::uint32_t>(request.fabric.topology->node_count());
    const HostModel host{static_cast<double>(draw.next() % 50), 0.25 * (draw.next() % 9)};
    const Script script = random_script(draw, ranks);
    const TaskGraph graph = graph_of(script, ranks, host);
    ASSERT_EQ(task_fault(graph), "") << seed;
    const std::string flits = of_tasks(request, graph);
    EXPECT_EQ(flits, of_programs(request, script, ranks, host)) << "seed " << seed;
    request.model = Model::worm;
    EXPECT_EQ(flits, of_tasks(request, graph)) << "seed " << seed;
    EXPECT_EQ(flits, of_programs(request, script, ranks, host)) << "seed " << seed;
  }
}

// The host sends two, to 116 and 232; the answers wait for these and for each other, as those of
// programs do.
TEST(HostOfTasks, AsksForItsNextTransferBeforeAnAnswer) {
  const Script script{{4, 0, 8, 0}, {4, 1, 8, 0}, {0, 4, 8, 0}, {1, 4, 8, 0}};
  for (const Model model : {Model::systemc, Model::worm}) {
    const std::string tasks =
        of_tasks(request_on("hypercube:2", model), graph_of(script, 4, {100, 2}));
    EXPECT_THAT(tasks, HasSubstr(" 464 0+232/348 0+232/464 ")) << tasks;
    EXPECT_EQ(of_programs(request_on("hypercube:2", model), script, 4, {100, 2}), tasks);
  }
}

// A transfer takes 100 + 2 * 8 = 116, under whatever model of a node; tr is for the fabric only.
TEST(HostOfTasks, AndModelsOfNodesHaveNothingToDoWithEachOther) {
  const Script script{{4, 0, 8, 0}, {0, 4, 8, 0}};
  for (const bool per_port : {false, true}) {
    for (const Model model : {Model::systemc, Model::worm}) {
      RunRequest request = request_on("hypercube:2", model);
      request.node.model.receive_occupies = true;
      request.node.model.startup_per_port = per_port;
      request.node.model.tr_per_flit = 3;
      const std::string tasks = of_tasks(request, graph_of(script, 4, {100, 2}));
      EXPECT_THAT(tasks, HasSubstr(" 232 0+116/232")) << tasks;
      EXPECT_THAT(tasks, HasSubstr("; host 2 16 232 to 232"));
      EXPECT_EQ(of_programs(request, script, 4, {100, 2}), tasks);
    }
  }
}

TEST(HostOfTasks, WhatIsWrongIsSaidOfIt) {
  const auto fault = [](const Script& script) { return task_fault(graph_of(script, 4, {})); };
  EXPECT_EQ(fault({{4, 4, 8, 0}}), "the host: the host does not send to itself");
  EXPECT_EQ(fault({{4, 7, 8, 0}}), "the host: rank 7 has no tasks");
  TaskGraph graph = graph_of({{4, 0, 8, 0}}, 4, {});
  graph.tasks[1].tag = 9;
  EXPECT_THAT(task_fault(graph), HasSubstr("with tag"));
  graph = graph_of({{0, 4, 8, 0}}, 4, {});
  graph.tasks.pop_back();
  EXPECT_EQ(task_fault(graph),
            "rank 0: rank 0 sends the host 1 message with tag 0, but that receives 0 of them");
  graph = graph_of({{4, 0, 8, 0}}, 4, {});
  for (Task& task : graph.tasks) task.amount = std::uint64_t{1} << 32;
  EXPECT_EQ(task_fault(graph),
            "the host: a transfer of 4294967296 bytes: the host's channel takes up to 4294967295");
  graph.host.reset();
  EXPECT_THAT(task_fault(graph), HasSubstr("rank 4 does not exist, there are 4"));
}

}  // namespace
}  // namespace allport::test
